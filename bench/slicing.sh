#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions of one search in slices, against the same in one piece, by engine. Limit: 3 % at 64 expansions.
set -eu
command -v valgrind >/dev/null || { echo 'slicing: valgrind is not installed' >&2; exit 0; }
dir=$WEND_BENCH_OUT
program=./bench_slicing
count() { # slice, jump or nothing
    ./libtool --mode=execute valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        --toggle-collect=wend_search_step $program $1 ${2:-} 2>&1 >/dev/null | sed -n 's/.*refs: *//p' | tr -d ,
}
echo 'engine,slice,instructions,ratio' >"$dir/slicing.csv"
for engine in '' jump; do
    whole=$(count 0 $engine)
    [ "${whole:-0}" -gt 0 ] || { echo 'slicing: nothing was counted' >&2; exit 1; }
    for slice in 7 64 250 1000; do
        echo "${engine:-astar} $slice $(count $slice $engine) $whole" |
            awk '{printf "%s,%d,%d,%.4f\n", $1, $2, $3, $3 / $4}' >>"$dir/slicing.csv"
    done
done
awk -F, '$2 == 64 && $4 > 1.03 {print "slicing: " $1 ": more than 3 % at 64"; bad = 1} END {exit bad}' "$dir/slicing.csv" >&2
