"""Specs and signatures: whatever is printed reads back, whatever is read prints back."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import SpecError
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec


@given(...)
def test_a_printed_spec_reads_back(spec: Spec) -> None:
    again = Spec.parse(str(spec))
    # repr tells 1 from True and 0.0 from -0.0, which == does not.
    assert repr(again) == repr(spec)
    assert str(again) == str(spec)


@given(...)
def test_blanks_around_a_spec_change_nothing(spec: Spec) -> None:
    assert Spec.parse(f"  {spec}\n") == spec


@given(arguments=st.text(alphabet="ab=,()[]{}'\"\\1.e+-_ *\n#:é", max_size=30))
def test_any_text_is_a_spec_or_a_spec_error(arguments: str) -> None:
    with contextlib.suppress(SpecError):
        spec = Spec.parse(f"chrf({arguments})")
        assert Spec.parse(str(spec)) == spec


@given(text=st.text(max_size=20))
def test_any_text_at_all_is_a_spec_or_a_spec_error(text: str) -> None:
    with contextlib.suppress(SpecError):
        spec = Spec.parse(text)
        assert Spec.parse(str(spec)) == spec


@given(...)
def test_a_printed_signature_reads_back(signature: Signature) -> None:
    assert Signature.parse(str(signature)) == signature


@given(...)
def test_a_signature_is_one_line_without_tabs(signature: Signature) -> None:
    assert len(str(signature).splitlines()) <= 1
    assert "\t" not in str(signature)


@given(...)
def test_different_signatures_print_differently(first: Signature, second: Signature) -> None:
    assert (str(first) == str(second)) == (first == second)


@given(...)
def test_facts_of_a_run_stand_in_front(signature: Signature) -> None:
    keys = {key for key, _ in signature.fields}
    facts = tuple((key, "1") for key in ("lang", "nrefs") if key not in keys)
    told = signature.of_run(*facts)
    assert told.fields == facts + signature.fields
    assert Signature.parse(str(told)) == told
    assert all(told.get(key) == value for key, value in told.fields)
    assert told.get("\0no such key") is None
