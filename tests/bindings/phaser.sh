#!/bin/sh
# SPDX-License-Identifier: MIT
# The town of bindings/js/phaser: a Colyseus room with 300 agents, by a client in node. Runs where its packages are
# installed: (cd bindings/js/phaser && npm install).
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need node clang wasm-ld
[ -f /usr/lib/wasm32-wasi/libc.a ] || skip 'no wasi-libc here'
[ -d "$srcdir/bindings/js/phaser/node_modules" ] || skip 'its packages are not installed'
cp -r "$srcdir/bindings/js" "$work/js" && chmod -R u+w "$work/js" || exit 99
sh "$srcdir/bindings/js/build.sh" "$work/js/wend.wasm" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
cd "$work/js/phaser" && exec npm test
