"""What calls from Python cost:  python_calls.py MODULE  prints nanoseconds by case, as JSON.

MODULE: switchyard, torch or numpy. A case that the module does not have is left out. "import" is
the CPU time of importing the module in a process of its own.
"""

import importlib
import json
import subprocess
import sys
import timeit

# case, budget in ns (findings of the design), statement, NumPy's where it differs; None: it has none
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


def main():
    name = sys.argv[1]
    module = importlib.import_module(name)
    options = {"dtype": module.float32}
    names = {"m": module, "a": module.ones(1, **options), "b": module.ones(1, **options),
             "x": module.ones((4, 4), **options),
             "i": module.array([0, 2]) if name == "numpy" else module.tensor([0, 2])}
    if name == "torch":
        module.set_num_threads(1)
    number = 20000 if name == "torch" else 100000
    empty = min(timeit.repeat("pass", number=number, repeat=5))
    times = {}
    for case, _, statement, numpy_statement in CASES:
        text = numpy_statement if name == "numpy" else statement
        if text is not None:
            best = min(timeit.repeat(text, globals=names, number=number, repeat=9))
            times[case] = (best - empty) / number * 1e9
    program = ("import time; t = time.process_time_ns(); import " + name +
               "; print(time.process_time_ns() - t)")
    times["import"] = min(int(subprocess.run([sys.executable, "-c", program], check=True,
                                             stdout=subprocess.PIPE).stdout) for _ in range(5))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
