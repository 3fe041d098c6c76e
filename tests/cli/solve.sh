#!/bin/sh
# SPDX-License-Identifier: MIT
# wend solve: the path is legal and optimal, pictures go where they should, and what is wrong is said.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server lab extra

# What a printed path costs on a grid text of 0, 1, A, B: straight 10, diagonal 14 with both side cells open.
cost_of() { # map path
    awk 'FNR == NR { if (NF == 2) next; for (i = 1; i <= NF; i++) cell[i - 1, rows + 0] = $i; rows++; next }
        {
            split($1, at, ","); x = at[1]; y = at[2]
            if (!((x, y) in cell) || cell[x, y] == "1") { print "blocked"; exit }
            if (FNR == 1) { if (cell[x, y] != "A") { print "start"; exit } }
            else {
                dx = x - px; dy = y - py
                if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (!dx && !dy)) { print "no step"; exit }
                if (dx && dy && (cell[px, y] == "1" || cell[x, py] == "1")) { print "corner"; exit }
                cost += dx && dy ? 14 : 10
            }
            px = x; py = y
        }
        END { print cell[px, py] == "B" ? cost : "goal" }' "$1" "$2"
}

problem=$data/problem1.txt
expect 0 solve "$problem"
cp "$work/out" "$work/path"
[ "$(cost_of "$problem" "$work/path")" = 64 ] || complain "problem 1: $(cost_of "$problem" "$work/path"), not 64"
expect 0 solve "$problem" --json
expect_field status found
expect_field cost 64
expect_field exact true
expect_field engine jump
[ "$(field expansions)" -gt 0 ] || complain 'no expansions'
cells=$(sed 's/.*/[&]/' "$work/path" | paste -s -d , -)
grep -q -F "\"cells\":[$cells]" "$work/out" || complain 'JSON has other cells'
lines=$(wc -l <"$work/out")
[ "$lines" -eq 1 ] || complain "$lines lines of JSON"

# Every slice, the same path; options anywhere, values behind = too.
for slice in 1 7 64 10000; do
    expect 0 --slice=$slice solve "$problem"
    cmp -s "$work/out" "$work/path" || complain "--slice $slice: another path"
done
for heuristic in exact euclid zero; do
    expect 0 solve --heuristic $heuristic --json "$problem"
    expect_field cost 64
    expect_field exact true
done
expect 0 solve "$problem" --heuristic manhattan --json
expect_field exact false
expect 0 solve "$problem" --heuristic manhattan --neighbours 4 --json
expect_field cost 70
expect_field exact true
expect 0 solve "$problem" --weight 2.5 --json
expect_field exact false
expect_field bound 2.500
expect 0 solve "$problem" --cost 1000,1414 --json
expect_field cost 6414
expect 0 solve "$problem" --cost 10,14,17 --json
expect_field cost 64
expect 0 solve "$problem" --corners always --json
expect_field cost 52
expect 0 solve "$problem" --corners one --json
expect_field cost 52
expect 0 solve "$problem" --from 4,4 --to 0,0 --json
expect_field cost 68
expect 0 solve "$problem" --from 4,4 --to 4,4
expect_out 4,4
input=$problem
expect 0 solve -
cmp -s "$work/out" "$work/path" || complain 'standard input: another path'
input=/dev/null
printf 'Rows 2\nColumns 2\nA 1\n1 B\n' >"$work/pinch"
expect 0 solve "$work/pinch" --corners always --json
expect_field cost 14
expect 1 solve "$work/pinch" --corners one --json
expect 1 solve "$work/pinch" --corners always --neighbours 4 --json
printf 'grid 3 1\n' >"$work/world"
expect 0 solve "$work/world" --from 0,0 --to 2,0
expect_out "$(printf '0,0\n1,0\n2,0')"

# The answer is no.
printf 'Rows 1\nColumns 3\nA 1 B\n' >"$work/wall"
expect 1 solve "$work/wall"
expect_out ''
grep -q no_path "$work/err" || complain 'no word on why'
expect 1 solve "$work/wall" --json
expect_out '{"status":"no_path","cost":-1,"cells":[],"expansions":0,"expanded":0,"exact":true,"engine":"jump"}'
expect 1 solve "$work/wall" --from 1,0 --json
expect_field status start_blocked
expect 1 solve "$work/wall" --to 1,0 --json
expect_field status goal_blocked

