#!/bin/sh
set -eu
cd "$(dirname "$(readlink -f WORKSPACE)")"
exec python3 tests/faults/hosts/documented_test.py
