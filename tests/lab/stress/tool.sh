#!/bin/sh
# SPDX-License-Identifier: MIT
# wend stress: every scenario keeps every promise, the same command gives the same hash, and options say what is wrong.
set -u
source=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
. "$source/tests/repo/needs.sh"
needs server extra
cd "${WEND_BUILDDIR:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
wend=${WEND_PROGRAMS:-$PWD}/wend

# 96 x 80 cells: a wall with gaps every eighth row, swamp, and a room without a door.
awk 'BEGIN {
    print "type octile"; print "height 80"; print "width 96"; print "map"
    for (y = 0; y < 80; y++) {
        line = ""
        for (x = 0; x < 96; x++) {
            c = "."
            if (y % 8 == 4 && (x * 5 + y) % 17 > 1) c = "@"
            if (x % 11 == 3 && y % 3 == 0) c = "T"
            if (x > 60 && y > 60) c = "S"
            if (x >= 10 && x <= 20 && y >= 50 && y <= 58) c = (x == 10 || x == 20 || y == 50 || y == 58) ? "@" : "."
            line = line c
        }
        print line
    }
}' >"$work/map" || exit 99
printf 'Rows 3\nColumns 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n' >"$work/open"
printf 'Rows 2\nColumns 2\n1 1\n1 1\n' >"$work/blocked"
printf 'Rows 1\nColumns 1\n0\n' >"$work/one"

failed=0
few_or_many() { if [ -n "${WEND_LONG:-}" ]; then echo "$2"; else echo "$1"; fi; }
complain() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}
stress() { "$wend" stress "$@" --json >"$work/out" 2>"$work/err"; }
number() { # field, or field_p50, field_p99, field_max
    case $1 in
    *_p50 | *_p99 | *_max) sed -n "s/.*\"${1%_*}\":{[^}]*\"${1##*_}\":\([0-9]*\).*/\1/p" "$work/out" ;;
    *) sed -n "s/.*[{,]\"$1\":\([0-9]*\).*/\1/p" "$work/out" ;;
    esac
}
hash() { sed -n 's/.*"hash":"\([0-9a-f]\{16\}\)".*/\1/p' "$work/out"; }

expect_kept() { # option...
    stress "$@"
    status=$?
    [ "$status" -eq 0 ] || complain "$*: exit $status: $(cat "$work/err")"
    grep -q '"violations":0,' "$work/out" || complain "$*: violations"
    [ "$(number accepted)" = "$(number completed)" ] || complain "$*: $(number accepted) accepted, $(number completed) completed"
    [ "$(number allocations_after_create)" = 0 ] || complain "$*: allocations"
    echo "$*: $(number accepted) accepted, $(number found) found, hash $(hash)"
}
expect_more() { # field least
    [ "$(number "$1")" -ge "$2" ] || complain "$1 is $(number "$1"), not at least $2"
}

expect_edits() { # option...: many edits; what they lead to must have happened, and have been judged
    expect_kept "$@"
    expect_more epochs 10
    for promise in versions editing memory; do
        ! grep -q "\"$promise\":{\"checked\":0," "$work/out" || complain "$*: $promise was never checked"
    done
    judged=$(sed -n 's/.*"no_way":{"checked":\([0-9]*\),.*/\1/p' "$work/out")
    said=$(sed -n 's/.*"statuses":{[^}]*"no_path":\([0-9]*\),.*/\1/p' "$work/out")
    [ "${judged:-none}" = "${said:-0}" ] || complain "$*: $said times no_path, $judged of them judged"
    echo "    $(number edits) cells, $(number checks) checks, $(number outdated) outdated, $(number retired) retired, \
$(number stale) stale, $said no_path, $(number goal_blocked) goal_blocked, map $(number map_bytes_peak) bytes"
}