# A blocked end: the nearest open cell is named, and --snap takes it.
printf 'Rows 3\nColumns 4\nA 0 1 1\n0 0 1 1\n0 0 0 B\n' >"$work/shore"
expect 1 solve "$work/shore" --from 3,0 --to 0,0
grep -q '^wend: start_blocked$' "$work/err" || complain "says '$(cat "$work/err")'"
grep -q '^wend: 3,0 is blocked; the nearest open cell is 1,0, and --snap takes it$' "$work/err" || complain "says '$(cat "$work/err")'"
expect 1 solve "$work/shore" --to 3,0 --json
expect_field status goal_blocked
grep -q '"nearest_open":\[1,0\]}' "$work/out" || complain "no nearest open cell: $(cat "$work/out")"
expect 0 solve "$work/shore" --from 3,0 --to 0,0 --snap
expect_out "$(printf '1,0\n0,0')"
grep -q '^wend: 3,0 is blocked: 1,0 is taken, the nearest that is open$' "$work/err" || complain "says '$(cat "$work/err")'"
expect 0 solve "$work/shore" --from 2,1 --to 3,0 --to 2,0 --snap --json
grep -q '"snapped":\[{"asked":\[2,1\],"taken":\[1,1\]},{"asked":\[3,0\],"taken":\[1,0\]},{"asked":\[2,0\],"taken":\[1,0\]}\]}' "$work/out" ||
    complain "snapped: $(cat "$work/out")"
expect 0 solve "$work/shore" --snap --json
grep -q snapped "$work/out" && complain 'open ends are snapped'
printf 'grid 2 1\nfill 0,0 1,0 blocked\n' >"$work/solid"
expect 1 solve "$work/solid" --from 0,0 --to 1,0 --snap
[ "$(cat "$work/err")" = 'wend: start_blocked' ] || complain "says '$(cat "$work/err")'"
printf 'voxels 3 3 3\nfill 0,0,0 2,2,1 blocked\n' >"$work/cellar"
expect 0 solve "$work/cellar" --from 1,1,0 --to 0,0,2 --snap
expect_out "$(printf '1,1,2\n0,0,2')"
printf 'graph\nnode 1 0 0\nnode 2 5 0\nnode 3 6 0\nedge 1 3 100\nset 2 blocked\n' >"$work/net"
expect 1 solve "$work/net" --from 1 --to 2
grep -q '^wend: 2 is blocked; the nearest open node is 3, and --snap takes it$' "$work/err" || complain "says '$(cat "$work/err")'"
expect 0 solve "$work/net" --from 1 --to 2 --snap --json
grep -q '"cells":\[1,3\],.*"snapped":\[{"asked":2,"taken":3}\]}' "$work/out" || complain "snapped: $(cat "$work/out")"

# Pictures.
expect 0 solve "$problem" --draw ansi
[ "$(wc -l <"$work/out")" -ge 5 ] || complain 'a picture of fewer lines than rows'
grep -q "$(printf '\033')" "$work/out" && complain 'colours where there is no terminal'
grep -q A "$work/out" && grep -q B "$work/out" || complain 'no start and goal in the picture'
expect 0 solve "$problem" --draw svg
grep -q '<svg' "$work/out" || complain 'no svg on standard output'
expect 0 solve "$problem" --draw png
[ "$(head -c 4 "$work/out" | tail -c 3)" = PNG ] || complain 'no png on standard output'
expect 0 solve "$problem" --draw svg --output "$work/picture"
cmp -s "$work/out" "$work/path" || complain 'coordinates missing beside a picture in a file'
grep -q '<svg' "$work/picture" || complain 'no svg in the file'
expect 0 solve "$problem" --json --output "$work/p.png"
expect_field cost 64
[ "$(head -c 4 "$work/p.png" | tail -c 3)" = PNG ] || complain 'no png in the file'
expect 1 solve "$work/wall" --draw ansi
grep -q 'no path: no way leads from the start to the goal; expanded 0 cells' "$work/err" || complain "legend: $(cat "$work/err")"
grep -q A "$work/out" || complain 'no picture where there is no path'
# The legend of letters is words for people; pictures in files and SVG have theirs below the map.
expect 0 solve "$problem" --draw ansi
[ "$(wc -l <"$work/out")" -eq 5 ] || complain "a legend among the letters: $(cat "$work/out")"
grep -q 'A start  B goal  : path' "$work/err" || complain "no legend: $(cat "$work/err")"
expect 0 solve "$problem" --output "$work/p.ansi"
grep -q '^map of 5 x 5 cells' "$work/p.ansi" || complain "no legend in a file: $(cat "$work/p.ansi")"
expect 0 solve "$problem" --draw svg
grep -q '>path found, cost 64, 7 cells; ' "$work/out" && grep -q '>1 cell<' "$work/out" || complain 'no legend in svg'
# Expanded cells, and units of a world file.
expect 0 solve "$problem" --engine astar --draw ansi
grep -q '+' "$work/out" && complain "expanded cells that nobody asked for: $(cat "$work/out")"
expect 0 solve "$problem" --engine astar --draw ansi --draw-expanded
grep -q '+' "$work/out" && grep -q '+ expanded' "$work/err" || complain "no expanded cells: $(cat "$work/out")"
expect 0 solve "$problem" --draw svg --draw-expanded
grep -q 'ffdd59' "$work/out" || complain 'no expanded cells in svg'
expect_refused '--draw-expanded is for pictures' solve "$problem" --draw-expanded
printf 'grid 5 2\noccupy 2,1\noccupy 2,1\noccupy 4,0\n' >"$work/units"
expect 0 solve "$work/units" --from 0,0 --to 3,0 --draw ansi
expect_out "$(printf 'A::B@\n..@..')"

