#!/bin/sh
# SPDX-License-Identifier: MIT
# `wend run --record` on tests/server/run/scripts: the recording plays back to the same completions, events of agents and
# hashes, also that over all positions of agents. Names become numbers.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs lab
cd "$srcdir/tests/server/run/scripts" || exit 99
same=0 crowds=0 refused=0

completions() { # file: names, refusals, positions and watches apart
    grep -E '"status":|"hash":|"agent":' "$1" | sed -E 's/"(id|agent)":"([^"\\]|\\.)*"/"\1"/'
}

# A recording of a recording plays back to the same, too.
again() { # script options...
    script=$1
    shift
    "$wend" run "$work/recording" "$@" --hash --record "$work/second" >"$work/out" 2>"$work/err" &&
        "$wend" run "$work/second" "$@" --hash >"$work/twice" 2>>"$work/err" || complain "$script: $(cat "$work/err")"
    cmp -s "$work/out" "$work/twice" || complain "$script: a second playback is another: $(diff "$work/out" "$work/twice")"
}

for script in *.wend; do
    name=${script%.wend}
    arguments=$(sed -n '1s/^# args: //p' "$script")
    workers=$(echo "$arguments" | grep -o -- '--workers [0-9]*')
    reason=$(sed -n "s/^$name|//p" unrecorded.txt)
    "$wend" run "$script" $arguments --hash --record "$work/recording" >"$work/first" 2>"$work/err"
    status=$?
    if [ -n "$reason" ]; then
        [ "$status" -eq 2 ] || complain "$script: exit $status, not 2"
        grep -qF "$reason" "$work/err" || complain "$script: says '$(cat "$work/err")', not '$reason'"
        refused=$((refused + 1))
        continue
    fi
    [ "$status" -eq 0 ] || complain "$script: exit $status: $(cat "$work/err")"
    "$wend" run "$script" $arguments --hash >"$work/plain" 2>/dev/null
    cmp -s "$work/plain" "$work/first" || complain "$script: --record changes what is printed"
    again "$script" $workers
    grep -qE '^ *agent ' "$script" && crowds=$((crowds + 1))
    completions "$work/first" >"$work/wanted"
    completions "$work/out" >"$work/got"
    cmp -s "$work/wanted" "$work/got" || complain "$script plays back as: $(diff "$work/wanted" "$work/got")"
    same=$((same + 1))
done
echo "$same scripts the same, $crowds of them with agents, $refused refused"
[ "$same" -ge 135 ] || complain "only $same scripts"
[ "$crowds" -ge 23 ] || complain "only $crowds scripts with agents"
[ "$(grep -c '^[a-z]' unrecorded.txt)" -eq "$refused" ] || complain "names without a script in unrecorded.txt"

# ---- from a frame on: as above, with the frames before it apart. Agents are hashed in the order of their adding, which no
# save knows where a place was used again (agents_names).
late=0
later() { # file frames: completions and events behind that frame, whose number they lose
    completions "$1" | awk -v from="$2" '/^{"frame":/ { n = $0; sub(/^{"frame":/, "", n); if (n + 0 <= from) next
        sub(/^{"frame":[0-9]*/, "") } { gsub(/"frames":[0-9]+,"completed"/, "\"completed\""); print }'
}
for script in $(grep -lE '^ *agent ' *.wend | awk 'NR % 2 == 0'); do # every second one, for its time
    grep -q "^${script%.wend}|" unrecorded.txt && continue
    arguments=$(sed -n '1s/^# args: //p' "$script")
    "$wend" run "$script" $arguments --hash --record "$work/recording" --record-from 4 >"$work/first" 2>"$work/err" || {
        grep -q 'no recording: after frame 4' "$work/err" || complain "$script: $(cat "$work/err")"
        continue
    }
    "$wend" run "$work/recording" --hash >"$work/out" 2>"$work/err" || complain "$script: $(cat "$work/err")"
    later "$work/first" 4 | sed 's/"epoch":[0-9]*,"checked":[0-9]*//' >"$work/wanted"
    later "$work/out" 0 | sed 's/"epoch":[0-9]*,"checked":[0-9]*//' >"$work/got"
    cmp -s "$work/wanted" "$work/got" || [ "$script" = agents_names.wend ] ||
        complain "$script from frame 4 plays back as: $(diff "$work/wanted" "$work/got")"
    late=$((late + 1))
