#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings of hordes, played back with shared searches and without: each request has the same status, and the same
# cost wherever both searched the same version of the map.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs lab

play() { # name: "id epoch status cost" of each request, by id
    expect 0 run "$work/$1.wend"
    sed -n 's/.*"id":"\([0-9]*\)".*"status":"\([a-z_]*\)".*"cost":\([-0-9]*\).*"epoch":\([0-9]*\).*/\1 \4 \2 \3/p' \
        "$work/out" | sort >"$work/$1.answers"
    grep -c '"shared":true' "$work/out" >"$work/$1.shared"
}

# Sets `requests`, and `alike`: those that both searched on the same version.
compare() { # options of stress
    expect 0 stress "$work/rooms.map" --scenario horde "$@" --record "$work/on.wend" --json
    sed 's/^limit share 1$/limit share 0/' "$work/on.wend" >"$work/off.wend"
    play on
    play off
    requests=$(wc -l <"$work/on.answers")
    [ "$(wc -l <"$work/off.answers")" -eq "$requests" ] || complain "$*: another number of answers"
    [ "$(cat "$work/on.shared")" -ge 50 ] || complain "$*: only $(cat "$work/on.shared") answers were shared"
    [ "$(cat "$work/off.shared")" -eq 0 ] || complain "$*: some were shared with sharing off"
    join "$work/on.answers" "$work/off.answers" | awk '$2 == $5' >"$work/alike"
    alike=$(wc -l <"$work/alike")
    other=$(awk '$3 != $6 || $4 != $7' "$work/alike")
    [ -z "$other" ] || complain "$*: id, epoch, status and cost, shared and alone: $other"
}

expect 0 generate rooms 64x64 --seed 3 --output "$work/rooms.map"
for seed in 1 2 3 4 5; do
    compare --agents 300 --frames 120 --seed $seed
    [ "$alike" -eq "$requests" ] && [ "$requests" -ge 500 ] || complain "seed $seed: only $alike of $requests compared"
done
for seed in 6 7 8; do
    compare --agents 400 --frames 150 --same-goal 60 --cancels 2 --unreachable 10 --seed $seed
    [ "$alike" -ge $((requests * 9 / 10)) ] || complain "seed $seed: only $alike of $requests compared"
done
for seed in 9 10 11; do
    compare --agents 200 --frames 200 --edits 3 --budget 3000 --seed $seed
    [ "$alike" -ge 20 ] || complain "seed $seed, with edits: only $alike of $requests compared"
done
finish