# A picture that is refused leaves alone the file that stands there; one that cannot be written says why.
expect 0 generate empty 2049x1 --output "$work/wide.map"
echo kept >"$work/kept.svg"
expect_refused 'too large for ansi and svg' solve "$work/wide.map" --from 0,0 --to 9,0 --output "$work/kept.svg"
[ "$(cat "$work/kept.svg")" = kept ] || complain 'a refused picture took a file with it'
if [ -w /dev/full ]; then
    ln -s /dev/full "$work/full.svg"
    expect_refused 'full.svg: cannot be written: No space left' solve "$problem" --output "$work/full.svg"
    [ -L "$work/full.svg" ] || complain 'a link was removed'
fi
printf 'grid 2049 1\n' >"$work/wide"
expect_refused 'too large for ansi and svg: at most 2048' solve "$work/wide" --from 0,0 --to 1,0 --draw svg
[ ! -e "$work/none/p.svg" ] && expect_refused 'No such file' solve "$problem" --draw svg --output "$work/none/p.svg"
expect_refused 'too large' solve "$work/wide" --from 0,0 --to 1,0 --output "$work/left.svg"
[ ! -e "$work/left.svg" ] || complain 'half a picture is left'

# Bad usage.
expect_refused 'which map' solve
expect_refused 'a word too many' solve "$problem" "$problem"
expect_refused 'no option --bogus' solve "$problem" --bogus=1
expect_refused 'no option -x' solve "$problem" -x
expect_refused 'needs a value' solve "$problem" --from
expect_refused '--json takes no value' solve "$problem" --json=1
expect_refused 'a cell such as' solve "$problem" --from 1
expect_refused 'a cell such as' solve "$problem" --from 1,2,3,4
expect_refused 'a cell such as' solve "$problem" --from 1,x
expect_refused 'not on the map: x is from 0 to 4' solve "$problem" --from -1,0
expect_refused 'not on the map' solve "$problem" --to 5,0
expect_refused 'not on the map' solve "$problem" --to 0,0,1
expect_refused 'not on the map' solve "$problem" --to 0,999999999
expect_refused 'a cell such as' solve "$problem" --to 0,9999999999
expect_refused '--from is missing' solve "$work/world" --to 0,0
expect_refused '--to is missing' solve "$work/world" --from 0,0
expect_refused 'one of never|one|always' solve "$problem" --corners nev
expect_refused 'from 1 to 100' solve "$problem" --weight 0.999
expect_refused 'from 1 to 100' solve "$problem" --weight 100.0001
expect_refused 'from 1 to 100' solve "$problem" --weight 1e2
expect_refused 'whole number from 1' solve "$problem" --slice 0
expect_refused 'whole number from 1' solve "$problem" --slice 18446744073709551616
expect_refused 'from 1 to 1000000' solve "$problem" --cost 0,0
expect_refused 'from 1 to 1000000' solve "$problem" --cost 1000000,1000001
expect_refused '10 to 20, not 21' solve "$problem" --cost 10,21
expect_refused '10 to 20, not 9' solve "$problem" --cost 10,9
expect_refused 'S,D' solve "$problem" --cost 10
expect_refused 'No such file' solve "$work/nothing"
printf 'Rows 2\nColumns 2\n0 0\n0 x\n' >"$work/bad"
expect_refused 'bad:4:3:' solve "$work/bad"
expect_refused 'map in space\|maps in space' solve "$problem" --neighbours 18
expect_refused '--draw and --json' solve "$problem" --draw svg --json
expect_refused 'which picture' solve "$problem" --output "$work/p.gif"

