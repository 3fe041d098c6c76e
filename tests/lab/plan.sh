#!/bin/sh
# SPDX-License-Identifier: MIT
# wend plan: its figures, the C text that it prints, what it refuses.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server extra

caves=$data/caves512.map

# What it prints as C compiles, and says the same as the JSON.
expect 0 plan "$caves" --agents 60 --hz 20
[ ! -s "$work/err" ] || complain "words where none belong: $(cat "$work/err")"
expect_c_text() { # condition
    {
        printf '#include <wend/service_tuning.h>\n#include <wend/wend.h>\nint main(void) {\n'
        sed -n '/^wend_service_def def;$/,$p' "$work/out"
        printf 'return wend_service_bytes(&def) > 0 && budget.expansions > 0 && %s ? 0 : 1;\n}\n' "$1"
    } >"$work/plan.c"
    ${CC:-cc} -Wall -Wextra -Werror -I"$srcdir/include" -c "$work/plan.c" -o "$work/plan.o" || complain 'the C text does not compile'
}
expect_c_text 1
for words in 'nine tenths of the budget, [0-9,]*, fail' 'a frame at p99' 'chokepoints' 'hard ways'; do
    grep -q "$words" "$work/out" || complain "the table says nothing like '$words'"
done
cp "$work/out" "$work/table"
expect 0 plan --json "$caves" --agents=60 --hz=20
[ "$(wc -l <"$work/out")" -eq 1 ] || complain 'the JSON is not one line'
in_table() { sed -n "s/^$1 = \([0-9]*\);/\1/p" "$work/table"; }
in_json() { sed "s/.*\"def\":{\([^}]*\)}.*/\1/" "$work/out" | tr ',' '\n' | sed -n "s/\"$1\"://p"; }
for name in queue nodes max_path_cells; do
    [ "$(in_table "def.$name")" = "$(in_json $name)" ] || complain "$name: table and JSON differ"
done
[ "$(in_table tuning.lanes)" = "$(in_json lanes)" ] || complain 'lanes: table and JSON differ'
budget=$(sed 's/{"budget":\([0-9]*\),.*/\1/' "$work/out")
[ "$(in_table budget.expansions)" = "$budget" ] || complain 'the budget differs in table and JSON'
grep -q "\"nine_tenths_budget\":$((budget * 9 / 10)),\"nine_tenths_holds\":false" "$work/out" || complain 'nine tenths did not fail'
for words in '"us":[0-9]' '"service_bytes":[0-9]' '"latency_frames":{"p50":[0-9]*,"p99":[12],"max":[0-9]*}' '","holds":true,' \
    '"asks":0.5,' '"within_ms":100,"within_frames":2,' '"chokepoints":\[{"cell":\[[0-9]*,[0-9]*\],"width":[0-9]*,"paths":[0-9]*}'; do
    grep -q "$words" "$work/out" || complain "the JSON has no $words: $(cat "$work/out")"
done
# A longer wait needs no more; a wish twice as large needs more. The same budget comes each time.
expect 0 plan "$caves" --agents 60 --hz 20 --within 1000 --json
[ "$(sed 's/{"budget":\([0-9]*\),.*/\1/' "$work/out")" -le "$budget" ] || complain 'patient agents need more'
expect 0 plan "$caves" --agents 60 --hz 20 --asks 5 --json
[ "$(sed 's/{"budget":\([0-9]*\),.*/\1/' "$work/out")" -gt "$budget" ] || complain 'ten times the requests need no more'
# Every kind of map, and standard input.
expect 0 plan "$data/tiny.3dmap" --agents 3 --hz 5 --json
expect_field within_ms 200
expect 0 plan "$data/roads.gr" --agents 3 --hz 20 --asks 5 --json
expect 0 plan "$data/tutorial.tmj" --agents 3 --hz 20 --asks 5 --walk --distance 3 --json
grep -q '"crowd_bytes":[1-9][0-9]*,"crowd_us":[0-9]*,"crowd_def":{"agents":3,"path_bytes":1536}' "$work/out" ||
    complain "no crowd: $(cat "$work/out")"
