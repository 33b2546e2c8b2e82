"""What a program opens, by what strace has seen of it:  opens.py SECURITY_MD TRACE FOLDER…

Every path is one that docs/security.md lists or lies in a FOLDER, which the program was given; none
is written, and there is no connection and no other process.
"""

import fnmatch
import re
import sys

CALL = re.compile(r'^\d*\s*(\w+)\((.*)$')
OPENING = {"open", "openat", "openat2", "creat"}
# Calls with a path that open nothing.
ASKING = {"stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
          "readlinkat", "statfs", "getcwd", "fstat", "fstatfs"}
ASKING |= {"memfd_create"}  # no file: what becomes of it is seen when it is opened


def listed(document):
    with open(document, encoding="utf-8") as f:
        part = f.read().split("\n## Files\n")[1].split("What is written")[0]
    return [m for line in part.splitlines() if line.startswith("| `")
            for m in re.findall(r"`([^`]+)`", line.split("|")[1])]


def main():
    patterns, trace, folders = listed(sys.argv[1]), sys.argv[2], sys.argv[3:]
    problems, opened = [], set()
    first = True
    with open(trace, encoding="utf-8") as f:
        for line in f:
            match = CALL.match(line)
            if match is None:
                continue
            name, rest = match.groups()
            if name in ASKING or " = -1 ENOENT" in line and name in OPENING and ".so" in line:
                continue
            if name == "execve" and first:
                first = False
                continue
            path = re.search(r'"([^"]*)"', rest)
            if name not in OPENING or path is None:
                problems.append(line.strip())
                continue
            opened.add(path.group(1))
            if re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest):
                problems.append("written: " + line.strip())
            known = any(fnmatch.fnmatchcase(path.group(1), p) for p in patterns)
            if not known and not any(path.group(1).startswith(f) for f in folders):
                problems.append("not listed: " + line.strip())
            if not path.group(1).startswith("/"):
                problems.append("relative: " + line.strip())
    if len(opened) < 3:
        problems.append(f"the trace shows too little: {opened}")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
