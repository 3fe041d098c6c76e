#!/bin/sh
# SPDX-License-Identifier: MIT
# What game programmers link today, on six maps, the same random pairs for all: µs a path, the best of three turns for each
# (libtcod: of one). peers.csv. Where the MovingAI benchmarks are not there, or lack a map, one is generated in its place.
set -eu
dir=$WEND_BENCH_OUT
[ -n "${PEERS:-}" ] || echo 'peers: neither Detour nor libtcod found by configure (Debian: librecast-dev, libtcod-dev)' >&2
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" | tail -n 1; }
own() { # original's name, own map
    found=
    for file in ${MOVINGAI:+"$MOVINGAI"/maps/*/"$1".map}; do [ ! -f "$file" ] || found=$file; done
    echo "${found:-$dir/own/maps/$2.map}"
}
wend() { # row, engine, figure, options
    ./wend scen --maps "$(dirname "$map")" --engine "$2" --repeat 3 --json $4 "$dir/peers.scen" >"$dir/peers.tmp" || exit 1
    echo "$1,$(awk -v q="$(field queries <"$dir/peers.tmp")" -v us="$(field "$3" <"$dir/peers.tmp")" \
        'BEGIN {printf "%d,%d,%.3f", q, q, us / q}')"
}
echo 'map,program,queries,found,us' >"$dir/peers.csv"
for map in "$dir/own/maps/rooms/rooms-512.map" "$dir/own/maps/random/random-20-512.map" \
    "$dir/own/maps/mazes/maze-512.map" "$(own AR0603SR caves/caves512)" "$(own brc202d city/city-512)" \
    "$(own orz900d caves/caves-1024)"; do
    name=$(basename "$map" .map)
    ./bench_table pairs "$map" 100 "$dir/peers.scen"
    wend "$name,wend A*" astar search_us --bare
    wend "$name,wend jump" jump search_us '--bare --landmarks 0'
    wend "$name,wend jump+4" jump search_us --bare
    wend "$name,wend auto" auto search_us --bare
    wend "$name,wend auto through the service" auto tick_us ''
    for peer in ${PEERS:-}; do
        turns=3
        [ "$peer" != bench_tcod ] || turns=1
        ./$peer "$map" "$dir/peers.scen" $turns >"$dir/peers.tmp" || exit 1
        echo "$name,${peer#bench_},$(field queries <"$dir/peers.tmp"),$(field found <"$dir/peers.tmp"),$(field us_per_query <"$dir/peers.tmp")"
    done
done >>"$dir/peers.csv"
rm -f "$dir/peers.tmp" "$dir/peers.scen"
