#!/bin/sh
# SPDX-License-Identifier: MIT
# Every engine on every map, bare and through the service, and again on the map after 1,000 random edits; beside them, in
# the same minute, the bare loops of $REFERENCE. Two files: table.csv and edited.csv, a line for each map and engine or loop.
# µs a query: bare is search_us of `wend scen --bare`, service its tick_us; edited maps are searched bare by bench_table.
set -eu
dir=$WEND_BENCH_OUT
data=${MOVINGAI:-$dir/own}
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" | tail -n 1; }
engines=
for engine in astar jump auto; do
    if ./wend scen --engine $engine --json "$(dirname "$0")/../data/tiny.map.scen" >/dev/null 2>&1; then
        engines="$engines $engine"
    else
        echo "table: no engine $engine here" >&2
    fi
done
loops=
for loop in limit_astar limit_canonical limit_jump; do
    [ -n "${REFERENCE:-}" ] || break
    if [ -x "$REFERENCE/$loop" ]; then loops="$loops $loop"; else echo "table: no $REFERENCE/$loop" >&2; fi
done
bytes_of() { awk -F, -v engine="$1" '$1 == engine {print $5}' "$dir/held.tmp"; }
scen() { # engine, figure, options: queries, µs and expansions a query
    ./wend scen --maps "$data/maps" --engine "$1" --repeat 3 --json $3 "$scen" >"$dir/scen.tmp" || exit 1
    awk -v q="$(field queries <"$dir/scen.tmp")" -v us="$(field "$2" <"$dir/scen.tmp")" \
        -v n="$(field expansions <"$dir/scen.tmp")" 'BEGIN {printf "%d %.3f %.1f\n", q, us / q, n / q}'
}
loop_row() { # loop, map, scenario, row of which map
    "$REFERENCE/$1" "$2" "$3" 3 >"$dir/loop.tmp"
    echo "$4,$1,$(field queries <"$dir/loop.tmp"),$(field expansions_per_query <"$dir/loop.tmp"),$(field us_per_query <"$dir/loop.tmp"),,"
}
head='set,map,engine,queries,expansions_a_query,bare_us,service_us,most_bytes'
echo "$head" >"$dir/table.csv"
echo "$head" >"$dir/edited.csv"
for scen in "$data"/scens/*/*.scen; do
    name=${scen#"$data"/scens/}
    name=${name%.map.scen}
    map=$data/maps/$name.map row=${name%%/*},${name##*/}
    ./bench_table run "$map" "$scen" 0 1 >"$dir/held.tmp" || exit 1
    for loop in $loops; do loop_row "$loop" "$map" "$scen" "$row"; done >>"$dir/table.csv"
    for engine in $engines; do
        bare=$(scen $engine search_us --bare)
        service=$(scen $engine tick_us '')
        echo "$bare $service" | awk -v row="$row,$engine" -v bytes="$(bytes_of $engine)" '{
            print row "," $1 "," $3 "," $2 "," $5 "," bytes}'
    done >>"$dir/table.csv"
    ./bench_table run "$map" "$scen" 1000 3 "$dir/edited" >"$dir/held.tmp" || exit 1
    awk -F, -v row="$row" 'NR > 1 {print row "," $1 "," $2 "," $4 "," $3 ",," $5}' "$dir/held.tmp" >>"$dir/edited.csv"
    for loop in $loops; do
        loop_row "$loop" "$dir/edited.map" "$dir/edited.map.scen" "$row"
    done >>"$dir/edited.csv"
done
rm -f "$dir"/*.tmp "$dir"/edited.map*
