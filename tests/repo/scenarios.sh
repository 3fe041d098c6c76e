#!/bin/sh
# SPDX-License-Identifier: MIT
# Every query of a folder of MovingAI benchmarks through the service, by each engine, at each size of slices, with each
# number of workers: no length but the published one, and for one engine always as many expansions. Run it where `wend`
# is built.
#
#   sh tests/repo/scenarios.sh FOLDER [ENGINE...]     FOLDER has maps/ and scens/; astar, jump and auto where none is named;
#                                                SLICES and WORKERS in the environment say less or more
set -u
[ $# -gt 0 ] || { echo 'scenarios: which folder?' >&2; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || set -- astar jump auto
slices=${SLICES:-1 7 64 1000 100000} workers=${WORKERS:-0 1 3}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
failed=0 runs=0
complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/last"; }

for engine do
    expected=
    for slice in $slices; do
        for count in $workers; do
            ./wend scen --maps "$folder/maps" "$folder"/scens/*/*.scen --engine "$engine" --slice "$slice" --workers "$count" \
                --json >"$work/out" 2>"$work/err" || complain "$engine, slices of $slice, $count workers: exit $?: $(tail -n 1 "$work/err")"
            runs=$((runs + 1))
            tail -n 1 "$work/out" >"$work/last"
            [ "$(number mismatches)" = 0 ] || complain "$engine, slices of $slice, $count workers: $(cat "$work/last")"
            grep -q '"queries":[1-9]' "$work/last" || complain "$engine, slices of $slice, $count workers: no queries"
            # file by file: what was spent
            sed 's/,"search_us".*//' "$work/out" >"$work/spent"
            [ -n "$expected" ] || cp "$work/spent" "$work/first"
            expected=${expected:-$(number expansions)}
            cmp -s "$work/spent" "$work/first" ||
                complain "$engine, slices of $slice, $count workers: $(number expansions) expansions, not $expected"
        done
    done
    echo "$engine: $(number queries) queries, $expected expansions"
done
echo "$runs runs, $failed failed"
[ "$failed" -eq 0 ]
