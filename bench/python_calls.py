"""What calls from Python cost, by case, as JSON.

  python_calls.py MODULE                  nanoseconds
  python_calls.py MODULE --instructions   instructions, which valgrind counts

MODULE: switchyard, torch or numpy. A case that the module does not have is left out. "import" is
the CPU time of importing the module in a process of its own, or its instructions, with its Python
files compiled, as installers leave them.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import timeit

# case, budget in ns, statement, NumPy's where it differs; None: it has none
CASES = [
    ("a + b", 70, "a + b", "a + b"),
    ("add(a, b)", 70, "m.add(a, b)", "m.add(a, b)"),
    ("a.add(b)", 70, "a.add(b)", None),
    ("add(a, b, alpha=2)", 120, "m.add(a, b, alpha=2)", None),
    ("a + 1", 80, "a + 1", "a + 1"),
    ("a * 2.0", 80, "a * 2.0", "a * 2.0"),
    ("a.add_(b)", None, "a.add_(b)", "m.add(a, b, out=a)"),
    ("x[0]", 35, "x[0]", "x[0]"),
    ("x[1, ::2]", None, "x[1, ::2]", "x[1, ::2]"),
    ("x[index]", None, "x[i]", "x[i]"),
    ("x.shape", None, "x.shape", "x.shape"),
    ("a.item()", None, "a.item()", "a.item()"),
    ("x.sum(0)", None, "x.sum(0)", "x.sum(0)"),
    ("x.sum(dim=1, keepdim=True)", None, "x.sum(dim=1, keepdim=True)",
     "x.sum(axis=1, keepdims=True)"),
    ("x.view(2, 8)", None, "x.view(2, 8)", "x.reshape(2, 8)"),
    ("x @ x", None, "x @ x", "x @ x"),
    ("zeros(2, 3)", 130, "m.zeros(2, 3)", "m.zeros((2, 3))"),
    ("tensor([1., 2., 3.])", None, "m.tensor([1., 2., 3.])", "m.array([1., 2., 3.])"),
]


def statements(name):
    """(case, statement, names it uses) of what the module has."""
    module = importlib.import_module(name)
    options = {"dtype": module.float32}
    names = {"m": module, "a": module.ones(1, **options), "b": module.ones(1, **options),
             "x": module.ones((4, 4), **options),
             "i": module.array([0, 2]) if name == "numpy" else module.tensor([0, 2])}
    if name == "torch":
        module.set_num_threads(1)
    for case, _, statement, numpy_statement in CASES:
        text = numpy_statement if name == "numpy" else statement
        if text is not None:
            yield case, text, names


def measure(name):
    # Short ones and many: one of them is not interrupted by others.
    number, repeat = 500, 1000
    empty = min(timeit.repeat("pass", number=number, repeat=repeat))
    times = {}
    for case, text, names in statements(name):
        best = min(timeit.repeat(text, globals=names, number=number, repeat=repeat))
        times[case] = (best - empty) / number * 1e9
    program = ("import time; t = time.process_time_ns(); import " + name +
               "; print(time.process_time_ns() - t)")
    with compiled_files() as environment:
        imports = [int(subprocess.run([sys.executable, "-c", program], check=True, env=environment,
                                      stdout=subprocess.PIPE).stdout) for _ in range(6)]
    times["import"] = min(imports[1:])  # the first compiles
    return times


@contextlib.contextmanager
def compiled_files():
    """An environment in which Python keeps what it compiles, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield environment


# Of getppid, which calls nothing and which nothing here calls, valgrind makes a mark.
CALLS = 1000


def loop(name):
    """What is counted, between marks: the import; of each case CALLS calls and twice as many."""
    os.getppid()
    importlib.import_module(name)
    os.getppid()
    for _, text, names in [("", "pass", {}), *statements(name)]:
        timer = timeit.Timer(text, globals=names)
        timer.timeit(CALLS)  # what is made at first calls
        for number in (CALLS, 2 * CALLS):
            os.getppid()
            timer.timeit(number)
        os.getppid()


def count(name):
    from instructions import dumps  # not for loop(), whose import finds what was imported before
    command = [sys.executable, __file__, name, "--loop"]
    with compiled_files() as environment:
        subprocess.run([sys.executable, "-c", "import " + name], check=True, env=environment)
        parts = [n for _, n in dumps(["--dump-before=getppid"], command, environment)]
    # Parts: before the import, the import, then for each case what comes before, and its two loops.
    each = [(twice - once) / CALLS for once, twice in zip(parts[3::3], parts[4::3])]
    cases = [case for case, _, _ in statements(name)]
    return {**{case: n - each[0] for case, n in zip(cases, each[1:])}, "import": parts[1]}


def main():
    name = sys.argv[1]
    if "--loop" in sys.argv:
        loop(name)
        return
    print(json.dumps(count(name) if "--instructions" in sys.argv else measure(name)))


if __name__ == "__main__":
    main()
