#!/bin/sh
# SPDX-License-Identifier: MIT
# The crates wend-sys and wend, without a network.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need cargo rustc
need_made
cp -r "$srcdir/bindings/rust" "$work/rust" && chmod -R u+w "$work/rust" && cd "$work/rust" || exit 99
WEND_LIB_DIR=$libs CARGO_TARGET_DIR=$work/target WEND_MAP=$map WEND_MISUSE=$misuse
export WEND_LIB_DIR CARGO_TARGET_DIR WEND_MAP WEND_MISUSE
make_town
printf '%s\n' 'fn main() -> Result<(), wend::Error> {' "$(code_block wend/README.md rust 1)" 'Ok(())' '}' >wend/examples/readme.rs
{
    echo 'fn main() -> wend::Result<()> {'
    code_block wend/README.md rust 2
    echo 'Ok(()) }'
} >wend/examples/walk.rs
cargo build -q --offline --examples >"$work/log" 2>&1 || { cat "$work/log"; bad=$((bad + 1)); }
[ ! -s "$work/log" ] || { cat "$work/log"; bad=$((bad + 1)); }
expect "$hello" "$work/target/debug/examples/hello"
expect "$village" "$work/target/debug/examples/village"
expect "$gate" "$work/target/debug/examples/gate"
expect found env -C "$work" target/debug/examples/readme
expect "$walk" "$work/target/debug/examples/walk"
# The feature `extra` links libwend-extra.
cargo test -q --offline ${WEND_EXTRA:+--features extra} >"$work/log" 2>&1 || { tail -n 30 "$work/log"; bad=$((bad + 1)); }
grep -q '^test result: ok. 16 passed' "$work/log" || { echo 'cargo test did not run 16 cases'; bad=$((bad + 1)); }
if make_calls rust-calls calls.inc.rs; then
    rustc --edition 2021 --crate-type rlib --crate-name wend_sys -L "$libs" wend-sys/src/lib.rs -o "$calls/libwend_sys.rlib" &&
        rustc --edition 2021 -L "$calls" -L "$libs" "$calls/calls.rs" -o "$calls/calls" --extern "wend_sys=$calls/libwend_sys.rlib" ||
        bad=$((bad + 1))
    passes_calls "$calls/calls"
fi
most_lines 15 wend/examples/hello.rs
most_lines 120 wend/examples/village.rs
finish
