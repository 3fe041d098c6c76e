#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the files of bindings that are not written by hand, from the headers; a release has them. Needs
# python3-pycparser, and gcc or clang as `cc`. A file is replaced in one step.
#
#   make.sh [FOLDER]      into FOLDER, or into bindings
#   make.sh --if-older    into bindings, where a file is missing or older than what it is made from
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ "${1-}" = --if-older ]; then
    shift
    cd "$here"
    missing=
    for file in wend.cdef layouts.c ../js/layout.js ../csharp/Native.cs ../rust/wend-sys/src/lib.rs; do
        [ -f "$file" ] || missing=$file
    done
    [ -f api.json ] && [ -z "$missing" ] &&
        [ -z "$(find ../../include ../../src/base/names.h make.sh api.py emit.py -newer api.json)" ] && exit
fi
to=${1:-$here/..}
python=python3
"$python" -c 'import pycparser' 2>/dev/null || python=/usr/bin/python3 # one that was installed beside the system's may lack it
mkdir -p "$to/api" "$to/js" "$to/csharp" "$to/rust/wend-sys/src"
work=$(mktemp -d "$to/api/new.XXXXXX") # in the same file system: a file is replaced in one step
trap 'rm -rf "$work"' EXIT
make_file() { # file, script, its arguments...
    file=$1
    shift
    "$python" "$@" >"$work/file"
    mv "$work/file" "$to/$file"
}
"$python" "$here/api.py" "$here/../../include" >"$work/api.json"
emit() { make_file "$2" "$here/emit.py" "$work/api.json" "$1"; }
emit cdef api/wend.cdef
emit layouts api/layouts.c
emit js js/layout.js
emit cs csharp/Native.cs
emit rs rust/wend-sys/src/lib.rs
mv "$work/api.json" "$to/api/api.json" # last: its time is compared with the headers'
