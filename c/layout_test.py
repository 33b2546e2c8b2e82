"""The layout of the ABI is that of version 1.0; structs may have grown at their ends.

Arguments: what the layout program prints now, and the frozen text.
"""

import sys
import unittest

# These lie in arrays without a stride or in files, so that they never grow.
NEVER_GROW = {"SyValue", "SyDevice", "SyMeta", "SyNote"}


def read(path):
    with open(path, encoding="utf-8") as f:
        return {line.split()[0]: [int(n) for n in line.split()[1:]] for line in f}


class LayoutTest(unittest.TestCase):
    def setUp(self):
        self.now, self.frozen = read(sys.argv[1]), read(sys.argv[2])

    def test_the_frozen_text_is_there(self):
        self.assertGreater(len(self.frozen), 200)

    def test_fields_and_constants_are_as_they_were(self):
        for name, numbers in self.frozen.items():
            is_size = len(numbers) == 1 and name in {n.split(".")[0] for n in self.frozen if "." in n}
            if is_size and name not in NEVER_GROW:
                self.assertGreaterEqual(self.now.get(name, [0]), numbers, name)
            else:
                self.assertEqual(self.now.get(name), numbers, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
