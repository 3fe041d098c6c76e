#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that `make bench` measures, in minutes: CSV into $WEND_BENCH_OUT (bench-results), a page of tables as bench.md
# into it, plots beside it (bench-plots). Where given, MOVINGAI names a folder with maps/ and scens/, REFERENCE one with the
# bare loops limit_astar, limit_canonical and limit_jump (called with a map, a scenario and a number of repetitions; they
# print "us_per_query":X), PEERS the benches of other libraries that were built.
set -eu
here=$(dirname "$0")
WEND_BENCH_OUT=${WEND_BENCH_OUT:-bench-results}
mkdir -p "$WEND_BENCH_OUT"
export WEND_BENCH_OUT MOVINGAI REFERENCE PEERS
begun=$(date +%s)
bad=0
say() { echo "== $1 ($(($(date +%s) - begun)) s)" >&2; }
csv() { # name, command...: its table into name.csv
    name=$1
    shift
    say "$name"
    "$@" >"$WEND_BENCH_OUT/$name.csv" || bad=1
}
part() {
    say "$1"
    sh "$here/$1.sh" || bad=1
}
jumps() { # on grounds of wend's own, and on some of the field's
    ./bench_jumps || return 1
    maps=
    for name in cities/Berlin_0_1024 dao/orz900d mazes/maze512-1-0 random/random512-40-0 rooms/8room_000; do
        map=${MOVINGAI:+$MOVINGAI/maps/$name.map}
        [ ! -f "$map" ] || maps="$maps $map"
    done
    [ -z "$maps" ] || ./bench_jumps $maps >"$WEND_BENCH_OUT/jumps.tmp" || return 1
    [ -z "$maps" ] || sed 1d "$WEND_BENCH_OUT/jumps.tmp"
    rm -f "$WEND_BENCH_OUT/jumps.tmp"
}
pull() { # on the field's maps, or on a cave
    set -- "${MOVINGAI:-}"/maps/*/*.map
    [ -f "$1" ] || set -- "$here/../data/caves512.map"
    ./bench_pull 4 "$@"
}
workers() { # of each line that of the three processes whose speed-up is the median: where its memory lies may cost one a quarter
    for i in 1 2 3; do ./bench_workers 2 >"$WEND_BENCH_OUT/workers.tmp$i" || return 1; done
    sed -n 1p "$WEND_BENCH_OUT/workers.tmp1"
    lines=$(wc -l <"$WEND_BENCH_OUT/workers.tmp1")
    for line in $(seq 2 "$lines"); do
        for i in 1 2 3; do sed -n "${line}p" "$WEND_BENCH_OUT/workers.tmp$i"; done |
            awk -F, '{line[NR] = $0; by[NR] = $(NF - 3)}
                END {for (i = 1; i <= 3; i++) {n = 0; for (k = 1; k <= 3; k++) n += by[k] < by[i] || (by[k] == by[i] && k < i); if (n == 1) print line[i]}}'
    done
    rm -f "$WEND_BENCH_OUT"/workers.tmp?
}
expansions() { # of every engine and kind of request, on a cave, voxels and roads
    ./wend generate random 96x96x48 --output "$WEND_BENCH_OUT/noise.tmp.3dmap" || return 1
    ./wend generate graph 100000 --output "$WEND_BENCH_OUT/roads.tmp.gr" || return 1
    ./bench_expansions 10 3 "$here/../data/caves512.map" "$WEND_BENCH_OUT/noise.tmp.3dmap" "$WEND_BENCH_OUT/roads.tmp.gr"
    status=$?
    rm -f "$WEND_BENCH_OUT"/noise.tmp.* "$WEND_BENCH_OUT"/roads.tmp.*
    return $status
}
rm -f "$WEND_BENCH_OUT"/*.csv "$WEND_BENCH_OUT"/*.tmp
[ -n "${MOVINGAI:-}" ] || echo 'bench: no MOVINGAI=DIR, so generated maps' >&2
[ -n "${REFERENCE:-}" ] || echo 'bench: no REFERENCE=DIR, so no ratios to bare loops' >&2
part maps
part table
part peers
part race
part slicing
csv service ./bench_service
csv workers workers
csv expansions expansions
csv edits ./bench_map
csv pull pull
csv walkers ./bench_walkers
csv calls ./bench_calls
csv npcs ./bench_npcs
[ ! -x ./bench_jumps ] || csv jumps jumps
part graphs
say frames
./wend stress "$here/../data/caves512.map" --agents 3000 --scenario bursts --engine astar --csv "$WEND_BENCH_OUT/frames.csv" \
    --log "$WEND_BENCH_OUT/frames.log" >"$WEND_BENCH_OUT/frames.txt" || bad=1
say pedestrians
./wend stress "$here/../data/caves512.map" --walk --agents 2000 --frames 1200 --edits 1 --json >"$WEND_BENCH_OUT/pedestrians.json" || bad=1
part tables
part plots
say 'all done'
exit $bad
