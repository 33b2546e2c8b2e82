"""The layout of the ABI is that of every version so far; structs may have grown at their ends.

Arguments: what the layout program prints now, and the frozen texts, that of 1.0 first.
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
        self.now, self.frozen = read(sys.argv[1]), [read(path) for path in sys.argv[2:]]

    def test_the_frozen_texts_are_there_each_longer_than_the_one_before(self):
        lengths = [len(text) for text in self.frozen]
        self.assertGreater(lengths[0], 200)
        self.assertEqual(lengths, sorted(set(lengths)))

    def test_the_last_frozen_text_knows_all_there_is(self):
        self.assertEqual(self.now.keys(), self.frozen[-1].keys())

    def test_fields_and_constants_are_as_they_were(self):
        for text in self.frozen:
            self.compare(text)

    def compare(self, frozen):
        structs = {name.split(".")[0] for name in frozen if "." in name}
        for name, numbers in frozen.items():
            is_size = len(numbers) == 1 and name in structs
            if is_size and name not in NEVER_GROW:
                self.assertGreaterEqual(self.now.get(name, [0]), numbers, name)
            else:
                self.assertEqual(self.now.get(name), numbers, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