# Defaults, said.
expect 0 solve "$problem" --mover default --mode exact --engine auto --reach 0

# ---- several goals, reach, nearest ----
expect 0 solve "$work/world" --from 0,0 --to 2,0 --to 1,0 --to 2,0
expect_out "$(printf '0,0\n1,0')"
expect 0 solve "$problem" --reach 1 --json
expect_field cost 50
expect 0 solve "$problem" --reach 255
expect_out 3,1
expect_refused 'from 0 to 255' solve "$problem" --reach 256
printf 'Rows 2\nColumns 5\nA 0 0 1 B\n0 0 0 1 0\n' >"$work/river"
expect 1 solve "$work/river"
expect_out ''
expect 1 solve "$work/river" --mode nearest
expect_out "$(printf '0,0\n1,0\n2,0')"
grep -q '^wend: partial$' "$work/err" || complain "says '$(cat "$work/err")'"
expect 1 solve "$work/river" --mode nearest --json
grep -q '^{"status":"partial","cost":20,"cells":\[\[0,0\],\[1,0\],\[2,0\]\],' "$work/out" || complain "nearest: $(cat "$work/out")"
expect 0 solve "$work/river" --mode nearest --to 2,1
expect 0 solve "$work/river" --mode nearest --reach 2 --json
expect_field status found
many=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "--to %d,%d ", 4 - i % 5, 4 - i % 4 }')
expect 0 solve "$problem" $many
expect_refused 'more than 64 times' solve "$problem" $many --to 0,0

# ---- movers, links and closed steps of world files ----
cat >"$work/zoo" <<'END'
grid 6 4
mover fish 1=blocked 255=1
mover tank size=2
fill 0,3 5,3 255
set 3,0 blocked
link 0,0 5,0 7
step 4,0 5,0 blocked
END
expect 0 solve "$work/zoo" --mover fish --from 0,3 --to 2,3
expect_out "$(printf '0,3\n1,3\n2,3')"
expect 1 solve "$work/zoo" --from 0,3 --to 2,3 --json
expect_field status start_blocked
expect 0 solve "$work/zoo" --from 0,0 --to 5,0
expect_out "$(printf '0,0\n5,0')"
expect 1 solve "$work/zoo" --mover fish --from 0,0 --to 5,0 --json
expect 0 solve "$work/zoo" --mover tank --from 0,0 --to 4,1 --json
grep -q '\[3,0\]\|\[2,0\]' "$work/out" && complain "a tank in a gap: $(cat "$work/out")"
expect 1 solve "$work/zoo" --mover tank --from 0,0 --to 5,1 --json
expect_field status goal_blocked
expect 0 solve "$work/zoo" --from 0,2 --to 2,2 --avoid 255 --json
expect_field status found
expect 1 solve "$work/zoo" --mover fish --from 0,3 --to 2,3 --avoid 7 --avoid 255 --json
expect_field status start_blocked
for class in 256 mud '' -1 1x; do
    expect_refused "--avoid is a terrain class from 0 to 255; not '$class'" solve "$work/zoo" --from 0,0 --to 1,0 --avoid "$class"
done
expect_refused "the map knows no 'wolf'" solve "$work/zoo" --mover wolf --from 0,0 --to 1,0
expect_refused "the map knows no ''" solve "$work/zoo" --mover '' --from 0,0 --to 1,0
expect 0 solve "$work/zoo" --from 4,0 --to 5,0
[ "$(wc -l <"$work/out")" -gt 2 ] || complain 'through a closed step'
for picture in ansi svg png; do
    expect 0 solve "$work/zoo" --from 0,0 --to 5,0 --draw $picture
    [ -s "$work/out" ] || complain "links: no $picture"
done

