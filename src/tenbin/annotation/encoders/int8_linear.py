"""Matrix products in 8-bit integers, whose result for a piece depends on that piece alone.

Weights are rounded with one scale per output, inputs with one scale per piece, and the sums are
exact. (torch's own dynamic quantisation takes one scale for a whole batch, so that a text gets
other vectors in other company; of MiniLM it also loses ten times as much.)
"""

from typing import Any

LEVELS = 127
_TINY = 1e-12  # keeps a null row from being divided by 0


def with_int8_products(torch: Any, model: Any) -> Any:  # noqa: ANN401 - torch is not imported here
    """Replace the linear layers of a model, in place, and return it."""
    for name, child in list(model.named_children()):
        if isinstance(child, torch.nn.Linear):
            setattr(model, name, _rounded(torch, child))
        else:
            with_int8_products(torch, child)
    return model


def _rounded(torch: Any, linear: Any) -> Any:  # noqa: ANN401 - torch is not imported here
    weights = linear.weight.detach()
    scales = (weights.abs().amax(dim=1) / LEVELS).clamp_min(_TINY)
    integers = torch.round(weights / scales[:, None]).to(torch.int8).t().contiguous()
    bias = None if linear.bias is None else linear.bias.detach()

    class Int8Linear(torch.nn.Module):  # type: ignore[misc]
        """Stands in for a linear layer."""

        def forward(self, inputs: Any) -> Any:  # noqa: ANN401
            rows = inputs.reshape(-1, inputs.shape[-1])
            own = (rows.abs().amax(dim=1, keepdim=True) / LEVELS).clamp_min(_TINY)
            rounded = torch.round(rows / own).to(torch.int8)
            sums = torch._int_mm(rounded, integers)  # noqa: SLF001 - torch has no public name for it
            products = sums.to(inputs.dtype) * own * scales
            whole = products if bias is None else products + bias
            return whole.reshape(*inputs.shape[:-1], -1)

    return Int8Linear()
