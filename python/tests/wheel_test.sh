#!/bin/sh
# Builds the wheel and installs it by pip, without an index: into a new environment that has nothing
# else, where the documents' snippets run and what is opened must lie in the package; and into one
# that has NumPy, where they run again, and, where PyPI can be reached, what test_array_api.py asks
# of hypothesis and array-api-strict. Ends with "wheel: N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
fail() {
  echo "$1"
  echo "wheel: $passed passed, $((failed + 1)) failed"
  exit 1
}
wheel=$(tools/wheel.py "$folder" | tail -n 1) || fail "the wheel was not built"
bare=$folder/bare/bin/python3 numpy=$folder/with_numpy/bin/python3
/usr/bin/python3 -m venv "$folder/bare" || fail "no environment"
/usr/bin/python3 -m venv --system-site-packages "$folder/with_numpy" || fail "no environment"
"$bare" - "$wheel" <<'END' || fail "RECORD is not what the wheel holds"
import base64, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    record = next(n for n in z.namelist() if n.endswith("/RECORD"))
    listed = [line.rsplit(",", 2) for line in z.read(record).decode().splitlines()]
    assert {path for path, _, _ in listed} == set(z.namelist())
    for path, digest, size in listed:
        if digest:
            data = z.read(path)
            found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == ("sha256=" + found, len(data)), path
END
for python in "$bare" "$numpy"; do
  "$python" -m pip install -q --no-index --disable-pip-version-check "$wheel" || fail "no pip"
done
cp -r python/tests/snippets python/tests/snippets.py python/tests/test_array_api.py "$folder/"
cd "$folder" || fail "no folder"
# Products, factorisations, convolutions and special functions open what they are made with.
"$bare" - <<'END' || fail "a library is opened that does not lie in the package"
import os
import switchyard as torch
folder = os.path.dirname(torch.__file__)
x = torch.randn(64, 64)
assert torch.linalg.svdvals(x @ x).shape == (64,)
assert torch.conv2d(torch.ones(8, 16, 32, 32), torch.ones(16, 16, 3, 3)).shape == (8, 16, 30, 30)
assert torch.erfinv(torch.lgamma(torch.rand(1000))).shape == (1000,)
with open("/proc/self/maps", encoding="utf-8") as f:
    opened = {line.split()[-1] for line in f if ".so" in line}
opened = {os.path.realpath(path) for path in opened}
bundled = {name for name in os.listdir(folder) if ".so" in name}
# Of a wheel's own libraries nothing is taken from elsewhere, where files have longer names.
elsewhere = {path for path in opened if os.path.dirname(path) != folder
             and any(os.path.basename(path).startswith(name.split(".so")[0] + ".so")
                     for name in bundled)}
assert not elsewhere, elsewhere
found = {os.path.basename(path) for path in opened if os.path.dirname(path) == folder}
assert found >= {"libopenblas.so.0", "libgfortran.so.5", "libdnnl.so.2", "libgomp.so.1",
                 "libsleef.so.3", "libdeflate.so.0"}, found
END
passed=$((passed + 1))
for python in "$bare" "$numpy"; do
  snippets=$("$python" snippets.py)
  echo "$snippets"
  counts=$(echo "$snippets" | sed -n 's/^snippets: \([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p')
  [ -n "$counts" ] || fail "the snippets did not end"
  passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
done
if "$numpy" -m pip install -q --disable-pip-version-check hypothesis array-api-strict pytest; then
  properties=$("$numpy" -m pytest -q -p no:cacheprovider test_array_api.py) || failed=$((failed + 1))
  echo "$properties"
  n=$(echo "$properties" | tail -n 1 | sed -n 's/.*\b\([0-9][0-9]*\) passed.*/\1/p')
  passed=$((passed + ${n:-0}))
else
  echo "the array API's properties were not run: PyPI has not been reached"
fi
echo "wheel: $passed passed, $failed failed"