done
echo "$late of them from frame 4 on"
[ "$late" -ge 18 ] || complain "only $late scripts from frame 4 on"

# What cannot be written is said.
scripts=$PWD
cd "$OLDPWD" || exit 99
expect_refused 'cannot be opened for writing' run "$scripts/weight.wend" --record /no/such/folder/file

# ---- agents that walk: the hash over all positions is the same
expect 0 generate rooms 48x48 --seed 3 --output "$work/rooms.map"
for load in '--agents 40 --frames 60' '--agents 25 --frames 40 --edits 2 --seed 7 --budget 900' '--agents 30 --frames 40 --budget-us 150'; do
    expect 0 stress "$work/rooms.map" --walk $load --record "$work/walk" --json
    hash=$(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' "$work/out")
    expect 0 run "$work/walk" --hash
    grep -q "\"positions\":\"$hash\"" "$work/out" || complain "stress --walk $load: $(tail -n 1 "$work/out"), not $hash"
done

# ---- several maps: file 0 says how their scripts take turns
mkdir "$work/maps"
printf 'grid 4 1\nrecording\nrequest 0 0,0 3,0\nframe budget=9\nduring 1\nset 1,0 blocked\npublish\nframe budget=99\nrequest 2 0,0 3,0\nframe budget=9\n' >"$work/maps/map1.wend"
printf 'voxels 2 2 2\nrecording\nframe 1\nrequest 1 0,0,0 1,1,1\nframe budget=99\nframe budget=9\n' >"$work/maps/map2.wend"
turns='recording\nscript map1.wend\n1 3\nframe\nscript map2.wend\n2 4\n1 3\nframe\n1 1\nframe\n'
printf "$turns" >"$work/maps/all"
expect 0 run "$work/maps/all" --hash
[ "$(sed -n 's/.*"frame":\([0-9]*\),"id":"\([0-9]\)","status":"\([a-z_]*\)".*/\1 \2 \3/p' "$work/out" | tr '\n' ';')" = \
    '1 0 found;2 1 found;3 2 no_path;' ] || complain "several maps: $(cat "$work/out")"
grep -q '"frames":3,"completed":3,' "$work/out" || complain "several maps: $(tail -n 1 "$work/out")"

turn_refused() { # place message turns: of file 0
    printf "$3" >"$work/maps/all"
    run run "$work/maps/all"
    [ "$status" -eq 2 ] || complain "exit $status, not 2: $3"
    grep -qF "$work/maps/$1: $2" "$work/err" || complain "says '$(cat "$work/err")', not '$1: $2'"
}
turn_refused 'all:3:1' 'a script is a whole number from 1 to 1' 'recording\nscript map1.wend\n2 1\n'
turn_refused 'all:3:3' "a number of lines is a whole number from 1, not 'x'" 'recording\nscript map1.wend\n1 x\n'
turn_refused 'all:3:1' 'a turn is: script FILE, NUMBER LINES or frame' 'recording\nscript map1.wend\nframe 1 2\n'
turn_refused 'all:3:1' 'no more lines are in' 'recording\nscript map1.wend\n1 99\n'
turn_refused 'map1.wend:3:1' 'a frame comes here in' 'recording\nscript map1.wend\n1 2\nframe\n'
turn_refused 'all:4:1' 'the recording ends within a line' 'recording\nscript map1.wend\n1 3\nframe'
turn_refused 'map1.wend:6:16' "the end comes before the frame that 'during' stands in" \
    'recording\nscript map1.wend\n1 3\nframe\n1 2\n'
turn_refused 'none.wend' '' 'recording\nscript none.wend\n'
printf "$turns" >"$work/maps/all"
expect_refused 'are for one map' run "$work/maps/all" --record "$work/recording"
finish