for scenario in even bursts urgent-stream crowded far tight walls; do
    expect_kept "$work/map" --agents 300 --frames 120 --budget 100 --slice 10 --scenario "$scenario" --engine jump
    expect_kept "$work/map" --agents 300 --frames 120 --budget 400 --slice 30 --scenario "$scenario" --engine astar
    expect_more found 300
    [ "$(number max_frame_expansions)" -le 400 ] || complain "$scenario: a frame of $(number max_frame_expansions)"
    [ "$scenario" != crowded ] || expect_more busy 1
    [ "$scenario" != tight ] || expect_more evictions 1
done
for engine in astar jump; do
    expect_kept "$work/map" --agents 300 --frames 120 --budget 400 --slice 30 --scenario rivals --engine $engine --cancels 2 --edits 10
    expect_more replaced 300
    expect_more cancelled 100
done

# Scenarios with promises of their own, each of which must have been looked at.
expect_load() { # promises option...
    promises=$1
    shift
    expect_kept "$@"
    for promise in $promises fair_wait; do
        grep -q "\"$promise\":{\"checked\":[1-9]" "$work/out" || complain "$*: $promise was never checked"
    done
}
set -- "$work/map" --agents 300 --budget 400 --slice 30 --lanes 8
expect_load burst_ends "$@" --scenario burst
[ "$(number asking_frames)" = 1 ] || complain 'a burst that asks in more than one frame'
[ "$(number accepted)" = 300 ] || complain "a burst of $(number accepted) requests"
expect_load 'horde_cost horde_spent' "$work/map" --agents 1000 --budget 400 --slice 30 --lanes 8 --scenario horde --frames 150
[ "$(number lone_expansions)" -gt $(($(number horde_expansions) * 3)) ] || complain 'a horde does not share'
expect_more flood_cells 5000
expect_load siege_restarts "$@" --scenario siege --frames 150
expect_more outdated 20
expect_load 'islands_free islands_delay' "$@" --scenario islands --frames 150
expect_more no_path 100
expect_load clicks_stop "$@" --scenario clicks --frames 220
expect_more cancelled 1000
expect_load pursuit_moves "$@" --scenario pursuit --frames 150
for rush in '--lanes 4' '--lanes 16'; do # a single urgent search among others has nearly the whole budget
    # shellcheck disable=SC2086 # two words
    expect_load overload_urgent "$source/data/caves512.map" --scenario overload --frames 100 --budget 4000 --slice 60 $rush
done
expect_load 'overload_spent overload_memory overload_first overload_urgent' "$source/data/caves512.map" --scenario overload --frames 200
expect_more busy 20000
expect_more urgent_latency_frames_max 1
[ "$(number asking_frames)" = 200 ] || complain 'overload: --frames is not taken'
loaded=$(hash)
expect_kept "$source/data/caves512.map" --scenario overload --frames 200 --workers 2
[ "$(hash)" = "$loaded" ] || complain "overload, 2 workers: hash $(hash), not $loaded"

