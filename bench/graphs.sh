#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches on generated graphs of 100,000 and a million nodes, beside Boost Graph's on the same files: graphs.csv.
set -eu
dir=$WEND_BENCH_OUT
[ -x ./bench_boost ] || { echo 'graphs: Boost Graph was not found by configure (Debian: libboost-graph-dev)' >&2; exit 0; }
rm -f "$dir/graphs.csv"
for nodes in 100000 1000000; do
    ./wend generate graph $nodes --output "$dir/$nodes.gr" >/dev/null
    ./bench_boost "$dir/$nodes.gr" $((4000000 / nodes + 10)) 3 >"$dir/graphs.tmp"
    [ ! -f "$dir/graphs.csv" ] || sed -i 1d "$dir/graphs.tmp"
    sed "s|^$dir/||" "$dir/graphs.tmp" >>"$dir/graphs.csv"
    rm -f "$dir/graphs.tmp" "$dir/$nodes.gr" "$dir/$nodes.co"
done
cat "$dir/graphs.csv"
