#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes what is made from the headers again: make.sh [FOLDER], the folder of bindings. Needs python3-pycparser.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
to=${1:-$here/..}
mkdir -p "$to/api" "$to/js" "$to/csharp" "$to/rust/wend-sys/src"
python3 "$here/api.py" "$here/../../include" >"$to/api/api.json"
emit() { python3 "$here/emit.py" "$to/api/api.json" "$1" >"$to/$2"; }
emit cdef api/wend.cdef
emit layouts api/layouts.c
emit js js/layout.js
emit cs csharp/Native.cs
emit rs rust/wend-sys/src/lib.rs
