"""Backends and operators that are loaded while the program runs: examples/plugins/skeleton."""

import gc
import importlib
import os

import pytest
import switchyard as torch

PATH = os.environ.get("SKELETON", "")
pytestmark = pytest.mark.skipif(not PATH, reason="SKELETON names no plugin: test.sh does")


@pytest.fixture
def skeleton():
    assert torch.load_plugin(PATH)["devices"] == ["skeleton"]
    yield
    gc.collect()
    assert torch.unload_plugin("skeleton") == (True, "unloaded")


def test_a_device_of_a_plugin(skeleton):
    x = torch.ones(2, 3, device="skeleton")
    assert x.device == torch.device("skeleton:0") and (x + x).cpu().tolist() == [[2] * 3] * 2
    assert "skeleton" in torch.explain("add.Tensor", "skeleton").overloads[0]["outcome"]
    y = torch.arange(3).to("skeleton")
    assert y.tolist() == [0, 1, 2] and int(y[1]) == 1 and "device='skeleton:0'" in repr(y)
    for wrong, kind in ((y.numpy, TypeError), (lambda: memoryview(y), BufferError),
                        (lambda: y + torch.ones(3), RuntimeError)):
        with pytest.raises(kind):
            wrong()
    assert torch.unload_plugin("skeleton")[0] is False  # x and y are alive


def test_operators_of_a_plugin(skeleton):
    assert torch.ops.skeleton.scale(torch.ones(2, device="skeleton"), 3.0).tolist() == [3, 3]
    assert torch.ops.skeleton.scale.overloads() == ["default"]


def test_what_is_unloaded_is_gone():
    torch.load_plugin(PATH)
    scale = torch.ops.skeleton.scale
    assert torch.unload_plugin("skeleton")[0]
    with pytest.raises(RuntimeError):
        torch.ones(1, device="skeleton")
    with pytest.raises(AttributeError):
        scale(torch.ones(1))
    with pytest.raises(torch.Error):
        torch.load_plugin("/nonexistent.so")


def test_plugins_of_installed_packages(tmp_path, monkeypatch):
    """As pip leaves a package: a module, and its entry points in a folder beside it."""
    (tmp_path / "skeleton_package.py").write_text(
        f"PATH = {PATH!r}\n\n\ndef path():\n    return PATH\n")
    info = tmp_path / "skeleton_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: skeleton-package\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for what in ("path", "PATH"):  # a function of the path, and the path itself
        (info / "entry_points.txt").write_text(
            f"[switchyard.plugins]\nskeleton = skeleton_package:{what}\n"
            "[switchyard.others]\nnothing = skeleton_package:missing\n")
        importlib.invalidate_caches()
        assert [p["name"] for p in torch.load_installed_plugins()] == ["skeleton"]
        assert torch.ones(2, device="skeleton").cpu().tolist() == [1, 1]
        gc.collect()
        assert torch.unload_plugin("skeleton")[0]
    assert torch.load_installed_plugins("switchyard.of_nobody") == []
    with pytest.raises(AttributeError):
        torch.load_installed_plugins("switchyard.others")
