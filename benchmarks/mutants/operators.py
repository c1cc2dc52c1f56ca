"""The small changes that are tried on a source text, found in its syntax tree."""

import ast
import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.MatMult: ("@", "*"),
}
_CALLS = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
    "argmin": "argmax",
    "argmax": "argmin",
    "cumsum": "cumprod",
    "zeros": "ones",
    "ones": "zeros",
}
# A tenth stays within the range of nearly every share, weight and threshold, so that the change is
# not merely refused; a difference of 1 would be.
_TENTH = 0.1


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file.

    Attributes:
        path: The file, relative to the repository.
        line: Its line, from 1.
        start: First character of the replaced text in the whole file.
        stop: The character after it.
        before: The replaced text.
        after: What stands there instead.
        operator: The kind of change.
        at_import: Whether the line runs when the module is imported, not in a function.
        source: First digits of the SHA-256 of the file.
    """

    path: str
    line: int
    start: int
    stop: int
    before: str
    after: str
    operator: str
    at_import: bool
    source: str

    @property
    def key(self) -> str:
        """Return the name under which a result is remembered; another if the file changes."""
        return f"{self.path}:{self.source}:{self.start}-{self.stop}:{self.after}"

    def applied(self, text: str) -> str:
        """Return the changed source."""
        if text[self.start : self.stop] != self.before:
            raise ValueError(f"{self.path}:{self.line}: the file has changed since")
        return text[: self.start] + self.after + text[self.stop :]


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """Return every change that is tried on a file, in the order of the text."""
    text = path.read_text(encoding="utf-8")
    return mutants_of_text(text, str(path.relative_to(root)))


def mutants_of_text(text: str, path: str) -> list[Mutant]:
    """Return every change that is tried on a source text.

    Left out is what no number depends on: docstrings and other texts, annotations, the messages of
    errors, and blocks for type checkers.

    Examples:
        >>> text = "def f(a: int | None, b: float = 0.5): return a < b + 1"
        >>> found = mutants_of_text(text, "f.py")
        >>> [(mutant.before, mutant.after) for mutant in found]
        [('0.5', '0.55'), ('0.5', '0.45'), ('<', '<='), ('+', '-'), ('1', '2'), ('1', '0')]
    """
    visitor = _Visitor(text)
    visitor.visit(ast.parse(text))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    found = [
        Mutant(path, text.count("\n", 0, a) + 1, a, b, text[a:b], after, kind, outside, digest)
        for a, b, after, kind, outside in visitor.found
    ]
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.stop, found.index(mutant)))


class _Visitor(ast.NodeVisitor):
    """Collects (start, stop, replacement, operator, at import) of every change."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[int, int, str, str, bool]] = []
        self.depth = 0
        lines = text.encode().splitlines(keepends=True)
        self.bytes_before = [0]
        for line in lines:
            self.bytes_before.append(self.bytes_before[-1] + len(line))
        self.encoded = text.encode()

    def place(self, line: int, column: int) -> int:
        """Return a position in characters; the syntax tree counts bytes."""
        return len(self.encoded[: self.bytes_before[line - 1] + column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        if node.end_lineno is None or node.end_col_offset is None:  # pragma: no cover
            raise ValueError("a node without an end")
        start = self.place(node.lineno, node.col_offset)
        return start, self.place(node.end_lineno, node.end_col_offset)

    def add(self, start: int, stop: int, after: str, operator: str) -> None:
        self.found.append((start, stop, after, operator, self.depth == 0))

    def between(
        self, left: ast.expr, right: ast.expr, swap: tuple[str, str], operator: str
    ) -> None:
        """Replace the operator between two operands, which may stand in parentheses."""
        start, stop = self.span(left)[1], self.span(right)[0]
        before, after = swap
        gap = re.sub(r"#.*", lambda comment: " " * len(comment[0]), self.text[start:stop])
        pattern = re.escape(before).replace(r"\ ", r"\s+")
        found = re.search(rf"\b{pattern}\b" if before[0].isalpha() else pattern, gap)
        if found is not None:
            self.add(start + found.start(), start + found.end(), after, operator)

    # What holds no number of a score.
    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_TypeAlias(self, node: ast.AST) -> None:
        pass

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.depth:  # outside functions these are types
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name in {"isinstance", "issubclass", "cast", "TypeVar"}:
            return
        called = node.func.attr if isinstance(node.func, ast.Attribute) else name
        if called in _CALLS:
            stop = self.span(node.func)[1]
            self.add(stop - len(called), stop, _CALLS[called], "call")
        self.generic_visit(node)

    def _function(self, node: ast.FunctionDef) -> None:
        self.visit(node.args)  # defaults are taken when the module is imported
        self.depth += 1
        for statement in node.body:
            self.visit(statement)
        self.depth -= 1

    visit_FunctionDef = _function  # noqa: N815 - named by the standard library

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        # Comparisons, `and`, `or` and `not` have changes of their own.
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            start, stop = self.span(test)
            self.add(start, stop, f"not ({self.text[start:stop]})", "condition")

    # Changes.
    def visit_Constant(self, node: ast.Constant) -> None:
        start, stop = self.span(node)
        value = node.value
        if isinstance(value, bool):
            self.add(start, stop, str(not value), "truth value")
        elif isinstance(value, int):
            self.add(start, stop, str(value + 1), "number")
            self.add(start, stop, str(value - 1), "number")
        elif isinstance(value, float):
            step = abs(value) * _TENTH or _TENTH
            self.add(start, stop, f"{value + step:.12g}", "number")
            self.add(start, stop, f"{value - step:.12g}", "number")

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for (left, right), kind in zip(pairwise(operands), node.ops, strict=True):
            self.between(left, right, _COMPARISONS[type(kind)], "comparison")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        types = self.depth == 0 and isinstance(node.op, ast.BitOr)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if types or text:
            return
        self.between(node.left, node.right, _ARITHMETIC[type(node.op)], "arithmetic")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        before, after = _ARITHMETIC[type(node.op)]
        self.between(node.target, node.value, (f"{before}=", f"{after}="), "arithmetic")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        swap = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            self.between(left, right, swap, "logic")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        start = self.span(node)[0]
        if isinstance(node.op, ast.Not):
            self.add(start, start + len("not"), "", "logic")
        elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self.add(start, start + len("-"), "", "arithmetic")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self.add(*self.span(node), "continue", "jump")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add(*self.span(node), "break", "jump")
