#!/bin/sh
# Builds the tour, with all operators and backends, on a fresh Debian machine and runs it.
set -eu
cd "$(dirname "$0")/.."
tools/setup.sh
bazel build //examples/tour
bazel-bin/examples/tour/tour
