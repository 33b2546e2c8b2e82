"""Instructions a call, by case, compared with a baseline.

  instructions.py PROGRAM BASELINE          fails where a case takes 5 % more than its line in the baseline
  instructions.py PROGRAM BASELINE --write  writes the baseline anew

PROGRAM is bench/instructions.cc with cases linked in; valgrind counts, so that the numbers repeat.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

CALLS = 100  # kIterations in instructions.cc
TOLERANCE = 1.05


def dumps(options, command, environment=None):
    """(text, instructions) of each of callgrind's dumps while the command runs, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", *options,
                        f"--callgrind-out-file={folder}/out", *command],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                       env=environment)
        for path in sorted(glob.glob(f"{folder}/out.*"), key=lambda p: int(p.rsplit(".", 1)[1])):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            yield text, int(re.search(r"^(?:totals|summary): (\d+)", text, re.M).group(1))


def count(program):
    counts = {}
    for text, total in dumps(["--collect-atstart=no"], [program]):
        case = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        if case:
            counts[case.group(1)] = round(total / CALLS)
    return counts


def main():
    program, baseline = sys.argv[1:3]
    counts = count(os.path.abspath(program))
    if "--write" in sys.argv:
        with open(baseline, "w", encoding="utf-8") as f:
            f.writelines(f"{n:6} {case}\n" for case, n in counts.items())
        print(open(baseline, encoding="utf-8").read(), end="")
        return 0
    with open(baseline, encoding="utf-8") as f:
        expected = {line[7:].strip(): int(line[:6]) for line in f}
    bad = [f"{case}: {counts.get(case)} instructions, the baseline says {n}"
           for case, n in expected.items() if not 0 < counts.get(case, 0) <= n * TOLERANCE]
    bad += [f"{case}: not in the baseline" for case in counts if case not in expected]
    print("\n".join(bad or [f"{len(counts)} cases as in the baseline"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
