#!/bin/sh
# SPDX-License-Identifier: MIT
# Roads, voxels and large grids with landmarks and without: $WEND_BENCH_OUT/kinds.csv (bench-results), and to stdout. Generates roads
# of 100,000 and a million nodes, and grids of 512 to 4,096 cells a side whose landmarks are only made. MOVINGAI=DIR: also
# DIR/voxels/*.3dmap with the queries beside them. QUERIES=N of each map (100); LANDMARKS=N (4); SIDES='512 8192' for other grids.
set -eu
out=${WEND_BENCH_OUT:-bench-results}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
bad=0
measure() { ./bench_kinds "${LANDMARKS:-4}" "$@" >"$work/rows" || bad=1; sed '1{/^map,/d;}' "$work/rows" >>"$out/kinds.csv"; }
echo 'map,cells,landmarks,making_ms,making_ns_per_cell_and_landmark,bytes_per_cell,queries,us_without,expansions_without,us_with,expansions_with,time_ratio,expansion_ratio' >"$out/kinds.csv"
for nodes in 100000 1000000; do
    ./wend generate graph $nodes --output "$work/roads$nodes.gr" >/dev/null
    measure "${QUERIES:-100}" 3 "$work/roads$nodes.gr"
    rm -f "$work"/roads*
done
for side in ${SIDES:-512 1024 2048 4096}; do
    ./wend generate caves "${side}x$side" --output "$work/caves$side.map" >/dev/null
    measure 0 1 "$work/caves$side.map"
    rm -f "$work"/caves*
done
if [ -d "${MOVINGAI:-}/voxels" ]; then
    for map in "$MOVINGAI"/voxels/*.3dmap; do measure "${QUERIES:-100}" 3 "$map"; done
else
    echo 'kinds: no voxels: MOVINGAI=DIR names a folder with voxels/' >&2
fi
cat "$out/kinds.csv"
exit $bad