grep -q '"jam_updates":[1-9][0-9]*,"jam_waits":[0-9]*,"jams":\[' "$work/out" || complain "no jams: $(cat "$work/out")"
grep -q '"stand_updates":{"p50":[0-5],"p99":[0-9]*,"max":[0-9]*}' "$work/out" || complain "no waits: $(cat "$work/out")"
expect 0 plan "$data/tutorial.tmj" --agents 3 --hz 20 --asks 5 --walk --distance 3
grep -q '^longest waits of a walker for a path, in updates: p50 [0-5], ' "$work/out" || complain 'the table has no waits'
expect_c_text 'crowd.agents == 3 && crowd.path_bytes == 1536'
input=$data/tiny.map expect 0 plan - --agents 3 --hz 20 --asks 5 --json

# The answer is no.
expect 1 plan "$caves" --agents 10 --hz 20 --within 49
grep -q 'no budget holds: an answer takes a frame at least, 50 ms at 20 Hz' "$work/err" || complain "says $(cat "$work/err")"
expect 1 plan "$caves" --agents 10 --hz 20 --within 49 --json
grep -q '^{"budget":null,.*"holds":false,"why":"an answer takes a frame' "$work/out" || complain "prints $(cat "$work/out")"
expect 1 plan "$caves" --agents 5000 --hz 1000 --asks 100 --distance 200 --json
grep -q '"holds":false,"why":"[a-z]' "$work/out" || complain "500 requests a millisecond: $(cat "$work/out")"

# Bad usage and input.
expect_refused 'which map' plan --agents 3 --hz 20
expect_refused 'how many agents' plan "$caves" --hz 20
expect_refused 'how many frames' plan "$caves" --agents 3
expect_refused 'agents is a whole number from 1 to 1000000' plan "$caves" --agents 0 --hz 20
expect_refused 'hz is a whole number from 1 to 1000' plan "$caves" --agents 3 --hz 1001
expect_refused 'at most once a frame' plan "$caves" --agents 3 --hz 20 --asks 20.001
expect_refused 'the map is 512 x 512' plan "$caves" --agents 3 --hz 20 --distance 512
expect_refused 'this is a graph' plan "$data/roads.gr" --agents 3 --hz 20 --distance 2
expect_refused 'nowhere' plan "$work/nowhere.map" --agents 3 --hz 20
printf 'grid 3 1\nset 1,0 blocked\n' >"$work/apart"
expect_refused 'no two cells are connected' plan "$work/apart" --agents 3 --hz 20
printf 'grid 3 1\n' >"$work/narrow"
expect_refused 'no free cell for agent 4 of 5' plan "$work/narrow" --agents 5 --hz 20 --walk

# A recording: a script with requests. The door at 20,9 is on all ways; an edit of a later frame is left out.
awk 'BEGIN {
    print "grid 40 20\nrecording\nlimit queue 5\nfill 20,0 20,19 blocked\nset 20,9 open\npublish\nprepare"
    for (i = 0; i < 100; i++) {
        printf "request %d %d,%d %d,%d urgency=%d%s\n", i, i % 20, i % 17, 21 + i % 19, i % 13, i % 3,
            i % 10 == 0 ? " mode=nearest" : ""
        if (i % 4 == 3) print "frame 1 budget=100"
        if (i == 50) print "set 20,9 blocked\npublish"
    }
}' >"$work/recording"
expect 0 plan "$work/recording" --hz 20 --json
grep -q '"frames":25,"requests":100,"recorded":100,"left_out":1,' "$work/out" || complain "recorded: $(cat "$work/out")"
grep -q '"chokepoints":\[{"cell":\[20,9\],"width":1,"paths":100}' "$work/out" || complain "the door: $(cat "$work/out")"
grep -q '"nine_tenths_holds":false,.*,"holds":true' "$work/out" || complain "recorded, nine tenths: $(cat "$work/out")"
grep -q '1 lines are left out' "$work/err" || complain "says nothing of the edit: $(cat "$work/err")"
expect 0 plan "$work/recording" --hz 20
grep -q '^a recording at 20 Hz: 100 requests in 25 frames' "$work/out" || complain "recorded: $(head -n 1 "$work/out")"
expect 0 plan "$work/recording" --hz 20 --agents 50 --asks 4 --json
expect_field recorded 100
grep -q '"frames":200,"requests":2000,' "$work/out" || complain "drawn from a recording: $(cat "$work/out")"
expect_refused 'walk: a recording has its own' plan "$work/recording" --hz 20 --walk
expect_refused 'distance: a recording has its own' plan "$work/recording" --hz 20 --agents 3 --distance 5
printf 'grid 3 1\nrequest a 0,0 1\n' >"$work/broken"
expect_refused 'broken:2:15: a cell is X,Y' plan "$work/broken" --hz 20
printf 'grid 3 1\nset 3,0 blocked\nrequest a 0,0 1,0\n' >"$work/broken"
expect_refused 'broken:2:5: the cell 3,0 is not on the map' plan "$work/broken" --hz 20
printf 'grid 3 1\nrequest a 0,0 3,0\nframe\n' >"$work/broken"
expect_refused 'no request of it can be asked' plan "$work/broken" --hz 20
printf 'recording\nscript map1.wend\nscript map2.wend\n1 40\nframe\n' >"$work/two"
expect_refused 'a recording of several maps' plan "$work/two" --hz 20

