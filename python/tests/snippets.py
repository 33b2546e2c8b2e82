"""The snippets of PyTorch's documents, run with `import switchyard as torch`.

    python3 snippets.py            # counts those that print what the document shows

Files in snippets/ hold cells as the documents have them, in order: code and what it prints, or a
transcript with prompts. The cells of a file share their names, and random numbers go on from cell
to cell. Blank lines are not compared: the documents have lost theirs. DIFFERENT lists what else is
not, cell by cell, and why; a cell that is listed and prints exactly what is shown is a failure too.
"""

import contextlib
import doctest
import importlib.util
import io
import os
import re
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "snippets")


# How outputs are compared where they differ: what is shown and what was printed, line by line.
def numbers(shown, printed):
    """But for numbers: their digits, signs and exponents, infinities and NaN."""
    def masked(text):
        text = text.replace("torch.Tensor", "switchyard.Tensor")
        return re.sub(r"-?(\d[\d.]*(e[-+]\d+)?|\binf\b|\bnan\b)", "#", re.sub(r"[ \n]+", "", text))
    return masked("\n".join(shown)) == masked("\n".join(printed))


def spaces(shown, printed):
    """But for spaces."""
    return "".join("".join(shown).split()) == "".join("".join(printed).split())


def missing(shown, printed):
    """Lines are missing in what is shown."""
    rest = iter(printed)
    return all(line in rest for line in shown)


def no_gpu(shown, printed):
    """As the document says it looks without an accelerator."""
    import switchyard
    if switchyard.accelerator.is_available():
        return numbers(shown, printed)
    return printed == ["Sorry, CPU only."] or printed[0] == "Device: cpu"


class Different:
    """why; how: a comparison from above; error: what the cell ends with; undo: random numbers that
    it takes are given back, because the document's run has not taken them."""

    def __init__(self, why, how=None, error=None, undo=False):
        self.why, self.how, self.error, self.undo = why, how, error, undo


TENSORS = "introduction-to-tensors.txt"
RAISES = "raises, as the text around it says; the document's run has left it out"
DIFFERENT = {
    (TENSORS, 1): Different("the memory is not initialised, and the class is our own", numbers),
    (TENSORS, 4): Different("the memory is not initialised", numbers),
    (TENSORS, 9): Different(RAISES, error=RuntimeError, undo=True),
    (TENSORS, 12): Different(RAISES, error=RuntimeError, undo=True),
    (TENSORS, 13): Different("the document has lost the line 4.0", missing),
    (TENSORS, 14): Different("the document has lost the lines a: and b:", missing),
    (TENSORS, 20): Different("of a machine with an accelerator", no_gpu),
    (TENSORS, 21): Different("of a machine with an accelerator, with other random numbers", no_gpu),
    (TENSORS, 22): Different("of a machine with an accelerator, with other random numbers", no_gpu,
                             undo=True),
    (TENSORS, 24): Different(RAISES, error=RuntimeError, undo=True),
    (TENSORS, 28): Different("the document's run has left it out", missing, undo=True),
    ("torch-package.txt", 0): Different(
        "the document does not show the object that set_grad_enabled() gives at a prompt", missing),
    ("torch.Tensor.index_copy_.txt", 0): Different(
        "printed by an early PyTorch, which left room for signs", spaces),
}
if importlib.util.find_spec("numpy") is None:
    for _number, _error in ((32, ImportError), (33, ImportError), (34, NameError)):
        DIFFERENT[TENSORS, _number] = Different("the cell needs NumPy, which is not here", error=_error)


def fixed(transcript):
    """Lines behind "..." that have lost their indentation get it back."""
    lines, inside = [], False
    for line in transcript.split("\n"):
        if inside and line.startswith("... ") and not line.startswith("...  "):
            line = "...     " + line[4:]
        inside = line.startswith("...") or (line.startswith(">>>") and line.rstrip().endswith(":"))
        lines.append(line)
    return "\n".join(lines)


def cells(path):
    """(kind, code, output) of each cell."""
    with open(path, encoding="utf-8") as f:
        parts = re.split(r"^# %% (code|output|transcript)\n", f.read(), flags=re.M)[1:]
    found = []
    for kind, text in zip(parts[::2], parts[1::2]):
        if kind == "output":
            found[-1] = ("code", found[-1][1], text)
        else:
            found.append((kind, text, ""))
    return found


class Printed:
    """What a cell printed, and what ended it."""

    def __init__(self):
        self.text, self.error = "", None


def run_code(code, names, where):
    out, printed = io.StringIO(), Printed()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, where, "exec"), names)  # noqa: S102
    except Exception as error:  # noqa: BLE001
        printed.error = error
    printed.text = out.getvalue()
    return printed


def run_transcript(text, names, where):
    """The transcript as it comes out, with its prompts."""
    printed, shown = Printed(), []
    for example in doctest.DocTestParser().get_examples(fixed(text)):
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(example.source, where, "single"), names)  # noqa: S102
        except Exception as error:  # noqa: BLE001
            printed.error = error
        shown.append((example.want, out.getvalue()))
    printed.wanted = "".join(w for w, _ in shown)
    printed.text = "".join(s for _, s in shown)
    return printed


def lines(text):
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def run(name):
    """Yields (cell's number, problem or None) of one file."""
    import switchyard
    sys.modules["torch"] = switchyard
    names = {"torch": switchyard}
    switchyard.set_grad_enabled(True)
    for number, (kind, code, output) in enumerate(cells(os.path.join(HERE, name))):
        where = f"{name}[{number}]"
        state = switchyard.get_rng_state()
        if kind == "transcript":
            printed = run_transcript(code, names, where)
            output = printed.wanted
        else:
            printed = run_code(code, names, where)
        known = DIFFERENT.get((name, number), Different(""))
        shown, got = lines(output), lines(printed.text)
        problem = None
        if known.error:
            if not isinstance(printed.error, known.error):
                problem = f"expected {known.error.__name__}, got {printed.error!r}"
        elif printed.error is not None:
            problem = f"{type(printed.error).__name__}: {printed.error}"
        elif got == shown:
            if known.how and known.how is not no_gpu:
                problem = "prints what is shown, and is listed as different"
        elif known.how is None or not known.how(shown, got):
            problem = f"expected:\n{output}\ngot:\n{printed.text}"
        if known.undo:
            switchyard.set_rng_state(state)
        yield number, problem
    switchyard.set_grad_enabled(True)


def files():
    return sorted(f for f in os.listdir(HERE) if f.endswith(".txt"))


def main():
    passed = failed = 0
    for name in files():
        for number, problem in run(name):
            if problem:
                failed += 1
                print(f"{name}[{number}]: {problem}")
            else:
                passed += 1
    print(f"snippets: {passed} passed, {failed} failed, {len(DIFFERENT)} listed as different")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
