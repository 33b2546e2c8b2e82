"""The time that operators take: a table, or a trace for chrome://tracing and Perfetto."""

import enum
from html import escape

from switchyard import _core


class ProfilerActivity(enum.Enum):
    """What is recorded: the host's part of calls, whatever is asked for."""

    CPU = 0
    CUDA = 2


_SORTED_BY = {"cpu_time_total": "total_ns", "self_cpu_time_total": "self_ns", "count": "calls"}


class Averages(list):
    """A dict for each operator, device and dtype: op, device, dtype, calls, total_ns, self_ns,
    min_ns, max_ns."""

    def table(self, sort_by=None, row_limit=100):
        """As text. sort_by: one of these names, or PyTorch's of it; the largest first."""
        rows = list(self)
        if sort_by is not None:
            key = _SORTED_BY.get(sort_by, sort_by)
            if rows and key not in rows[0]:
                raise ValueError(f"sort_by: expected one of {[*rows[0], *_SORTED_BY]}, got {sort_by!r}")
            rows.sort(key=lambda e: e[key], reverse=True)
        lines = [f"{'operator':<32} {'device':<8} {'dtype':<12} {'calls':>8} {'total us':>12} "
                 f"{'self us':>12} {'mean us':>10} {'max us':>10}"]
        for e in rows if row_limit < 0 else rows[:row_limit]:
            lines.append(f"{e['op']:<32} {e['device']:<8} {e['dtype']:<12} {e['calls']:>8} "
                         f"{e['total_ns'] / 1e3:>12.3f} {e['self_ns'] / 1e3:>12.3f} "
                         f"{e['total_ns'] / 1e3 / e['calls']:>10.3f} {e['max_ns'] / 1e3:>10.3f}")
        return "\n".join(lines) + "\n"

    __str__ = table


class profile:
    """Records the operators that this thread calls inside `with`."""

    def __init__(self, *, activities=None, **options):
        self._recording = _core._profiler()

    def __enter__(self):
        _core._profiler_start(self._recording)
        return self

    def __exit__(self, *error):
        _core._profiler_stop(self._recording)

    start = __enter__

    def stop(self):
        """Ends the recording."""
        _core._profiler_stop(self._recording)

    def key_averages(self):
        """Averages: an entry for each operator, device and dtype, the most time first."""
        return Averages(_core._profiler_entries(self._recording))

    def table(self):
        """The same as text."""
        return _core._profiler_table(self._recording)

    __str__ = table

    def export_chrome_trace(self, path):
        """Writes every call, as JSON."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(_core._profiler_trace(self._recording))

    def _repr_html_(self):
        columns = ("op", "device", "dtype", "calls", "total_ns", "self_ns", "min_ns", "max_ns")
        rows = "".join("<tr>" + "".join(f"<td>{escape(str(e[c]))}</td>" for c in columns) + "</tr>"
                       for e in self.key_averages())
        return f"<table><tr>{''.join(f'<th>{c}</th>' for c in columns)}</tr>{rows}</table>"
