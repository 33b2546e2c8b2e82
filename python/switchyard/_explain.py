"""What notebooks show, and why a call goes where it goes."""

from html import escape

from switchyard import _core


class Explanation:
    """explain()'s answer: text when it is printed, a table in a notebook, .overloads as data."""

    def __init__(self, overloads):
        self.overloads = overloads

    def __str__(self):
        return "\n".join(o["text"] for o in self.overloads)

    __repr__ = __str__

    def _repr_html_(self):
        parts = []
        for o in self.overloads:
            rows = "".join(
                ("<tr style='font-weight:bold'>" if c["chosen"] else "<tr>")
                + "".join(f"<td>{escape(c[k])}</td>" for k in ("device", "dtypes", "source", "verdict"))
                + "</tr>" for c in o["candidates"])
            parts.append(f"<p><code>{escape(o['schema'])}</code><br>{escape(o['outcome'])}</p>"
                         "<table><tr><th>device</th><th>dtypes</th><th>source</th><th>verdict</th>"
                         f"</tr>{rows}</table>")
        return "".join(parts)


def explain(op, device="cpu", dtype=_core.float32):
    """Why a call of an operator with tensors of this device and dtype goes where it goes."""
    return Explanation(_core._explain(op, str(_core.device(device)), dtype))


_SHOWN = 8  # rows and columns of a table, at most


def tensor_html(t):
    """Sizes, dtype and device, and the elements of a small tensor; colours by size."""
    head = (f"<p><b>Tensor</b> {list(t.shape)} {escape(str(t.dtype))} on {escape(str(t.device))}"
            f"{' requires_grad' if t.requires_grad else ''}</p>")
    if t.is_meta or t.dim() > 2 or t.numel() == 0:
        return head + ("" if t.is_meta else f"<pre>{escape(repr(t))}</pre>")
    table = t.detach().cpu().reshape((1, 1) if t.dim() == 0 else (1, -1) if t.dim() == 1 else t.shape)
    cut = table[:_SHOWN, :_SHOWN]
    rows = cut.tolist()
    numbers = [abs(x) for row in rows for x in row if x == x and abs(x) != float("inf")]
    most = float(max(numbers, default=0)) or 1.0

    def cell(x):
        text = f"{x:.4g}" if isinstance(x, (float, complex)) else str(x)
        part = abs(x) / most if x == x and abs(x) != float("inf") else 0.0
        colour = "220,80,60" if not isinstance(x, complex) and x < 0 else "60,120,220"
        return (f'<td style="text-align:right;background:rgba({colour},{0.6 * part:.2f})">'
                f"{escape(text)}</td>")
    more = "<td>…</td>" if table.size(1) > _SHOWN else ""
    body = "".join("<tr>" + "".join(map(cell, row)) + more + "</tr>" for row in rows)
    if table.size(0) > _SHOWN:
        body += f'<tr><td colspan="{_SHOWN + 1}">…</td></tr>'
    return f"{head}<table>{body}</table>"
