"""Writes a C program that prints the layout of everything in the headers of the plugin ABI.

The header's structs have one field a line, so that reading them takes no parser of C. What the
program prints is compared with plugin_layout_v1.txt, frozen with version 1.0, and with those of
later versions.
"""

import re
import sys

def structs(text):
    """(name, [field]) of every struct that has a body."""
    for body, name in re.findall(r"struct \w+ \{\n(.*?)\n\}(?: (\w+))?;", text, re.S):
        tag = name or re.search(r"struct (\w+) \{\n" + re.escape(body), text).group(1)
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        body = re.sub(r"union \{.*?\} (\w+);", r"int \1;", body, flags=re.S)
        fields = []
        for declaration in body.split(";"):
            declaration = " ".join(declaration.split())
            if not declaration:
                continue
            function = re.search(r"\(\*(\w+)\)", declaration)
            plain = re.search(r"(\w+)(\[[^\]]*\])?$", declaration)
            fields.append((function or plain).group(1))
        yield tag, fields


def constants(text):
    for body in re.findall(r"enum \{(.*?)\};", re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.S):
        for item in body.split(","):
            yield item.split("=")[0].strip()
    for name in re.findall(r"#define (SY_MIN_\w+|SY_ABI_MAJOR|SY_NOTE_TYPE) \d+", text):
        yield name


def main():
    text = ""
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            text += f.read()
    out = ["#include <stdio.h>", '#include "switchyard/c/plugin.h"', "int main(void) {"]
    for name in constants(text):
        out.append(f'  printf("{name} %lld\\n", (long long){name});')
    for tag, fields in structs(text):
        out.append(f'  printf("{tag} %zu\\n", sizeof(struct {tag}));')
        for field in fields:
            out.append(
                f'  printf("{tag}.{field} %zu %zu\\n", offsetof(struct {tag}, {field}), '
                f"sizeof(((struct {tag}*)0)->{field}));"
            )
    out.append("  return 0;\n}")
    print("\n".join(out))


if __name__ == "__main__":
    main()
