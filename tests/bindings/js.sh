#!/bin/sh
# SPDX-License-Identifier: MIT
# The binding for JavaScript: the library is built as WebAssembly. Where that cannot be, skipped.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need node clang wasm-ld
[ -f /usr/lib/wasm32-wasi/libc.a ] || skip 'no wasi-libc here'
cp -r "$srcdir/bindings/js" "$work/js" && chmod -R u+w "$work/js" || exit 99
sh "$srcdir/bindings/js/build.sh" "$work/js/wend.wasm" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
[ "$(gzip -9 -c "$work/js/wend.wasm" | wc -c)" -lt 600000 ] || { echo 'wend.wasm is large'; bad=$((bad + 1)); }
expect "$hello" node "$work/js/hello.js"
expect "$village" node "$work/js/village.js"
expect "$gate" node "$work/js/gate.js"
passes node "$work/js/test.js" "$map" "$misuse" "$srcdir/bindings/api/api.json"
most_lines 15 "$work/js/hello.js"
most_lines 120 "$work/js/village.js"
finish