# ---- in space ----
tiny=$data/tiny.3dmap
expect 0 solve "$tiny" --from 1,1,1 --to 3,1,2
[ "$(wc -l <"$work/out")" -eq 3 ] && [ "$(tail -n 1 "$work/out")" = 3,1,2 ] || complain "in space: $(cat "$work/out")"
expect 0 solve "$tiny" --from 1,1 --to 1,1,1 --json
grep -q '"cost":10,"cells":\[\[1,1,0\],\[1,1,1\]\],' "$work/out" || complain "in space: $(cat "$work/out")"
space() { # cost word...: from corner to corner of a cube of 3
    printf 'voxels 3 3 3\n' >"$work/cube"
    wanted_cost=$1
    shift
    expect 0 solve "$work/cube" --from 0,0,0 --to 2,2,2 "$@" --json
    expect_field cost "$wanted_cost"
}
space 34
space 34 --neighbours 26
space 42 --neighbours 18
space 60 --neighbours 6
space 3464 --cost 1000,1414,1732
space 51 --cost 10,17,24 --neighbours 18 # the third is not used
space 51 --cost 10,17 --neighbours 18
space 60 --cost 10,17 --neighbours 6
printf 'voxels 2 2 2\nset 1,0,0 blocked\nset 0,1,1 blocked\n' >"$work/corner"
expect 0 solve "$work/corner" --from 0,0,0 --to 1,1,1 --json
expect_field cost 30
expect 0 solve "$work/corner" --from 0,0,0 --to 1,1,1 --corners one --json
expect_field cost 17
printf 'voxels 2 2 2\nfill 0,0,0 1,1,1 blocked\nset 0,0,0 open\nset 1,1,1 open\n' >"$work/corner"
expect 1 solve "$work/corner" --from 0,0,0 --to 1,1,1 --corners one --json
expect 0 solve "$work/corner" --from 0,0,0 --to 1,1,1 --corners always --json
expect_field cost 17
expect 0 solve "$data/layers.txt"
[ "$(head -n 1 "$work/out") $(tail -n 1 "$work/out")" = '0,0,0 1,2,4' ] || complain "layers: $(cat "$work/out")"
grep -A 1 -x 4,1,0 "$work/out" | grep -qx 0,1,2 || complain "no stairs: $(cat "$work/out")"
grep -A 1 -x 2,3,2 "$work/out" | grep -qx 3,2,4 || complain "no hatch: $(cat "$work/out")"
expect 0 solve "$data/layers.txt" --draw ansi
[ "$(grep -c '^z=' "$work/out")" = 5 ] || complain "layers: $(cat "$work/out")"
expect 0 solve "$data/layers.txt" --draw svg
grep -q '<svg' "$work/out" || complain 'layers: no svg'
expect 0 solve "$data/layers.txt" --output "$work/layers.png"
[ -s "$work/layers.png" ] || complain 'layers: no png'
expect_refused 'not on the map: x is from 0 to 8, y from 0 to 5, z from 0 to 4' solve "$tiny" --from 1,1,5 --to 1,1,1
expect_refused 'a cell such as 3,1,2' solve "$tiny" --from 1 --to 1,1,1
expect_refused '4 is for flat grids; a map in space has 6, 18 or 26' solve "$tiny" --neighbours 4
expect_refused '8 is for flat grids' solve "$tiny" --neighbours 8
expect_refused '18 is for maps in space' solve "$problem" --neighbours 18
expect_refused 'it is S,D,T, such as 10,14,17' solve "$tiny" --cost 10,14
expect_refused 'from D to 2 D - S, here 14 to 18, not 19' solve "$tiny" --cost 10,14,19
expect_refused 'from D to 2 D - S, here 14 to 18, not 13' solve "$tiny" --cost 10,14,13
expect_refused 'from 1 to 1000000, not 1000001' solve "$tiny" --cost 1000000,1000000,1000001
expect_refused 'S,D' solve "$tiny" --cost 10,14,17,19