# Every kind of map: voxels, a graph, a grid and voxels with links and closed steps; still and edited.
"$wend" generate caves 24x20x8 --seed 2 --output "$work/caves.3dmap" || complain 'generate caves'
"$wend" generate graph 400 --seed 3 --output "$work/roads.gr" || complain 'generate graph'
world() { # first line, suffix of each cell...: ground, links and closed steps that lead one way, and a thin wall
    echo "$1"
    z=${2:-}
    echo "fill 10,0$z 10,19$z blocked"
    echo "fill 20,0$z 20,19$z blocked"
    echo "fill 12,3$z 16,9$z 3"
    for y in 3 7 13; do echo "link 9,$y$z 21,$y$z $((y * 30))"; done
    for y in 2 11 17; do echo "link 21,$y$z 11,$y$z 40"; done
    echo "link 19,5$z 2,2$z 17"
    echo "fill 10,15$z 10,15$z open"
    echo "fill 24,14$z 29,14$z blocked"
    echo "fill 24,14$z 24,19$z blocked"
    echo "link 22,17$z 27,17$z 9"
    for y in 0 1 2 3 4 5 6 7 8; do echo "step 4,$y$z 5,$y$z blocked"; done
    for x in 11 12 13 14 15 16 17; do
        echo "step $x,14$z $x,15$z blocked"
        echo "step $x,15$z $x,14$z blocked"
    done
}
world 'grid 30 20' >"$work/doors.wend"
world 'voxels 30 20 3' ,1 >"$work/floors.wend"
seed=7
for name in caves.3dmap roads.gr doors.wend floors.wend; do
    for scenario in even tight walls rivals horde siege clicks pursuit; do
        seed=$((seed + 1))
        expect_kept "$work/$name" --agents 60 --frames 101 --budget 2000 --scenario $scenario --seed $seed
    done
    expect_edits "$work/$name" --agents 60 --frames 101 --budget 2000 --scenario far --edits 10 --seed 4
    edited=$(hash)
    expect_kept "$work/$name" --agents 60 --frames 101 --budget 2000 --scenario far --edits 10 --seed 4 --workers 1
    [ "$(hash)" = "$edited" ] || complain "$name: hash $(hash) with a worker, $edited without"
    expect_kept "$work/$name" --agents 40 --frames 60 --scenario far --edits 4 --record "$work/kind.wend"
    played=$("$wend" run "$work/kind.wend" --hash 2>&1 | tail -n 1)
    case $played in *"$(hash)"*) ;; *) complain "$name: played back: $played, not $(hash)" ;; esac
    ! grep -q '"optimum":{"checked":0,' "$work/out" || complain "$name: no path was compared with Dijkstra"
done
expect_kept "$work/doors.wend" --agents 100 --frames 101 --scenario far
expect_more no_path 1 # out of the room into which a link leads
for name in caves.3dmap roads.gr doors.wend floors.wend; do
    for edits in 0 3; do
        stress "$work/$name" --walk --agents 25 --frames 60 --edits $edits || complain "$name, walk: exit $?: $(cat "$work/err")"
        expect_more arrived 5
        [ "$(number violations)" = 0 ] || complain "$name, walk: violations"
    done
done

# Agents that walk: nobody shares a cell, and all get where they want, with doors that open and close.
expect_walk() { # option...
    stress "$@"
    status=$?
    [ "$status" -eq 0 ] || complain "$*: exit $status: $(cat "$work/err")"
    grep -q '"overlaps":0,"illegal_steps":0,"violations":0,' "$work/out" || complain "$*: violations"
    [ "$(number allocations_after_create)" = 0 ] || complain "$*: allocations"
    [ $(($(number arrived) * 100)) -ge $(($(number wishes) * 99)) ] || complain "$*: $(number arrived) of $(number wishes) wishes met"
    [ "$(number unfinished)" = 0 ] || complain "$*: $(number unfinished) wishes have no end"
    echo "$*: $(number wishes) wishes, $(number arrived) arrived, $(number steps) steps, hash $(hash)"
}
expect_walk "$work/map" --walk --agents 300 --frames 200
expect_more wishes 500
expect_more steps 3000
walked=$(hash)
for workers in 1 3; do
    expect_walk "$work/map" --walk --agents 300 --frames 200 --workers $workers
    [ "$(hash)" = "$walked" ] || complain "agents that walk, $workers workers: hash $(hash), not $walked"
done
# A link that costs less than a straight step and the step behind it begin in one frame.
printf 'grid 20 20\nfill 10,0 10,18 blocked\nlink 9,1 11,1 1\nlink 12,1 2,2 1\n' >"$work/links.wend"
stress "$work/links.wend" --walk --agents 30 --frames 200 --edits 2 || complain "cheap links: exit $?: $(cat "$work/err")"
# Bodies: no two touch, none is on a wall, all goals end, with any number of workers; nothing is allocated as they go.
for share in 100 50; do
    walked=
    for workers in 0 1 3; do
        stress "$work/map" --radius 0.4 --bodies $share --agents 150 --frames 200 --workers $workers ||
            complain "bodies: exit $?: $(cat "$work/err")"
        [ "$(number violations)" = 0 ] || complain "$share % bodies: violations"
        grep -q '"left_behind":{"checked":[1-9]' "$work/out" || complain "$share % bodies: nobody is alone"
        [ "$(number allocations_after_create)" = 0 ] || complain "$share % bodies: allocations"
        [ "$(number unfinished)" = 0 ] || complain "$share % bodies: $(number unfinished) goals have no end"
        [ "$(hash)" = "${walked:-$(hash)}" ] || complain "$share % bodies, $workers workers: hash $(hash), not $walked"
        walked=$(hash)
    done
