#!/bin/sh
# SPDX-License-Identifier: MIT
# A* on the MovingAI benchmarks: µs a query bare and through the service, against a bare flat-array loop measured in the
# same run. MOVINGAI names a folder with maps/ and scens/, REFERENCE one with the loop's program `limit_canonical`, which
# generates canonical successors as wend does (it is called with a map and a scenario, and prints "us_per_query":X);
# without it there are no ratios. Limits, geometric means: 1.05 times the loop's time bare, 1.3 through the service.
set -eu
dir=${WEND_BENCH_OUT:-.}
if [ -z "${MOVINGAI:-}" ]; then
    echo 'reference: no MOVINGAI=DIR, nothing to measure' >&2
    exit 0
fi
loop=${REFERENCE:+$REFERENCE/limit_canonical}
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" | tail -n 1; }
per_query() { # field, options
    ./wend scen --maps "$MOVINGAI/maps" --engine astar --repeat 3 --json $2 "$scen" >"$dir/reference.tmp" || exit 1
    queries=$(field queries <"$dir/reference.tmp")
    echo "$(field "$1" <"$dir/reference.tmp") $queries" | awk '{printf "%.3f", $1 / $2}'
}
echo 'map,loop_us,bare_us,service_us,bare_ratio,service_ratio' | tee "$dir/reference.csv"
for scen in "$MOVINGAI"/scens/*/*.scen; do
    name=${scen#"$MOVINGAI"/scens/}
    name=${name%.map.scen}
    us=0
    [ -z "$loop" ] || us=$("$loop" "$MOVINGAI/maps/$name.map" "$scen" 3 | field us_per_query)
    bare=$(per_query search_us --bare)
    service=$(per_query tick_us '')
    echo "$name $us $bare $service" | awk '{
        bare = service = ""
        if ($2 > 0) {
            bare = sprintf("%.3f", $3 / $2)
            service = sprintf("%.3f", $4 / $2)
        }
        print $1 "," $2 "," $3 "," $4 "," bare "," service
    }'
done | tee -a "$dir/reference.csv"
rm -f "$dir/reference.tmp"
[ -n "$loop" ] || exit 0
awk -F, 'NR > 1 {bare += log($5); service += log($6); n++}
    END {
        if (n == 0) exit 1
        printf "geometric mean over %d maps: bare %.3f, through the service %.3f\n", n, exp(bare / n), exp(service / n)
        exit !(exp(bare / n) <= 1.05 && exp(service / n) <= 1.3)
    }' "$dir/reference.csv"
