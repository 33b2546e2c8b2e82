"""guide.py PREFIX CASES: does what docs/write-a-backend.md says, as its reader would, in an empty folder.

PREFIX: an installation; CASES: a folder of reference cases. Blocks of code are taken in order:

  sh                  is run, with PREFIX and CASES replaced, where the one before has ended; a comment behind a
                      command must stand in the output, and the command must succeed
  <!-- write: F -->   before a block: its text becomes the file F
  <!-- not run -->    before a block of sh: for the reader of this tree alone

Ends with "guide: N passed, N failed"; what fails is shown, and nothing after it is tried.
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^(?P<marks>(?:<!-- [^>]* -->\n)*)```(?P<language>\w+)\n(?P<text>.*?)^```$", re.S | re.M)
WRITE = re.compile(r"<!-- write: (\S+) -->")
SAYS = re.compile(r"\s{2,}# (.*)$")


def commands(text):
    """The commands of a block, each with what it must say, or None."""
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        says = SAYS.search(line)
        command = SAYS.sub("", line).strip()
        if command and not command.startswith("#"):
            yield command, says.group(1) if says else None


class Reader:
    def __init__(self, prefix, cases, folder):
        self.folder, self.passed = folder, 0
        self.words = {"PREFIX": prefix, "CASES": cases}
        self.environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}

    def run(self, command, says, line):
        for word, value in self.words.items():
            command = re.sub(rf"\b{word}\b", value, command)
        state = f"{command}\nstatus=$?\npwd > '{self.folder}/.where'\nexit $status\n"
        done = subprocess.run(["bash", "-c", state], cwd=self.where(), env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        wrong = f"status {done.returncode}" if done.returncode != 0 else ""
        if says and says not in done.stdout:
            wrong += f" it does not say: {says}"
        print(f"{'FAILED' if wrong else 'ok    '} line {line}: {command}")
        if wrong:
            print(f"{wrong}\n{done.stdout[-4000:]}")
            return False
        self.passed += 1
        return True

    def where(self):
        path = f"{self.folder}/.where"
        if not os.path.exists(path):
            return self.folder
        with open(path, encoding="utf-8") as f:
            return f.read().strip()

    def write(self, name, text):
        path = os.path.join(self.where(), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


def main():
    prefix, cases = (os.path.abspath(a) for a in sys.argv[1:3])
    guide = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/write-a-backend.md")
    with open(guide, encoding="utf-8") as f:
        text = f.read()
    os.umask(0o022)  # a plugin that others may write is refused
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(prefix, cases, folder)
        failed = 0
        for block in BLOCK.finditer(text):
            write = WRITE.search(block["marks"])
            line = text[: block.start("text")].count("\n") + 1
            if write:
                reader.write(write.group(1), block["text"])
            elif block["language"] == "sh" and "<!-- not run -->" not in block["marks"]:
                if not all(reader.run(command, says, line) for command, says in commands(block["text"])):
                    failed = 1
                    break
        print(f"guide: {reader.passed} passed, {failed} failed")
    return failed or (0 if reader.passed > 10 else 1)


sys.exit(main())