done
# The pedestrians: half of them arrive in at most one and a half times the time of a walker alone.
expect_walk "$source/data/caves512.map" --scenario crowd --agents "$(few_or_many 700 2000)" --frames "$(few_or_many 75 150)" --edits 1
ratio=$(sed -n 's/.*"time_ratio":{"p50":\([0-9]*\)\.\([0-9]*\),.*/\1\2/p' "$work/out")
[ "${ratio:-9999}" -le 1500 ] || complain "pedestrians: $ratio thousandths of the lone walker's time"
expect_walk "$work/map" --scenario crowd --agents 200 --frames 200 --edits 2
expect_more doors_changed 100
for rules in '--corners one' '--corners always' '--neighbours 4' '--cost 1000,1414' '--engine astar'; do
    # shellcheck disable=SC2086 # two words
    expect_walk "$work/map" --walk --agents 200 --frames 100 $rules --edits 1
done

for rules in '--corners never' '--corners one' '--corners always' '--neighbours 4' '--cost 1000,1414' '--cost 5,5'; do
    # shellcheck disable=SC2086 # two words
    expect_kept "$work/map" --agents 300 --frames 60 --budget 300 --slice 25 $rules --cancels 1 --unreachable 10 --same-goal 10
    expect_more cancelled 50
    expect_more no_path 1
done
expect_kept "$work/map" --agents 50 --frames 30 --budget 1 --seed 3
expect_kept "$work/map" --agents 40 --frames 30 --budget 900 --lanes 1 --slice 1
expect_kept "$work/map" --agents 200 --frames 40 --budget 7000 --lanes 64 --slice 50
expect_kept "$work/map" --agents 100 --frames 50 --budget-us 2000
grep -q '"budget":null,"budget_us":2000,' "$work/out" || complain 'a budget of time is not told'
expect_kept "$work/one" --agents 3 --frames 20 --seed 5
expect_more found 3
expect_kept "$work/open" --agents 5 --frames 20 --cancels 5
expect_more cancelled 1

# Edits in flight: a small soak. Of all that they lead to something has to happen.
expect_edits "$work/map" --agents 400 --frames 400 --budget 1000 --slice 100 --edits 30 --cancels 2 --unreachable 5 --scenario walls \
    --engine astar
for field in checks outdated retired stale no_path goal_blocked cancelled; do expect_more $field 20; done
expect_more found 2000
expect_edits "$work/map" --agents 400 --frames 400 --budget 120 --slice 10 --edits 30 --cancels 2 --unreachable 5 --scenario walls --engine jump
for field in checks outdated stale no_path cancelled; do expect_more $field 20; done
expect_more found 500
expect_edits "$work/map" --agents 300 --frames 100 --budget 500 --slice 30 --edits 1 --unreachable 5 --scenario far
expect_edits "$work/map" --agents 300 --frames 60 --budget 500 --slice 30 --edits 100000 --scenario far
asking=$(few_or_many 120 300)
for scenario in even bursts urgent-stream crowded far tight; do
    expect_edits "$work/map" --agents "$asking" --frames 60 --budget 400 --slice 30 --edits 20 --cancels 1 --scenario "$scenario"
done
for rules in '--corners one' '--corners always' '--neighbours 4' '--cost 5,5' '--cost 1000,1414'; do
    # shellcheck disable=SC2086 # two words
    expect_edits "$work/map" --agents "$asking" --frames 60 --budget 500 --slice 30 $rules --edits 20 --scenario far
