#!/bin/sh
set -eu
cd "$(dirname "$(readlink -f WORKSPACE)")"
exec python3 tests/docs/docs_test.py
