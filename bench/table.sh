#!/bin/sh
# SPDX-License-Identifier: MIT
# Every engine on every map, bare and through the service, and again on the map after 1,000 random edits; beside them, in
# the same minute, the bare loops of $REFERENCE. Two files: table.csv and edited.csv, a line for each map and engine or loop.
# And blocked.csv: what landmarks are worth when 1,000 cells have been blocked since. jump has no landmarks, jump+N goes by N; auto is as `wend scen` has it.
# µs a query, in CPU time. bare_us: the best of three turns for each query, one right after the other, timed one by one;
# the loops and bench_table do that alike. scen_us: search_us of `wend scen --bare`, which repeats short queries more often.
# service_us: tick_us of `wend scen`, all queries in one go, the best of as many goes as take about 20 ms, at least 3 and at
# most 40. After many goes the processor knows the branches of a hundred short queries by heart: this is a steady figure, and
# a lower bound. service3_us: the best of three goes in a process of its own, near to what queries take that it has never
# seen. For loops service_us is the mean of four goes after the first one, one turn a query: to be held against service3_us.
# Where a go through all queries takes less than 2 ms processes differ by a quarter, and for loops bare_us does as well:
# there these are medians of five processes.
# batch_us: see bench_table.c.
set -eu
dir=$WEND_BENCH_OUT
data=${MOVINGAI:-$dir/own}
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" | tail -n 1; }
options() { # engine: as `wend scen` is told of it
    case $1 in
    jump) echo --engine jump --landmarks 0 ;;
    jump+*) echo --engine jump --landmarks "${1#*+}" ;;
    *) echo --engine "$1" ;;
    esac
}
engines=
for engine in astar jump jump+4 jump+8 auto; do
    if ./wend scen $(options $engine) --json "$(dirname "$0")/../data/tiny.map.scen" >/dev/null 2>&1; then
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
per_query() { # engine, figure, repetitions, options: µs a query
    ./wend scen --maps "$data/maps" $(options "$1") --repeat "$3" --json $4 "$scen" >"$dir/scen.tmp" || exit 1
    awk -v q="$(field queries <"$dir/scen.tmp")" -v us="$(field "$2" <"$dir/scen.tmp")" 'BEGIN {printf "%.3f", us / q}'
}
short() { # µs a query, queries: does a go take less than 2 ms?
    awk -v us="$1" -v queries="$2" 'BEGIN {exit us * queries < 2000 ? 0 : 1}'
}
steady() { # who says how many queries, what prints µs a query: that figure, or of short goes the median of five
    queries_of=$dir/$1.tmp
    shift
    figure=$("$@")
    short "$figure" "$(field queries <"$queries_of")" || { echo "$figure"; return; }
    { echo "$figure"; for i in 1 2 3 4; do "$@" && echo; done } | grep . | sort -n | awk '{at[NR] = $1} END {if (NR < 5) exit 1; print at[3]}'
}
goes() { # µs a query, queries: how many, after three of them
    awk -v us="$1" -v queries="$2" 'BEGIN {us *= queries; n = us > 0 ? 20000 / us : 40; print (n < 3 ? 3 : n > 40 ? 40 : int(n + 0.999))}'
}
loop_bare() { # loop, map, scenario
    "$REFERENCE/$1" "$2" "$3" 3 >"$dir/loop.tmp" && field us_per_query <"$dir/loop.tmp"
}
loop_go() { # loop, map, scenario: goes after the first find their memory touched already
    for i in 1 2 3 4 5; do cat "$3"; done >"$dir/five.tmp"
    once=$("$REFERENCE/$1" "$2" "$3" 1 | field us_per_query)
    "$REFERENCE/$1" "$2" "$dir/five.tmp" 1 | field us_per_query | awk -v once="$once" '{printf "%.3f", (5 * $1 - once) / 4}'
}
loop_row() { # loop, map, scenario, row of which map, and in goes or not
    go=
    bare=$(steady loop loop_bare "$1" "$2" "$3")
    if [ "$5" = go ] && [ "$1" != limit_astar ]; then go=$(steady loop loop_go "$1" "$2" "$3"); fi
    echo "$4,$1,$(field queries <"$dir/loop.tmp"),$(field expansions_per_query <"$dir/loop.tmp"),$bare,,$go,,,,"
}
held() { # row of which map: what bench_table says, a line an engine
    awk -F, -v row="$1" 'NR > 1 {print row "," $1 "," $2 "," $4 "," $3 ",,," $5 "," $7 ",," $6}' "$dir/held.tmp"
}
head='set,map,engine,queries,expansions_a_query,bare_us,scen_us,service_us,most_bytes,landmarks,service3_us,batch_us'
echo "$head" >"$dir/table.csv"
echo "$head" >"$dir/edited.csv"
echo "$head" >"$dir/blocked.csv"
for scen in "$data"/scens/*/*.scen; do
    name=${scen#"$data"/scens/}
    name=${name%.map.scen}
    map=$data/maps/$name.map row=${name%%/*},${name##*/}
    for loop in $loops; do loop_row "$loop" "$map" "$scen" "$row" go; done >>"$dir/table.csv"
    ./bench_table run "$map" "$scen" 0 3 >"$dir/held.tmp" || exit 1
    held "$row" | grep ',astar plain,' >>"$dir/table.csv"
    for engine in $engines; do
        bare=$(per_query $engine search_us 3 --bare)
        three=$(steady scen per_query $engine tick_us 3 '')
        service=$three
        count=$(goes "$three" "$(field queries <"$dir/scen.tmp")")
        [ "$count" -eq 3 ] || service=$(per_query $engine tick_us "$count" '')
        held "$row" | awk -F, -v engine=$engine -v bare="$bare" -v service="$service" -v three="$three" \
            'BEGIN {OFS = ","} $3 == engine {$7 = bare; $8 = service; $11 = three; print}'
    done >>"$dir/table.csv"
    ./bench_table run "$map" "$scen" 1000 3 "$dir/edited" >"$dir/held.tmp" || exit 1
    held "$row" >>"$dir/edited.csv"
    ./bench_table run "$map" "$scen" -1000 3 >"$dir/held.tmp" || exit 1
    held "$row" >>"$dir/blocked.csv"
    for loop in $loops; do
        loop_row "$loop" "$dir/edited.map" "$dir/edited.map.scen" "$row" once
    done >>"$dir/edited.csv"
done
rm -f "$dir"/*.tmp "$dir"/edited.map*
