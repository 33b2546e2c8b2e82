"""The package under test is on PYTHONPATH: python_package's folder."""

import pytest
import switchyard


@pytest.fixture(autouse=True)
def same_settings():
    """Tests leave seeds, modes, dtypes and printing as they were."""
    state, dtype = switchyard.get_rng_state(), switchyard.get_default_dtype()
    yield
    switchyard.set_rng_state(state)
    switchyard.set_default_dtype(dtype)
    switchyard.set_grad_enabled(True)
    switchyard.set_printoptions(profile="default")
