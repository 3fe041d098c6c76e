#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public function has a caller: an example, a program, a binding's wrapper, or an entry to a competition. One that nobody
# calls goes.
set -u
cd "${WEND_SRCDIR:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat include/wend/*.h | grep -v '#define WEND_API' | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' |
    sed -E 's/.*[ *](wend_[a-z_0-9]+)\(/\1/' | sort -u >"$work/functions"
find examples server lab src/cli ground extra bench/gppc bindings/godot -name '*.[ch]' >"$work/files"
ls include/wend/wend.hpp bindings/js/wend.js bindings/js/shim.c bindings/python/src/wend/__init__.py bindings/luajit/wend.lua \
    bindings/csharp/Wend.cs bindings/rust/wend/src/lib.rs >>"$work/files"
xargs grep -ohE 'wend_[a-z_0-9]+' <"$work/files" | sort -u >"$work/called"
comm -23 "$work/functions" "$work/called" >"$work/alone"
sed 's/$/(): nobody calls it/' "$work/alone"
echo "$(wc -l <"$work/functions") functions"
[ "$(wc -l <"$work/functions")" -gt 200 ] && [ ! -s "$work/alone" ]
