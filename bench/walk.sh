#!/bin/sh
# SPDX-License-Identifier: MIT
# How crowds of bodies walk in two builds, as one Markdown table: towns, open ground, rooms, scenes, a door, instructions.
# Cells, and DetourCrowd where AFTER has it installed, beside them.
#
#   bench/walk.sh BEFORE AFTER [quick]    two build folders, which may be one. Ten minutes of processor
#                                         time each, five for DetourCrowd; quick: a minute each
#
# Makes bench_bodies, bench_rooms, bench_town and show_scenes in both. What they print stays in $WEND_BENCH_OUT/walk
# (AFTER/bench-results). Instructions are of wend_service_tick() and wend_crowd_update(): by valgrind, or where perf can count of the
# whole program.
set -eu
[ $# -ge 2 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
before=$1 after=$2 mode=${3:-whole}
out=${WEND_BENCH_OUT:-$after/bench-results}/walk
town='1000 20000' seeds=12 maps=8 updates=5000 counted='2 101 1500'
[ "$mode" = whole ] || { town='1000 1500' seeds=1 maps=2 updates=1500 counted='1 101 500'; }
mkdir -p "$out"
rm -rf "$out/before" "$out/after"

instructions() { # program, arguments...: a count
    program=$1
    shift
    count=$(perf stat -x, -e instructions:u "$program" "$@" 2>&1 >"$at/counted" | sed -n 's/^\([0-9][0-9]*\),.*instructions.*/\1/p')
    [ -n "$count" ] || count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=wend_service_tick \
        --toggle-collect=wend_crowd_update "$program" "$@" 2>&1 >"$at/counted" | sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
    echo "$count"
}
run() { # a build, a folder for its figures
    at=$2
    mkdir -p "$at"
    make -s -C "$1" bench_bodies bench_rooms bench_town show_scenes >"$at/make.log" 2>&1 || { cat "$at/make.log" >&2; exit 2; }
    for kind in bodies half cells; do # shellcheck disable=SC2086 # two words
        "$1/bench_town" $town 1 $kind
    done >"$at/town"
    "$1/bench_bodies" "$seeds" >"$at/open"
    "$1/bench_bodies" door >"$at/door"
    "$1/bench_rooms" "$maps" 101 "$updates" >"$at/rooms"
    "$1/show_scenes" >"$at/scenes"
    # shellcheck disable=SC2086 # three words
    set -- "$1" "$(instructions "$1/bench_rooms" one 60 .4 1 $counted)" $counted
    trips=$(awk -F, 'END { print $4 }' "$at/counted")
    echo "$2 $(($3 * $5)) $trips" | awk '{ printf "%.2f %.1f\n", $1 / $2 / 1e6, $1 / $3 / 1e6 }' >"$at/instructions"
}
run "$before" "$out/before"
if [ "$before" = "$after" ]; then cp -r "$out/before" "$out/after"; else run "$after" "$out/after"; fi
mkdir -p "$out/detour"
if make -s -C "$after" bench_bodies_detour bench_town_detour >"$out/detour/make.log" 2>&1; then
    # shellcheck disable=SC2086 # two words
    "$after/bench_town_detour" $town 1 DetourCrowd >"$out/detour/town"
    "$after/bench_bodies_detour" "$seeds" >"$out/detour/open"
else
    for name in town open; do : >"$out/detour/$name"; done
fi

# ---- the table: each figure is of a folder, by a kind ----
town() { awk -F, -v kind="$2" '$1 == kind && $2 == "mean" { split($6, of, " "); printf "%s, %s; %s", $3, of[2], $4 }' "$out/$1/town"; }
open() { # folder, kind, scene, columns as awk prints them
    awk -F, -v kind="$2" -v scene="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == scene && $2 == kind { '"$4"' }' "$out/$1/open"
}
# shellcheck disable=SC2016 # awk's
open300() { open "$1" "$2" 'open 300' 'printf "%s, %s, %s, %s, %s", $at["update"], $at["travelled_straight"], $at["jumps_percent"], $at["standing_percent"], $at["stairs_percent"]'; }
# shellcheck disable=SC2016
open800() { open "$1" "$2" 'open 800' 'printf "%s of %s, %s, %s", $at["home"], $at["bodies"], $at["update"], $at["travelled_straight"]'; }
rooms() { # folder, maps, agents: ÷ cells, and stuck
    awk -F, -v maps="$2" -v agents="$3" '$1 == maps && $2 == agents && $3 != "cells" { trips = trips " " $5; stuck = stuck " " $7 }
        END { printf "%s;%s", substr(trips, 2), stuck }' "$out/$1/rooms"
}
cells() { awk -F, -v maps="$1" -v agents="$2" '$1 == maps && $2 == agents && $3 == "cells" { printf "%d trips; %d", $4, $7 }' "$out/after/rooms"; }
door() { awk -F, -v kind="$2" '$2 == kind { print $5 }' "$out/$1/door"; }
missed() { sed -n 's/^Scenes missed: cells [0-9]*, discs \([0-9]*\), mixed \([0-9]*\).*/\1, \2/p' "$out/$1/scenes"; }
endless() { sed -n 's/^Goals without an end.*discs \([0-9]*\) of.*mixed \([0-9]*\) of.*/\1, \2/p' "$out/$1/scenes"; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "${4:-}" "${5:-}"; }

echo '| | before | after | cells | DetourCrowd |'
echo '|---|--:|--:|--:|--:|'
row 'town, bodies: arrivals each 500, least; gave up' "$(town before bodies)" "$(town after bodies)" "$(town after cells)" "$(town detour DetourCrowd)"
row 'town, half with bodies' "$(town before half)" "$(town after half)"
row 'open 300: home at, way, jumps, standing, stairs' "$(open300 before bodies)" "$(open300 after bodies)" "$(open300 after cells)" "$(open300 detour DetourCrowd)"
row 'open 800: home, at, way' "$(open800 before bodies)" "$(open800 after bodies)" "$(open800 after cells)" "$(open800 detour DetourCrowd)"
for agents in 60 90; do
    row "rooms, $agents: ÷ cells; stuck (half .4, half .2, all .4, all .2)" "$(rooms before rooms $agents)" "$(rooms after rooms $agents)" "$(cells rooms $agents)"
done
row 'dense rooms, 90: the same' "$(rooms before dense 90)" "$(rooms after dense 90)" "$(cells dense 90)"
row 'scenes missed: discs, mixed' "$(missed before)" "$(missed after)" 0
row 'one door, 30 each way: home at' "$(door before bodies)" "$(door after bodies)" "$(door after cells)"
row 'goals without an end: 60 disc, 120 mixed scenes' "$(endless before)" "$(endless after)"
row 'million instructions an update of 60 of .4 in rooms, a trip' "$(cat "$out/before/instructions")" "$(cat "$out/after/instructions")"
