#!/bin/sh
# SPDX-License-Identifier: MIT
# The binding for JavaScript: the library is built as WebAssembly. Where that cannot be, skipped.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need node clang wasm-ld
need_made
[ -f /usr/lib/wasm32-wasi/libc.a ] || skip 'no wasi-libc here'
cp -r "$srcdir/bindings/js" "$work/js" && chmod -R u+w "$work/js" || exit 99
if [ -n "${WEND_WASM-}" ]; then # a folder with what build.sh makes
    cp -r "$WEND_WASM" "$work/objects" && mv "$work/objects/wend.wasm" "$work/js/wend.wasm" || exit 99
else
    mkdir "$work/objects"
    "$srcdir/bindings/js/build.sh" "$work/js/wend.wasm" "$work/objects" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
fi
[ "$(gzip -9 -c "$work/js/wend.wasm" | wc -c)" -lt 600000 ] || { echo 'wend.wasm is large'; bad=$((bad + 1)); }
expect "$hello" node "$work/js/hello.js"
expect "$village" node "$work/js/village.js"
expect "$gate" node "$work/js/gate.js"
mkdir "$work/node_modules" && ln -s ../js "$work/node_modules/wend" || exit 99
code_block "$work/js/README.md" js 1 >"$work/readme.mjs"
expect 'found [' sh -c "node '$work/readme.mjs' | head -n 1"
# A map of Tiled, as in the README: its walls are where a tile is.
cp "$srcdir/data/tutorial.tmj" "$work/own.tmj" || exit 99
printf '%s\n' "import { readFileSync } from 'node:fs';" "import { load } from 'wend';" 'const wend = await load();' \
    'function onCreate() {' "$(code_block "$work/js/README.md" js 3)" '}' \
    "const { width: w, height: h } = JSON.parse(readFileSync('own.tmj')).layers[0];" \
    'const map = new wend.Map({ width: w, height: h });' 'onCreate.call({ map });' 'console.log(map.terrain([0, 0]));' >"$work/tiled.mjs"
expect 0 env -C "$work" node tiled.mjs
passes node "$work/js/test.js" "$map" "$misuse" "$srcdir/bindings/api/api.json"
# A save of this machine goes on in WebAssembly, and its frames are the same: a program of its objects, run by node's WASI.
rm "$work/objects/bindings_js_shim.c.o"
cat >"$work/carried.mjs" <<'END'
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const [program, folder] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['carried', '/saves/town.save'], preopens: { '/saves': folder } });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exit(wasi.start(instance));
END
flags="-std=c11 -O1 -I$srcdir/include -I$srcdir/src -I$srcdir/tests"
# shellcheck disable=SC2086 # words
if "${CC:-gcc}" $flags "$srcdir/tests/save/carried.c" "$srcdir/tests/save/save_town.c" "$libs/libwendcore.a" -lm \
        -lpthread -o "$work/carried" &&
    (cd "$work/objects" && clang --target=wasm32-wasi --sysroot=/nowhere -isystem /usr/include/wasm32-wasi $flags \
        -c "$srcdir/tests/save/carried.c" "$srcdir/tests/save/save_town.c") &&
    clang --target=wasm32-wasi --sysroot=/usr -nostdlib /usr/lib/wasm32-wasi/crt1-command.o "$work"/objects/*.o \
        -L/usr/lib/wasm32-wasi -lc "$(clang --print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" \
        -Wl,-z,stack-size=1048576 -Wl,--stack-first -o "$work/carried.wasm"
then
    expect "$("$work/carried" "$work/town.save" write)" node --no-warnings "$work/carried.mjs" "$work/carried.wasm" "$work"
else
    bad=$((bad + 1))
fi
most_lines 15 "$work/js/hello.js"
most_lines 120 "$work/js/village.js"
finish