# Runs with too small a budget end while requests are pending.
expect 0 plan "$srcdir/tests/server/run/scripts/goal.wend" --hz 20 --json
grep -q '"requests":2,"recorded":2,"left_out":4,' "$work/out" || complain "pending: $(cat "$work/out")"

# Edits before the first frame are in the map that is planned for.
printf 'grid 9 2\nrequest a 0,0 8,0\nset 4,0 blocked\nframe\n' >"$work/early"
expect 0 plan "$work/early" --hz 20 --json
grep -q '"left_out":0,.*"most_expansions":14' "$work/out" || complain "an early edit: $(cat "$work/out")"

# A script with agents is run whole: orders, routes and doors. Where a gate closes, they search again.
market=$srcdir/examples/market.wend
expect 0 plan "$market" --hz 20 --json
[ ! -s "$work/err" ] || complain "words where none belong: $(cat "$work/err")"
grep -q '"crowd_def":{"agents":11,"path_bytes":[0-9]*},.*"nine_tenths_holds":false,.*"holds":true' "$work/out" ||
    complain "a market: $(cat "$work/out")"
with_gate=$(field requests)
grep -v '^fill 9,4 9,5 blocked' "$market" >"$work/open"
expect 0 plan "$work/open" --hz 20 --walk --json
[ "$(field requests)" -le "$with_gate" ] || complain "a gate that closes: $with_gate requests, without it $(field requests)"
expect 0 run "$market" --record "$work/market"
expect 0 plan "$work/market" --hz 20 --json
grep -q '"crowd_def":{"agents":11,.*"nine_tenths_holds":false,.*"holds":true' "$work/out" || complain "a recorded market: $(cat "$work/out")"
expect 0 plan "$market" --hz 20
expect_c_text 'crowd.agents == 11'
grep -q '^a recording of 11 agents at 20 Hz: ' "$work/out" || complain "a market: $(head -n 1 "$work/out")"
expect_refused 'agents: a recording of agents has its own' plan "$market" --hz 20 --agents 3
expect_refused 'distance: a recording of agents has its own' plan "$market" --hz 20 --distance 3
printf 'grid 4 4\nagent a 0,0\ngo a to 9,9\nframe 3\n' >"$work/broken"
expect_refused 'broken:3:9: the cell 9,9 is not on the map' plan "$work/broken" --hz 20
printf 'grid 4 4\nagent a 0,0\nframe 3\n' >"$work/idle"
expect_refused 'it asks for no path' plan "$work/idle" --hz 20
printf 'grid 4 4\nroute r loop 0,0 3,0 3,3\nagent a 0,0\ntake a r\nframe 60\nexpect a found\n' >"$work/expects"
expect_refused 'never requested' plan "$work/expects" --hz 20
finish
