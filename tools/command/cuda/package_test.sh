#!/bin/sh
# switchyard cuda package: what it writes without a device, what it adds to, and what it refuses.
set -eu
command=$1
package=$TEST_TMPDIR/package
export SWITCHYARD_CUDA_CACHE="$TEST_TMPDIR/cache"
fail() {
  echo "failed: $*" >&2
  exit 1
}
# says STATUS TEXT ARGUMENT…: the command ends so, and says that.
says() {
  wanted=$1 text=$2 status=0
  shift 2
  got=$("$command" cuda package "$@" 2>&1) || status=$?
  [ "$status" = "$wanted" ] || fail "status $status for $wanted of $*: $got"
  case $got in *"$text"*) ;; *) fail "no '$text' in: $got" ;; esac
}
files() { find "$package/$1" -name '*.kernel' | wc -l; }

if ! got=$("$command" cuda package "$package" --formula Add --arch sm_90 --arch compute_90 2>&1); then
  case $got in
    *"NVRTC, the CUDA toolkit's run-time compiler, is not installed"*)
      echo "skipped: $got"
      exit 0
      ;;
  esac
  fail "$got"
fi
case $got in *"5 kernels for sm_90 in $package"*"10 compiled"*) ;; *) fail "$got" ;; esac
[ "$(files sm_90)" = 5 ] && [ "$(files compute_90)" = 5 ] || fail "$(find "$package")"
grep -qx 'architectures sm_90 compute_90' "$package/contents.txt" || fail "$(cat "$package/contents.txt")"
head -c 400 "$package"/compute_90/*.kernel | grep -aq 'headers' || fail "a file does not say of what it is"
grep -aq '^.target sm_90' "$package"/compute_90/*.kernel || fail "compute_90 is no PTX"

# For all that the command knows, where none is named: machine code of four architectures, by what
# their ELF header says (its flags' second byte, as CUDA 13's compiler writes it), and PTX.
everything=$TEST_TMPDIR/everything
"$command" cuda package "$everything" --formula Relu > /dev/null
python3 - "$everything" <<'CHECK' || fail "an architecture lacks its code: $(find "$everything")"
import glob, sys
for name in ["sm_80", "sm_89", "sm_90", "sm_100", "compute_100"]:
    files = glob.glob(f"{sys.argv[1]}/{name}/*.kernel")
    assert len(files) == 4, (name, files)
    for file in files:
        image = open(file, "rb").read()
        if name == "compute_100":
            assert b".target sm_100" in image, file
            continue
        elf = image[image.index(b"\x7fELF"):]
        machine, architecture = int.from_bytes(elf[18:20], "little"), elf[49]
        assert (machine, architecture) == (190, int(name[3:])), (file, machine, architecture)
CHECK

# More joins what is there; nothing is compiled twice.
says 0 "5 compiled" "$package" --formula Add --arch sm_80 --arch sm_90
grep -qx 'architectures sm_90 compute_90 sm_80' "$package/contents.txt" || fail "$(cat "$package/contents.txt")"

# What a cache has, for other devices.
"$command" cuda warm --arch sm_90 --formula Relu > /dev/null
says 0 "4 kernels for sm_80" "$package" --like "$SWITCHYARD_CUDA_CACHE" --arch sm_80
[ "$(files sm_80)" = 9 ] || fail "$(find "$package")"
says 0 "0 compiled" "$package" --like "$SWITCHYARD_CUDA_CACHE" --arch sm_90  # taken as they are
[ "$(files sm_90)" = 9 ] || fail "$(find "$package")"
first=$(ls "$SWITCHYARD_CUDA_CACHE" | head -n 1)
LC_ALL=C sed -i 's/^headers [0-8]/headers 9/; t; s/^headers 9/headers 8/' "$SWITCHYARD_CUDA_CACHE/$first"
says 0 "1 kernels are of another version and are left out" "$package" \
  --like "$SWITCHYARD_CUDA_CACHE" --arch sm_80

says 2 "there is no formula 'nothing'" "$package" --formula nothing
says 2 "expected machine code, as sm_90, or PTX, as compute_100, got '90'" "$package" --arch 90
says 2 "'$TEST_TMPDIR/nowhere' is no folder" "$package" --like "$TEST_TMPDIR/nowhere"
sed -i 's/^headers .*/headers 1/' "$package/contents.txt"
says 2 "has kernels of another compiler or of another version" "$package" --formula Add
echo "passed"
