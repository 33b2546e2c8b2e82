#!/bin/sh
# Builds the wheel, unpacks it as an installer would into an environment that has nothing else but
# NumPy, and runs the documents' snippets there. Ends with "wheel: N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wheel=$(tools/wheel.py "$folder" | tail -n 1) || { echo "wheel: 0 passed, 1 failed"; exit 1; }
/usr/bin/python3 -m venv --without-pip --system-site-packages "$folder/environment" || exit 1
python=$folder/environment/bin/python3
site=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
"$python" - "$wheel" "$site" <<'END' || { echo "wheel: 0 passed, 1 failed"; exit 1; }
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
    z.extractall(sys.argv[2])
END
cp -r python/tests/snippets python/tests/snippets.py "$folder/"
cd "$folder" || exit 1
"$python" snippets.py | sed 's/^snippets: \(.*\), [0-9]* listed.*/wheel: \1/'
