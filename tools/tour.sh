#!/bin/sh
# Builds everything on a fresh Debian machine and runs the tour.
set -eu
cd "$(dirname "$0")/.."
tools/setup.sh
bazel build //tools:switchyard //examples/tour
bazel-bin/examples/tour/tour
