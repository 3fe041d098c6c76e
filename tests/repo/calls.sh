#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function of the public headers has a row in bench/each_*.c, by which `bench_calls each` times it or says why it does not; and
# no row names a function that is gone.
set -eu
cd "${WEND_SRCDIR:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat include/wend/*.h | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' | grep -oE 'wend_[a-z0-9_]+ *\($' | tr -d ' (' | sort -u >"$work/declared"
cat bench/each_*.c | tr '\n' ' ' | grep -oE '(ROW|ROW_ONCE|IN_EDIT|PENDING|NOT_TIMED)\( *wend_[a-z0-9_]+' | sed 's/.*( *//' | sort -u >"$work/rows"
[ -s "$work/declared" ]
comm -23 "$work/declared" "$work/rows" | sed 's/$/ has no row in bench\/each_*.c/' >"$work/wrong"
comm -13 "$work/declared" "$work/rows" | sed 's/$/ has a row in bench\/each_*.c, but no header declares it/' >>"$work/wrong"
# Each function whose first parameter is an object of libwend is in the table of what debug builds check.
kinds='arena|map|edit|search|service|crowd|bodies|field|figures|scen'
cat include/wend/*.h | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\([^;,()]*' | grep -E "\((const )?wend_($kinds) \*[a-z_]+$" |
    sed -E 's/.*[ *](wend_[a-z0-9_]+)\(.*/\1/' | grep -v '^wend_tiled_' | sort -u >"$work/objects"
sed -nE 's/^    X\([a-z]+, (wend_[a-z0-9_]+)\).*/\1/p' tests/base/life_calls.h | sort -u >"$work/life"
[ -s "$work/objects" ]
comm -3 "$work/objects" "$work/life" | sed 's/$/: in the headers or in tests\/base\/life_calls.h, not in both/' >>"$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]
