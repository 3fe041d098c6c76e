#!/bin/sh
# SPDX-License-Identifier: MIT
# The playground in a browser, opened as a file.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need node clang wasm-ld python3
need_made
[ -f /usr/lib/wasm32-wasi/libc.a ] || skip 'no wasi-libc here'
wasm=${WEND_WASM-$work}/wend.wasm
[ -n "${WEND_WASM-}" ] || sh "$srcdir/bindings/js/build.sh" "$wasm" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
python3 "$srcdir/bindings/playground/bundle.py" "$wasm" >"$work/playground.html" || exit 1
packed=$(gzip -9 -c "$work/playground.html" | wc -c)
[ "$packed" -lt 1000000 ] || { echo "the playground has $packed bytes, packed"; exit 1; }
sh "$srcdir/tests/server/live/browser.sh" playground "$work/playground.html"
