#!/bin/sh
# SPDX-License-Identifier: MIT
# What games really ask, on every map in MOVINGAI=DIR (DIR/maps/*/*.map, DIR/scens/*/*.map.scen): CSV into
# $WEND_BENCH_OUT/real.csv (bench-results), the table of docs/figures/real.md to stdout. `make bench-real` runs it in the build
# folder. QUERIES=N of each map (100); SETS='dao rooms' for some sets only; ROWS, one a line, for some rows only.
set -eu
here=$(dirname "$0")
out=${WEND_BENCH_OUT:-bench-results}
[ -d "${MOVINGAI:-}/maps" ] || { echo 'bench-real: MOVINGAI=DIR names a folder with maps/ and scens/' >&2; exit 2; }
mkdir -p "$out"
begun=$(date +%s)
bad=0
echo 'map,asked,queries,none,wrong,jumps,plain_us,plain_expansions,auto_us,auto_expansions,jump_us,jump_expansions,astar_us,astar_expansions,array_us,array_expansions' >"$out/real.csv"
old_ifs=$IFS
for set in ${SETS:-$(ls "$MOVINGAI/maps")}; do
    for map in "$MOVINGAI/maps/$set"/*.map; do
        scen=$MOVINGAI/scens/$set/$(basename "$map").scen
        echo "== $(basename "$map") ($(($(date +%s) - begun)) s)" >&2
        IFS='
'
        # shellcheck disable=SC2086 # a row a line
        ./bench_real "$map" "$scen" "${QUERIES:-100}" ${ROWS:-} >>"$out/real.csv" || bad=1
        IFS=$old_ifs
    done
done
awk -f "$here/real.awk" "$out/real.csv"
exit $bad
