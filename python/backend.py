"""Builds the wheel for pip (PEP 517), by tools/wheel.py of the tree that this folder lies in."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
import wheel as _wheel  # noqa: E402


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel's name."""
    _wheel.build()
    return _wheel.write(wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    """There is none: the package is built from the whole tree."""
    raise NotImplementedError("build from a checkout: pip install ./python")