# ---- graphs ----
roads=$data/roads.gr
expect 0 solve "$roads" --from 1 --to 5
expect_out "$(printf '1\n2\n3\n5')"
expect 0 solve "$roads" --from 1 --to 5 --json
grep -q '^{"status":"found","cost":[0-9]*,"cells":\[1,2,3,5\],' "$work/out" || complain "graph: $(cat "$work/out")"
expect 0 solve "$roads" --from 4 --to 6 --to 2 --to 1 --json
expect_field cost 40
expect 1 solve "$roads" --from 6 --to 1 --json
expect_field status no_path
expect 1 solve "$roads" --from 6 --to 1 --mode nearest --json
expect_field status partial
grep -q '"cells":\[6\]' "$work/out" || complain "graph, nearest: $(cat "$work/out")"
for picture in svg png; do
    expect 0 solve "$roads" --from 1 --to 5 --draw $picture --output "$work/roads.$picture"
    [ -s "$work/roads.$picture" ] || complain "graph: no $picture"
done
expect_refused '--draw ansi: a graph cannot be drawn in letters' solve "$roads" --from 1 --to 5 --draw ansi
expect_refused '--neighbours is for grids' solve "$roads" --from 1 --to 5 --neighbours 8
expect_refused '--corners is for grids' solve "$roads" --from 1 --to 5 --corners one
expect_refused '--cost is for grids' solve "$roads" --from 1 --to 5 --cost 10,14
expect_refused '--reach is for grids' solve "$roads" --from 1 --to 5 --reach 1
expect_refused 'the number of a node, such as 3; not' solve "$roads" --from 1,1 --to 5
expect_refused 'not on the map: there is no such node' solve "$roads" --from 0 --to 5
expect_refused 'not on the map: there is no such node' solve "$roads" --from 1 --to 7
expect_refused 'not on the map: there is no such node' solve "$roads" --from 1 --to -1
expect_refused '--from is missing, and the map has no start' solve "$roads" --to 5
grep -v '^c' "$roads" >"$work/bare.gr" # without coordinates
expect 0 solve "$work/bare.gr" --from 1 --to 5
expect_refused 'mode nearest: the graph.s nodes have no coordinates' solve "$work/bare.gr" --from 1 --to 5 --mode nearest
input=$roads
expect 0 solve - --from 1 --to 5
input=/dev/null
cp "$data/roads.co" "$work/bare.co"
sed -i.old '2s/[0-9]/x/' "$work/bare.co"
expect_refused 'bare.co:2:' solve "$work/bare.gr" --from 1 --to 5

# ---- smooth paths ----
expect 0 solve "$problem" --smooth none
cmp -s "$work/out" "$work/path" || complain '--smooth none: another path'
expect 0 solve "$problem" --smooth pull
lines=$(wc -l <"$work/out")
[ "$lines" -ge 3 ] && [ "$lines" -lt "$(wc -l <"$work/path")" ] || complain "--smooth pull: $lines turns"
[ "$(sed -n '1p;$p' "$work/out")" = "$(sed -n '1p;$p' "$work/path")" ] || complain '--smooth pull: other ends'
points=$(sed 's/[0-9][0-9]*/&.000/g; s/.*/[&]/' "$work/out" | paste -s -d , -)
expect 0 solve "$problem" --smooth pull --json
grep -q -F "\"cells\":[$cells],\"points\":[$points]," "$work/out" || complain "--smooth pull: $(cat "$work/out")"
for smooth in spline arc; do
    expect 0 solve "$problem" --smooth $smooth
    grep -q -v '^-\{0,1\}[0-9]*\.[0-9][0-9][0-9],-\{0,1\}[0-9]*\.[0-9][0-9][0-9]$' "$work/out" &&
        complain "--smooth $smooth: $(cat "$work/out")"
    [ "$(sed -n 1p "$work/out")" = 3.000,1.000 ] || complain "--smooth $smooth begins elsewhere"
    expect 0 solve "$problem" --smooth $smooth --draw svg
    [ "$(grep -c '<polyline' "$work/out")" -eq 2 ] || complain "--smooth $smooth: not a line and a curve"
    expect 0 solve "$problem" --smooth $smooth --draw png --output "$work/smooth.png"
