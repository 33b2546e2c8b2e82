#!/bin/sh
set -eu
exec python3 bench/instructions.py "$1" bench/instructions.txt
