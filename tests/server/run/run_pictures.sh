#!/bin/sh
# SPDX-License-Identifier: MIT
# wend run --draw: the last frame as a picture, beside the completions.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs extra

printf 'grid 9 3\nfill 4,0 4,1 blocked\noccupy 8,2\nrequest done 0,0 3,0\nframe\nrequest later 5,0 8,0 urgency=5\nset 2,2 open\n' \
    >"$work/script"
expect 0 run "$work/script"
cp "$work/out" "$work/json"
[ "$(wc -l <"$work/json")" -eq 2 ] || complain "$(cat "$work/json")"

# Without --output the picture takes the place of the JSON, which goes to stderr.
expect 0 run "$work/script" --draw ansi
# Its legend stays with it: whoever drops the JSON keeps the legend.
expect_out "$(printf 'A**B#A..B\n....#....\n........@\nframe 1: the last 1 path, 1 request pending\nmap of 9 x 3 cells\n%s' \
    'A start  B goal  * path  @ unit  . open  # blocked')"
head -n 1 "$work/json" >"$work/wanted"
grep '^{' "$work/err" | head -n 1 | cmp -s - "$work/wanted" || complain "no JSON on stderr: $(cat "$work/err")"
expect 0 run "$work/script" --draw svg
grep -q '<svg' "$work/out" && ! grep -q '{"frame"' "$work/out" || complain 'no svg alone on standard output'

# With it the JSON stays where it is.
for kind in ansi svg png; do
    expect 0 run "$work/script" --output "$work/picture.$kind"
    cmp -s "$work/out" "$work/json" || complain "$kind: other JSON beside a picture: $(cat "$work/out")"
    [ -s "$work/picture.$kind" ] || complain "no $kind in the file"
done
[ "$(head -c 4 "$work/picture.png" | tail -c 3)" = PNG ] || complain 'no png in the file'
grep -q '>frame 1: the last 1 path, 1 request pending<' "$work/picture.svg" || complain 'no caption in svg'

# The last 64 paths, the newest on top; at the limit and one past it.
many() { # how many
    awk -v many=$1 'BEGIN { print "grid 70 3"; for (i = 0; i < many; i++) print "request r" i " " i ",0 " i ",2"; print "frame" }'
}
many 64 >"$work/many"
expect 0 run "$work/many" --draw ansi
[ "$(head -n 1 "$work/out" | tr -cd A | wc -c)" -eq 64 ] || complain "64 paths: $(cat "$work/out")"
many 65 >"$work/many"
expect 0 run "$work/many" --draw ansi
[ "$(head -n 1 "$work/out" | tr -cd A | wc -c)" -eq 64 ] || complain "65 paths: $(cat "$work/out")"
[ "$(head -n 1 "$work/out" | cut -c 1)" = . ] || complain "the oldest of 65 paths is drawn: $(cat "$work/out")"
grep -q '^frame 1: the last 64 paths, 0 requests pending$' "$work/out" || complain "caption: $(tail -n 3 "$work/out")"

# Refusals: nothing is drawn for a script that is wrong, and no picture is no success.
expect_refused '--draw and --json' run "$work/script" --draw svg --json
expect_refused 'which picture' run "$work/script" --output "$work/picture"
printf 'grid 3 3\nrequest a 0,0 2,2\nframe\nnonsense\n' >"$work/wrong"
expect 2 run "$work/wrong" --draw ansi
expect_out ''
printf 'graph\nnode 1 0 0\nnode 2 5 0\nedge 1 2 5\nrequest a 1 2\nframe\n' >"$work/graph"
expect 2 run "$work/graph" --draw ansi
grep -q 'a graph cannot be drawn in letters' "$work/err" || complain "graph: $(cat "$work/err")"
expect 0 run "$work/graph" --draw svg
grep -q 'one-way road' "$work/out" || complain 'graph: no svg'

# A film: well-formed, without script, as large as what happens in it; ground that changes, goals, an agent that goes away.
cat >"$work/crowd" <<'END'
grid 9 3
agent a 0,0
agent b 8,0 speed=500
agent g 4,2 ghost
go a to 8,2
go b to 0,2
frame 8
fill 4,0 4,1 blocked
walk
remove b
frame
go a to 0,0
walk
END
expect 0 run "$work/crowd" --animate "$work/film.svg"
[ "$(grep -c '<circle' "$work/film.svg")" -eq 3 ] || complain "film: $(cat "$work/film.svg")"
[ "$(grep -c '<rect x="4" y="0" width="1" height="2"' "$work/film.svg")" -eq 1 ] || complain 'film: no wall'
grep -q '<script' "$work/film.svg" && complain 'film: a script'
[ "$(tail -n 1 "$work/film.svg")" = '</svg>' ] || complain 'film: no end'
[ "$(wc -c <"$work/film.svg")" -lt 6000 ] || complain "film: $(wc -c <"$work/film.svg") bytes"
# Key times and values are as many, from 0 to 1 and never backwards.
grep -o 'values="[^"]*" keyTimes="[^"]*"' "$work/film.svg" | awk -F '"' '{
    n = split($2, values, ";"); m = split($4, times, ";")
    if (n != m || times[1] != 0) bad++
    for (i = 2; i <= m; i++) if (times[i] + 0 < times[i - 1] + 0 || times[i] > 1) bad++
    count++
} END { exit bad > 0 || count < 6 }' || complain "film: key times: $(grep -o 'keyTimes="[^"]*"' "$work/film.svg")"
if command -v xmllint >/dev/null; then xmllint --noout "$work/film.svg" || complain 'film: not well-formed'; fi
expect 0 run "$work/script" --animate "$work/none.svg"
grep -q 'none.svg: the script has no agents' "$work/err" || complain "a film without agents: $(cat "$work/err")"
grep -q '<circle' "$work/none.svg" && complain 'film: agents where there are none'
printf 'voxels 4 4 2\nagent a 0,0,0\ngo a to 3,3,1\nwalk\n' >"$work/space"
expect 0 run "$work/space" --animate "$work/film.svg"
grep -q '<circle' "$work/film.svg" || complain 'film: nobody in space'
expect 2 run "$work/graph" --animate "$work/film.svg"
grep -q 'a graph has no cells to glide over' "$work/err" || complain "film: $(cat "$work/err")"
expect 2 run "$work/crowd" --animate "$work/no/such/folder.svg"
[ -s "$work/out" ] && complain "a film that cannot be written: the run began: $(cat "$work/out")"
printf 'grid 4 4\nagent a 0,0\nwalk\nnonsense\n' >"$work/fails"
expect 2 run "$work/fails" --animate "$work/half.svg"
[ -e "$work/half.svg" ] && complain 'film: a run that failed leaves one'
finish