done
expect 0 solve "$tiny" --from 0,0,0 --to 1,1,1 --smooth arc
expect_refused 'smooth' solve "$roads" --from 1 --to 5 --smooth pull
expect 0 solve "$problem" --smooth pull --radius 0.4 --json
expect_field clearance 0.400
expect 0 solve "$problem" --smooth pull --radius 0.4
grep -q -v '^[0-9]*\.[0-9][0-9][0-9],[0-9]*\.[0-9][0-9][0-9]$' "$work/out" && complain "--radius: $(cat "$work/out")"
expect 0 solve "$problem" --smooth pull --radius 2 --json
expect_field clearance 0.500
expect 0 solve "$problem" --smooth spline --radius 0.4 --draw svg
[ "$(grep -c 'stroke-width="0.8" stroke-opacity' "$work/out")" -eq 1 ] || complain '--radius: no way of a disc'
expect 0 solve "$problem" --smooth pull --radius 0.4 --draw png --output "$work/smooth.png"
printf 'grid 30 30\n' >"$work/plain"
expect 0 solve "$work/plain" --from 5,15 --to 20,15 --smooth arc --turning 2 --heading -1,0
[ "$(sed -n 1p "$work/out")" = 5.000,15.000 ] || complain "--turning begins elsewhere: $(cat "$work/out")"
sed -n 2p "$work/out" | grep -q '^4\.' || complain "--heading: $(cat "$work/out")"
expect 1 solve "$work/plain" --from 0,15 --to 20,15 --smooth arc --turning 2 --heading -1,0 --json
grep -q '"points":\[\],"blocked":true' "$work/out" || complain "--turning without room: $(cat "$work/out")"
expect_refused '--radius is for smooth lines' solve "$problem" --radius 0.4
expect_refused '--turning is for arcs' solve "$problem" --smooth pull --turning 2
expect_refused '--heading is for vehicles' solve "$problem" --smooth arc --heading 1,0
expect_refused '--heading is a direction' solve "$problem" --smooth arc --turning 2 --heading 0,0
expect_refused 'radius is a number from 0 to 16' solve "$problem" --smooth pull --radius 16.001
expect_refused 'radius_milli is 400, but lines keep a distance on flat grids only' solve "$tiny" --from 0,0,0 --to 1,1,1 \
    --smooth pull --radius 0.4
printf 'grid 3 1\nset 1,0 blocked\n' >"$work/walled"
expect 1 solve "$work/walled" --from 0,0 --to 2,0 --smooth pull --json
grep -q '"points":\[\]' "$work/out" || complain "no path, --smooth: $(cat "$work/out")"

# ---- Tiled ----
expect 0 solve "$data/tutorial.tmj" --json
cost=$(field cost)
[ "$cost" -gt 100 ] || complain "tutorial: costs $cost"
expect 0 solve "$data/tutorial.tmj" --draw ansi
[ "$(wc -l <"$work/out")" -eq 15 ] && grep -q '%' "$work/out" || complain "tutorial: $(cat "$work/out")"
expect 0 solve "$data/tutorial.tmj" --draw svg
grep -q '<svg' "$work/out" || complain 'tutorial: no svg'
input=$data/tutorial.tmj
expect 0 solve - --json
expect_field cost "$cost"
input=/dev/null
printf 'map %s\nfill 0,0 1,1 blocked\n' "$data/tutorial.tmj" >"$work/edited"
expect 0 solve "$work/edited" --json
expect_field cost "$cost"
printf '{ "type": "map", }' >"$work/bad.tmj"
expect_refused 'bad.tmj:1:' solve "$work/bad.tmj"
if [ -w /dev/full ] && { : >/dev/full; } 2>/dev/null; then
    for map in "$tiny --from 0,0,0 --to 1,1,1" "$roads --from 1 --to 5" "$data/tutorial.tmj --draw png"; do
        ./wend solve $map >/dev/full 2>"$work/err"
        [ $? -eq 2 ] || complain "$map: a full disk is no success"
    done
fi
# A far route, walked leg by leg: no dearer than it said, and no cheaper than the cheapest.
./wend generate caves 500x400 --seed 3 --output "$work/caves.map" 2>/dev/null
expect 0 solve "$work/caves.map" --from 9,9 --to 480,380 --snap --json
cost=$(field cost)
expect 0 solve "$work/caves.map" --from 9,9 --to 480,380 --snap --mode far --json
expect_field exact false
[ "$(field cost)" -ge "$cost" ] || complain 'a far route is cheaper than the cheapest'
[ "$(field cost)" -le "$(field cost_at_most)" ] || complain 'a far route is dearer than it said'
[ "$(field first_leg)" -gt 1 ] || complain 'a far route has no first leg'
grep -q '"crossings":\[\[' "$work/out" || complain 'a far route has no crossings'
expect_refused '8 neighbours' solve "$work/caves.map" --from 9,9 --to 480,380 --neighbours 4 --mode far
finish