done
expect_edits "$work/map" --agents 200 --frames 60 --budget-us 300 --edits 20 --scenario far
expect_edits "$work/open" --agents 5 --frames 60 --edits 3
expect_kept "$work/one" --agents 3 --frames 20 --edits 5
[ "$(number edits)" = 0 ] || complain 'a cell on which agents stand was changed'
expect_kept "$work/map" --agents 100 --frames 30 --scenario walls --edits 0
[ "$(number epochs)" = 0 ] || complain 'edits where none were asked for'

# The same wishes, edits and settings, the same bytes; another seed, others.
set -- "$work/map" --agents 200 --frames 100 --budget 500 --cancels 1 --edits 20
expect_kept "$@" --log "$work/log1"
first=$(hash)
expect_kept "$@" --log "$work/log2"
[ -n "$first" ] && [ "$(hash)" = "$first" ] || complain "with edits: hash $(hash) after $first"
cmp "$work/log1" "$work/log2" || complain 'two logs with edits differ'
expect_kept "$@" --seed 2
[ "$(hash)" != "$first" ] || complain 'with edits: another seed, the same hash'

# Whoever runs the lanes, the same bytes; and the same as ever: a change of this number is a change of answers.
golden=2f8136726b850a19
for workers in 0 1 3 8 64; do
    expect_kept "$work/map" --agents 300 --frames 60 --budget 3000 --edits 20 --cancels 2 --scenario far --engine astar --workers $workers
    [ "$(hash)" = $golden ] || complain "$workers workers: hash $(hash), not $golden"
    slices=$(sed -n 's/.*"worker_slices":\[\([0-9,]*\)\].*/\1/p' "$work/out")
    [ "$(echo "$slices" | tr ',' '\n' | wc -l)" -eq $((workers + 1)) ] || complain "$workers workers: slices $slices"
    sum=$((0 + $(echo "$slices" | sed 's/,/+/g')))
    [ "$sum" -eq "${all_slices:=$sum}" ] || complain "$workers workers: $sum slices, not $all_slices"
done

# Jump search likewise, where only walls come and go. Its number changes whenever it expands other cells, and so more or
# fewer of them in a frame.
golden=76985f97fbb1af3a
for workers in 0 1 3 8; do
    expect_kept "$work/map" --agents 300 --frames 60 --budget 1000 --slice 60 --edits 20 --cancels 2 --scenario walls \
        --engine jump --workers $workers
    [ "$(hash)" = $golden ] || complain "jump search, $workers workers: hash $(hash), not $golden"
done
for workers in 0 3; do # left to itself it takes jump search too, here for all
    expect_kept "$work/map" --agents 300 --frames 60 --budget 1000 --slice 60 --edits 20 --cancels 2 --scenario walls \
        --workers $workers
    [ "$(hash)" = $golden ] || complain "auto, $workers workers: hash $(hash), not $golden"
done
# Where edits bring slow ground and take it away again both engines answer.
for workers in 0 3; do
    for engine in auto jump; do
        expect_kept "$work/map" --agents 300 --frames 40 --budget 1000 --edits 1 --cancels 1 --scenario far --seed 2 --engine $engine \
            --workers $workers
        [ "$(hash)" = "${both:=$(hash)}" ] || complain "$engine, $workers workers: hash $(hash), not $both"
    done
done
stress "$work/map" --agents 300 --frames 40 --budget 1000 --edits 1 --cancels 1 --scenario far --seed 2 --engine astar
[ "$(hash)" != "$both" ] || complain 'A* and both engines have the same hash: jump search was not taken'
stress "$work/map" --agents 300 --frames 60 --budget 1000 --slice 60 --edits 20 --cancels 2 --scenario walls --engine astar
[ "$(hash)" != $golden ] || complain 'A* and jump search have the same hash: jump search was not taken'

