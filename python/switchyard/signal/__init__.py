"""Signals: windows."""

from switchyard.signal import windows  # noqa: F401
