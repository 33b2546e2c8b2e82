"""The backends of this tree. A new one is its folder and a line here."""

BACKENDS = [
    "//backends/cpu",
    "//backends/cuda",
    "//backends/meta",
]

# What they add to the command //tools:switchyard.
COMMANDS = ["//backends/cuda:command"]
