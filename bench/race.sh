#!/bin/sh
# SPDX-License-Identifier: MIT
# The race: a thousand agents ask in one frame, ten urgent ones when half are served; frames until the last is served. Six
# maps, distinct goals and one shared goal. A frame has so much time that Detour needs at least 400 of them: a 620th of
# what its fastest arrangement takes, since whole searches overrun their frames. race.csv and race.md. Where the MovingAI
# benchmarks are not there, or lack a map, one is generated in its place.
set -eu
dir=$WEND_BENCH_OUT
own() { # original's name, own map
    found=
    for file in ${MOVINGAI:+"$MOVINGAI"/maps/*/"$1".map}; do [ ! -f "$file" ] || found=$file; done
    echo "${found:-$dir/own/maps/$2.map}"
}
here() { [ -x "./$1" ]; }
# The time that the fastest arrangement takes for all, in one frame without an end; without Detour, ten times wend's.
frame_us() { # goals
    if here bench_race_detour; then
        ./bench_race_detour "$map" "$dir/race.scen" 0 "$1" | awk -F, '!best || $5 < best {best = $5} END {print int(best / 620) + 1}'
    else
        ./bench_race "$map" "$dir/race.scen" 0 "$1" | awk -F, '{print int(10 * $5 / 620) + 1}'
    fi
}
echo 'map,goals,frame_us,program,frames,longest_us,urgent_wait_frames,us,found' >"$dir/race.csv"
for map in "$dir/own/maps/rooms/rooms-512.map" "$dir/own/maps/random/random-20-512.map" \
    "$dir/own/maps/mazes/maze-512.map" "$(own AR0603SR caves/caves512)" "$(own brc202d city/city-512)" \
    "$(own orz900d caves/caves-1024)"; do
    name=$(basename "$map" .map)
    ./bench_table pairs "$map" 1010 "$dir/race.scen"
    for goals in distinct shared; do
        us=$(frame_us "$goals")
        for program in bench_race bench_race_detour bench_race_tcod; do
            [ "$program" = bench_race ] || here "$program" || continue
            ./$program "$map" "$dir/race.scen" "$us" "$goals" | sed "s/^/$name,$goals,$us,/"
        done
    done
done >>"$dir/race.csv"
rm -f "$dir/race.scen"
awk -F, 'NR == 1 {next}
    $4 == "wend" {key = $1 " " $2; keys[++n] = key; own[key] = $5; longest[key] = $6; urgent[key] = $7; us[key] = $3; next}
    !(key in best) || $5 < best[key] {best[key] = $5; who[key] = $4; other[key] = $6; late[key] = $7}
    END {
        print "| map, goals | µs a frame | wend: frames | longest µs | urgent wait | best other | frames | longest µs | urgent wait | ratio |"
        print "|---|---|---|---|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++) {
            k = keys[i]
            split(k, part, " ")
            if (!(k in best)) {printf "| %s | %d | %d | %d | %d | | | | | |\n", k, us[k], own[k], longest[k], urgent[k]; continue}
            ratio = own[k] / best[k]
            sum[part[2]] += log(ratio); count[part[2]]++
            printf "| %s | %d | %d | %d | %d | %s | %d | %d | %d | %.3f |\n", k, us[k], own[k], longest[k], urgent[k], who[k], best[k],
                other[k], late[k], ratio
        }
        for (goals in sum) printf "\nGeometric mean of the ratios, %s goals: %.3f\n", goals, exp(sum[goals] / count[goals])
    }' "$dir/race.csv" >"$dir/race.md"
cat "$dir/race.md" >&2
