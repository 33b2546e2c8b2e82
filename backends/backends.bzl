"""The backends of this tree. A new one is its folder and a line here."""

BACKENDS = [
    "//backends/cpu",
    "//backends/cuda",
    "//backends/meta",
]

# In builds with sanitizers, which are about values, threads and plugins: cuda takes long to compile,
# and is there as where it cannot be built, by name.
SANITIZED_BACKENDS = [
    "//backends/cpu",
    "//backends/cuda:missing",
    "//backends/meta",
]
