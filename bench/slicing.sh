#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions of one search in slices, against the same in one piece. Limit: 3 % at 64 expansions.
set -eu
command -v valgrind >/dev/null || { echo 'slicing: valgrind is not installed' >&2; exit 0; }
dir=$WEND_BENCH_OUT
program=./bench_slicing
count() {
    ./libtool --mode=execute valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        --toggle-collect=wend_search_step $program "$1" 2>&1 >/dev/null | sed -n 's/.*refs: *//p' | tr -d ,
}
whole=$(count 0)
[ "$whole" -gt 0 ] || { echo 'slicing: nothing was counted' >&2; exit 1; }
echo 'slice,instructions,ratio' >"$dir/slicing.csv"
worst=0
for slice in 7 64 250 1000; do
    n=$(count $slice)
    echo "$slice $n $whole" | awk '{printf "%d,%d,%.4f\n", $1, $2, $2 / $3}' >>"$dir/slicing.csv"
    [ $slice = 64 ] && worst=$n
done
echo "$worst $whole" | awk '{exit !($1 <= 1.03 * $2)}' || { echo 'slicing: more than 3 % at 64' >&2; exit 1; }
