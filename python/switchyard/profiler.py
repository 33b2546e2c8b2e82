"""The time that operators take: a table, or a trace for chrome://tracing and Perfetto."""

from html import escape

from switchyard import _core


class profile:
    """Records the operators that this thread calls inside `with`."""

    def __init__(self, **options):
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
        """A dict for each operator, device and dtype, the most time first."""
        return _core._profiler_entries(self._recording)

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