# Without edits too.
set -- "$work/map" --agents 200 --frames 100 --budget 500 --cancels 1
expect_kept "$@" --log "$work/log1" --csv "$work/csv"
first=$(hash)
expect_kept "$@" --log "$work/log2"
[ -n "$first" ] && [ "$(hash)" = "$first" ] || complain "hash $(hash) after $first"
cmp "$work/log1" "$work/log2" || complain 'two logs differ'
[ "$(grep -c '^done,' "$work/log1")" = "$(number completed)" ] || complain 'a log without every completion'
[ "$(grep -c '^frame,' "$work/log1")" = "$(number frames)" ] || complain 'a log without every frame'
[ "$(wc -l <"$work/csv")" -eq "$(($(number frames) + 1))" ] || complain 'a CSV file without every frame'
expect_kept "$@" --seed 2
[ "$(hash)" != "$first" ] || complain 'another seed, the same hash'

# Agents that all go to one goal start from home again: only a first path may lead from the goal to itself.
expect_kept "$work/map" --agents 40 --frames 300 --budget 20000 --same-goal 100
expect_more path_cells_p50 20
expect_kept "$work/map" --agents 40 --frames 300 --budget 20000 --same-goal 100 --edits 5
expect_more path_cells_p50 20
# What a frame takes has the edits before it in it.
expect_kept "$work/map" --agents 10 --frames 20 --edits 2000
for key in frame_us frame_cpu_us tick_us tick_cpu_us edit_us path_cells path_expansions; do
    grep -q "\"$key\":{\"p50\":[0-9]*,\"p99\":[0-9]*,\(\"p999\":[0-9]*,\)\{0,1\}\"max\":[0-9]*}" "$work/out" || complain "no $key"
done
expect_more edit_us_p50 1
[ "$(number frame_cpu_us_p50)" -ge "$(number tick_cpu_us_p50)" ] || complain 'a frame takes less processor time than its tick'
[ "$(number frame_us_p50)" -ge "$(number edit_us_p50)" ] || complain 'a frame takes less than the edits before it'
expect_kept "$work/map" --agents 10 --frames 20
[ "$(number edit_us_max)" = 0 ] || complain 'edits that took time, and were none'

# A file that cannot be written is known before the first of many frames.
for walk in '' --walk; do
    # shellcheck disable=SC2086 # no word where it is empty
    ./wend stress "$work/map" --frames 1000000000 $walk --csv "$work/no/frames.csv" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'no/frames.csv: No such file' "$work/err" || complain "no csv: $(cat "$work/err")"
done

