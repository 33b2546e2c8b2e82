"""A host in Python, which opens the shim by ctypes:  host.py SHIM [MODULE…] [+MODULE…]

MODULEs are imported before, +MODULEs after; each is used before and after. Their settings stay as
they are.
"""

import ctypes
import importlib
import locale
import os
import signal
import sys
import threading


def use_numpy(numpy):
    a = numpy.arange(90000, dtype=numpy.float64).reshape(300, 300) / 90000
    return [float((a @ a).sum()), float(numpy.linalg.svd(a)[1].sum()), float(numpy.exp(a).sum()),
            str(numpy.geterr()), str(numpy.get_printoptions())]


def use_torch(torch):
    a = torch.arange(90000, dtype=torch.float32).reshape(300, 300) / 90000
    b = torch.nn.functional.conv2d(a.reshape(1, 1, 300, 300), torch.ones(4, 1, 3, 3))
    return [float((a @ a).sum()), float(torch.linalg.svdvals(a).sum()), float(b.sum()),
            torch.get_num_threads(), torch.get_num_interop_threads(), torch.get_rng_state().sum(),
            torch.get_default_dtype(), torch.is_grad_enabled()]


USES = {"numpy": use_numpy, "torch": use_torch}


def own_settings():
    return {"locale": locale.setlocale(locale.LC_ALL), "folder": os.getcwd(),
            "environment": dict(os.environ), "environ": open("/proc/self/environ", "rb").read(),
            "signals": [signal.getsignal(n) for n in range(1, signal.NSIG)],
            "processors": os.sched_getaffinity(0)}


def call(shim, name):
    function = getattr(shim, name)
    function.restype = ctypes.c_char_p
    error = function().decode()
    assert not error, f"{name}: {error}"


def main():
    path = sys.argv[1]
    before = [m for m in sys.argv[2:] if not m.startswith("+")]
    after = [m[1:] for m in sys.argv[2:] if m.startswith("+")]
    modules = {name: importlib.import_module(name) for name in before}
    uses = {name: USES[name](module) for name, module in modules.items()}
    settings = own_settings()

    shim = ctypes.CDLL(path)
    call(shim, "shim_use")
    thread = threading.Thread(target=call, args=(shim, "shim_use"))
    thread.start()
    thread.join()
    assert own_settings() == settings, "settings have changed"
    for name in before:
        again = USES[name](modules[name])
        assert again == uses[name], f"{name}: {uses[name]} became {again}"

    for name in after:
        USES[name](importlib.import_module(name))
    call(shim, "shim_use")
    print("the host is as it was")


main()
