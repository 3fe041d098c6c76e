#!/bin/sh
# SPDX-License-Identifier: MIT
# The race: a thousand agents ask in one frame, ten urgent ones when half are served; frames until the last is served. Six
# maps, distinct goals and one shared goal. Rivals run in turns (TURNS, 3), and medians count; libtcod, whose searches are
# longer than frames, runs once. A frame has so much time that Detour's best arrangement needs some 430 of them, on the
# fastest of several meshes; where it needs fewer than 400 the map is repeated with less. race.csv, race.md, race.svg. Where
# the MovingAI benchmarks are not there, or lack a map, one is generated in its place.
set -eu
here=$(dirname "$0")
dir=$WEND_BENCH_OUT
aim=430
own() { # original's name, own map
    found=
    for file in ${MOVINGAI:+"$MOVINGAI"/maps/*/"$1".map}; do [ ! -f "$file" ] || found=$file; done
    echo "${found:-$dir/own/maps/$2.map}"
}
has() { [ -x "./$1" ]; }
least() { awk -F, -v at="$1" '!best || $at < best {best = $at} END {print best}'; }
# µs and side of a tile for which whole searches take the least time in one frame without an end. A tile of all cells may
# have more polygons than Detour counts.
fastest_mesh() { # goals
    for side in 32 64 256 1024; do
        ./bench_race_detour "$map" "$dir/race.scen" 0 "$1" "$side" loop 2>/dev/null | sed "s/\$/,$side/" || :
    done | sort -t, -k5,5n | awk -F, 'NR == 1 {print $5, $7}'
}
# So that the best arrangement needs about as many frames as it should; without Detour, ten times what wend takes for all.
set_frame() { # goals; sets us and side
    side=
    if ! has bench_race_detour; then
        us=$(./bench_race "$map" "$dir/race.scen" 0 "$1" | awk -F, -v aim=$aim '{print int(10 * $5 / aim) + 1}')
        return
    fi
    fastest_mesh "$1" >"$dir/race.tmp"
    read -r all side <"$dir/race.tmp"
    us=$((all / aim + 1))
    for _ in 1 2 3; do
        frames=$(./bench_race_detour "$map" "$dir/race.scen" "$us" "$1" "$side" | least 2)
        us=$((us * frames / aim))
    done
}
turns() { # goals
    for turn in $(seq "${TURNS:-3}"); do
        run bench_race "$1" "$turn"
        run bench_race_detour "$1" "$turn"
    done
}
# The median frames of Detour's best arrangement.
best_frames() {
    for way in loop sliced dtPathQueue; do
        grep "Detour $way," "$dir/race.turns" | sort -t, -k7,7n | awk -F, '{frames[NR] = $7} END {if (NR) print frames[int((NR + 1) / 2)]}'
    done | sort -n | head -n 1
}
run() { # program, goals, turn
    has "$1" || return 0
    "./$1" "$map" "$dir/race.scen" "$us" "$2" $side | sed "s/^/$name,$2,$us,${side:-0},$3,/"
}
has bench_race_detour || echo 'race: without Detour, which configure did not find (Debian: librecast-dev)' >&2
has bench_race_tcod || echo 'race: without libtcod, which configure did not find (Debian: libtcod-dev)' >&2
echo 'map,goals,frame_us,tile,turn,program,frames,longest_us,urgent_wait_frames,us,found' >"$dir/race.csv"
for map in "$dir/own/maps/rooms/rooms-512.map" "$dir/own/maps/random/random-20-512.map" \
    "$dir/own/maps/mazes/maze-512.map" "$(own AR0603SR caves/caves512)" "$(own brc202d city/city-512)" \
    "$(own orz900d caves/caves-1024)"; do
    name=$(basename "$map" .map)
    ./bench_table pairs "$map" 1010 "$dir/race.scen"
    for goals in distinct shared; do
        set_frame "$goals"
        for try in 1 2 3; do
            turns "$goals" >"$dir/race.turns"
            frames=$(best_frames)
            [ "${frames:-400}" -lt 400 ] && [ "$try" -lt 3 ] || break
            us=$((us * frames / aim))
        done
        cat "$dir/race.turns"
        run bench_race_tcod "$goals" 1
    done
done >>"$dir/race.csv"
rm -f "$dir/race.scen" "$dir/race.tmp" "$dir/race.turns"
awk -f "$here/race.awk" "$dir/race.csv" >"$dir/race.md"
awk -f "$here/race_plot.awk" "$dir/race.csv" >"$dir/race.svg"
cat "$dir/race.md" >&2
