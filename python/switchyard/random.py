"""The default generator, and what it gives back afterwards."""

import contextlib

from switchyard._core import (  # noqa: F401
    default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, **options):
    """Random numbers drawn inside are not missed outside: the host's generator is put back."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