# A trace has each frame, slice and completion.
expect_kept "$work/map" --agents 100 --frames 60 --budget 500 --slice 50 --workers 1 --trace "$work/trace"
traced=$(hash)
expect_kept "$work/map" --agents 100 --frames 60 --budget 500 --slice 50
[ "$(hash)" = "$traced" ] || complain "a trace changes the answers: hash $traced, not $(hash)"
[ "$(grep -c '"pid":1,"tid":0,.*"name":"frame ' "$work/trace")" = "$(number frames)" ] || complain 'a trace without every frame'
for phase in intake rounds delivery; do
    [ "$(grep -c "\"pid\":1,\"tid\":1,.*\"name\":\"$phase\"" "$work/trace")" = "$(number frames)" ] || complain "a trace: $phase"
done
[ "$(grep -c '"ph":"i"' "$work/trace")" = "$(number completed)" ] || complain 'a trace without every completion'
slices=$(sed -n 's/.*"worker_slices":\[\([0-9]*\)\].*/\1/p' "$work/out")
[ "$(grep -c '"pid":2,.*"ph":"X"\|"ph":"X","pid":2,' "$work/trace")" = "$slices" ] || complain "a trace without all $slices slices (threads)"
[ "$(grep -c '"ph":"X","pid":3,' "$work/trace")" = "$slices" ] || complain "a trace without all $slices slices (lanes)"
grep -q ' 0 records lost' "$work/trace" || grep -q '"0 records lost"' "$work/trace" || complain 'a trace that lost records'
tail -n 1 "$work/trace" | grep -q '^]}$' || complain 'a trace without an end'
grep -q '"urgency_bands":\[{"band":2,"requests":[1-9]' "$work/out" || complain 'no bands of urgency'
grep -q '"engines":{"astar":{"answers":[0-9]*,"spent":[0-9]*},"jump"' "$work/out" || complain 'no engines'

# What each kind of work spent, in all frames and in each.
expect_work() { # kind... : those are all that there were
    kinds=$(sed -n 's/.*"work":\({[^}]*}\(,[^}]*}\)*\)}.*/\1/p' "$work/out" | grep -o '"[a-z_]*":{' | tr -d '":{' | tr '\n' ' ')
    [ "$kinds" = "$*" ] || complain "work of the kinds $kinds, not $*"
    spent=$(sed -n 's/.*"work":\(.*\),"promises".*/\1/p' "$work/out" | grep -o '"spent":[0-9]*' | awk -F: '{ sum += $2 } END { print sum + 0 }')
    [ "$spent" = "$(number expansions)" ] || complain "work: $spent expansions of kinds, $(number expansions) of all"
    awk -F, -v all="$spent" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { each = 0; for (name in column) if (name ~ /_expansions$/) each += $column[name]; sum += each
          if (each != $column["expansions"]) bad++ }
        END { if (bad > 0 || sum != all) exit 1 }' "$work/csv" || complain 'a CSV file whose kinds of work do not add up'
}
expect_kept "$work/map" --agents 100 --frames 60 --budget 500 --engine astar --csv "$work/csv"
expect_work 'grid_astar '
expect_kept "$work/map" --agents 100 --frames 60 --budget 500 --engine jump --edits 5 --csv "$work/csv"
expect_work 'stop_jump '

# Agents that walk have the same files.
expect_walk "$work/map" --walk --agents 200 --frames 60 --edits 8 --csv "$work/csv" --log "$work/log1" --trace "$work/trace"
expect_work 'grid_astar stop_jump ' # an edit blocks a walker's own cell: only A* begins there
traced=$(hash)
[ "$(grep -c '^event,.*,arrived,' "$work/log1")" = "$(number arrived)" ] || complain 'a log without every arrival'
[ "$(grep -c '^wish,' "$work/log1")" = "$(number wishes)" ] || complain 'a log without every wish'
[ "$(grep -c '^frame,' "$work/log1")" = "$(number frames)" ] || complain 'a log of walkers without every frame'
[ "$(wc -l <"$work/csv")" -eq "$(($(number frames) + 1))" ] || complain 'a CSV file of walkers without every frame'
[ "$(grep -c '"pid":1,"tid":0,.*"name":"frame ' "$work/trace")" = "$(number frames)" ] || complain 'a trace of walkers without every frame'
[ "$(grep -c '"name":"step of the crowd"' "$work/trace")" = "$(number frames)" ] || complain 'a trace without every step of the crowd'
[ "$(grep -c '"ph":"i"' "$work/trace")" = "$(number completed)" ] || complain 'a trace of walkers without every completion'
[ "$(number frame_cpu_us_max)" -ge "$(number crowd_cpu_us_max)" ] && [ "$(number crowd_cpu_us_max)" -gt 0 ] ||
    complain 'no processor time of the crowd'
expect_walk "$work/map" --walk --agents 200 --frames 60 --edits 8 --log "$work/log2"
[ "$(hash)" = "$traced" ] || complain "files change what walkers do: hash $traced, not $(hash)"
cmp "$work/log1" "$work/log2" || complain 'two logs of walkers differ'
./wend stress "$work/map" --walk --agents 9 --frames 40 --draw svg --output "$work/p.svg" >"$work/out" || complain "draw walkers: exit $?"
grep -q '9 paths' "$work/p.svg" || complain 'a picture without the ways of walkers'

# For people: a table of at most 25 lines.
./wend stress "$work/map" --agents 50 --frames 20 >"$work/out" 2>"$work/err" || complain "table: exit $?"
[ "$(wc -l <"$work/out")" -le 25 ] || complain 'the table is longer than 25 lines'
./wend stress "$work/map" --agents 50 --frames 20 --edits 5 >"$work/out" 2>"$work/err" || complain "table with edits: exit $?"
[ "$(wc -l <"$work/out")" -le 25 ] || complain 'the table with edits is longer than 25 lines'
grep -q 'cells in 2[0-9]* epochs' "$work/out" || complain 'the table says nothing of edits'
for words in 'p50 *p99 *max  unit$' '^  A frame takes .* us$' '^    publishing a batch of edits .* us$' '^    ticking .* us$' \
    '^  A path found has .* cells$' '^    and took .* expansions$'; do
    grep -q "$words" "$work/out" || complain "the table has no line '$words'"
done
grep -q '^    of processor time .* us$' "$work/out" || complain 'a table without processor time'
./wend stress "$work/map" --agents 50 --frames 20 --edits 5 --budget-us 500 >"$work/out" 2>"$work/err" || complain "table of time: exit $?"
grep -q '^    ticking, processor time .* us$' "$work/out" || complain '--budget-us: no processor time'
grep -q 'none broken' "$work/out" || complain 'the table says nothing of promises'
./wend stress "$work/map" --agents 9 --frames 20 --draw svg --output "$work/p.svg" >"$work/out" || complain "draw: exit $?"
grep -q '<svg' "$work/p.svg" || complain 'no picture'

expect_refused() { # words option...
    words=$1
    shift
    "$wend" stress "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq 2 ] || complain "$*: exit $status, not 2"
    grep -q -e "$words" "$work/err" || complain "$*: says '$(cat "$work/err")', not '$words'"
    [ ! -s "$work/out" ] || complain "$*: prints something"
}
expect_refused 'which map'
expect_refused 'from 0 to 100' "$work/map" --radius 0.4 --bodies 101
expect_refused 'needs --radius' "$work/map" --walk --bodies 50
expect_refused '0 to 64' "$work/map" --workers 65
expect_refused 'stress has no option --nonsense' "$work/map" --nonsense
expect_refused 'No such file' "$work/map" --agents 2 --frames 2 --trace "$work/no/where"
expect_refused 'takes no --cancels' "$work/map" --walk --cancels 1
expect_refused 'No such file' "$work/map" --walk --agents 2 --frames 2 --trace "$work/no/where"
expect_refused 'even, bursts' "$work/map" --scenario nonsense
expect_refused 'exclude each other' "$work/map" --budget 5 --budget-us 5
expect_refused '1 to 1000000' "$work/map" --agents 0
expect_refused '1 to 1000000' "$work/map" --agents 1000001
expect_refused 'do not walk' "$work/map" --walk --scenario clicks
expect_refused 'can be reached from every other' "$work/open" --scenario islands
expect_refused '1 to 64' "$work/map" --lanes 65
expect_refused '0 to 1000000' "$work/map" --edits 1000001
expect_refused '0 to 100' "$work/map" --unreachable 101
expect_refused 'no cell is open' "$work/blocked"
expect_refused 'can be reached from every other' "$work/open" --unreachable 1
expect_refused 'No such file' "$work/nothing"
expect_refused 'output' "$work/map" --draw svg --json
expect_refused 'which picture' "$work/map" --output "$work/p.gif"
# A picture that cannot be drawn or written is known before the first of many frames.
./wend generate empty 2049x1 --output "$work/wide.map" || complain 'generate'
expect_refused '--draw svg: the map is too large' "$work/wide.map" --frames 1000000000 --output "$work/p.svg"
expect_refused 'no/p.svg: No such file' "$work/map" --frames 1000000000 --output "$work/no/p.svg"
expect_refused 'No such file' "$work/map" --log "$work/no/where"
echo "$failed failed"
[ "$failed" -eq 0 ]
