#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions that a fixed set of searches and frames takes, by valgrind's callgrind: the same on a busy machine as on a quiet one.
#
#   bench/instructions.sh [PROGRAM [BASELINE]]
#
# PROGRAM is this build's `wend` (./wend), BASELINE another build's: then each line has both counts and their ratio, and the exit
# status is 1 where a ratio is above 1.02. Only instructions inside wend_search_begin(), wend_search_step() and wend_service_tick()
# count: no loading of maps, no printing. CSV on stdout.
set -eu
cd "$(dirname "$0")/.."
# What libtool leaves in a build folder is a script that sets the libraries' path; callgrind needs the program itself.
inner() { # a build's wend: the folder that holds the program proper
    dir=$(dirname "$(realpath "$1")")
    if [ -x "$dir/.libs/wend" ]; then echo "$dir/.libs"; else echo "$dir"; fi
}
program=$(inner "${1:-build/wend}")
baseline=${2:+$(inner "$2")}
command -v valgrind >/dev/null || { echo 'instructions: valgrind is not installed' >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # program, arguments of wend...: the instructions
    folder=$1
    shift
    LD_LIBRARY_PATH=$folder valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=wend_search_begin \
        --toggle-collect=wend_search_step --toggle-collect=wend_service_tick "$folder/wend" "$@" >/dev/null 2>"$work/log" ||
        { cat "$work/log" >&2; exit 2; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log"
}
worse=0
measure() { # name, arguments of wend...
    name=$1
    shift
    ours=$(count "$program" "$@")
    if [ -z "$baseline" ]; then
        echo "$name,$ours"
        return
    fi
    theirs=$(count "$baseline" "$@")
    echo "$name,$ours,$theirs,$(awk "BEGIN {printf \"%.4f\", $ours / $theirs}")"
    awk "BEGIN {exit !($ours > 1.02 * $theirs)}" && worse=1 || :
}

generate() { LD_LIBRARY_PATH=$program "$program/wend" generate "$@"; }
generate random 256x256 --density 0.2 --seed 7 --output "$work/noise.map"
generate random 48x48x48 --density 0.4 --seed 3 --output "$work/noise.3dmap"
generate graph 20000 --seed 5 --output "$work/roads.gr"
frames='--agents 200 --frames 40 --seed 1'
echo "case,instructions${baseline:+,baseline,ratio}"
for engine in astar jump; do
    measure "caves $engine bare" solve data/caves512.map --from 20,20 --to 480,480 --engine $engine
    measure "caves $engine service" scen data/caves512.map.scen --maps data --engine $engine
    # shellcheck disable=SC2086 # one word an option
    measure "noise $engine frames" stress "$work/noise.map" --engine $engine $frames --budget 5000
done
# shellcheck disable=SC2086
{
    measure 'caves frames with edits' stress data/caves512.map $frames --budget 2000 --edits 20 --cancels 3
}
measure 'voxels plain' solve "$work/noise.3dmap" --from 0,1,0 --to 46,47,47
measure 'voxels reach' solve "$work/noise.3dmap" --from 0,1,0 --to 46,47,47 --reach 2
measure 'roads' solve "$work/roads.gr" --from 1 --to 15000
measure 'village script' run examples/village.wend
measure 'caves reach' solve data/caves512.map --from 20,20 --to 480,480 --reach 3
measure 'caves weight' solve data/caves512.map --from 20,20 --to 480,480 --engine astar --weight 1.5
measure 'caves nearest' solve data/caves512.map --from 20,20 --to 480,480 --mode nearest --engine astar
[ "$worse" -eq 0 ] || { echo 'instructions: above 1.02 of the baseline' >&2; exit 1; }
