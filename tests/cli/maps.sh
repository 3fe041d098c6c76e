#!/bin/sh
# SPDX-License-Identifier: MIT
# wend info, convert and generate.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server lab extra

# ---- info ----
expect 0 info "$data/problem1.txt" --json
grep -q '^{"kind":"grid","width":5,"height":5,"depth":1,"cells":25,"open":22,"components":1,"links":0,"bytes":[1-9]' "$work/out" ||
    complain "info: $(cat "$work/out")"
expect 0 info "$data/problem1.txt"
grep -q '^open *22 (88.0 %)' "$work/out" || complain 'info: no share of open cells'

refused() { # text arguments...
    text=$1
    shift
    expect 2 "$@"
    grep -qF "$text" "$work/err" || complain "$*: $(cat "$work/err")"
}
# ---- letters that MovingAI's format does not have ----
printf 'type octile\nheight 2\nwidth 4\nmap\n.E.S\n@.ET\n' >"$work/letters.map"
refused "$work/letters.map:5:2: expected one of . G @ O T S W, found 'E'; --letters E=. reads it as open ground" \
    info "$work/letters.map"
expect 0 info "$work/letters.map" --letters E=.,S=@ --json
expect_field open 5
expect 0 info "$work/letters.map" --letters=E=@ --json
expect_field open 4
for wrong in E E= E=x E=.,, E=.S=. =. 'E=.;S=.'; do
    refused "letters are given as E=.,S=W, each read as one of . G @ O T S W; not '$wrong'" \
        info "$work/letters.map" --letters "$wrong"
done
printf 'letters E=. S=W\nmap letters.map\nrequest a 0,0 2,1\ndrain\n' >"$work/letters.wend"
expect 0 run "$work/letters.wend"
expect_field cost 24
printf 'grid 2 2\nletters E=.\n' >"$work/late.wend"
refused "$work/late.wend:2:1: letters come before map" run "$work/late.wend"

parts() { # number script-line...: a world file from its lines
    part_count=$1
    shift
    printf '%s\n' "$@" >"$work/world"
    expect 0 info "$work/world" --json
    expect_field components "$part_count"
}
parts 1 'grid 9 9'
parts 0 'grid 9 9' 'fill 0,0 8,8 blocked'
parts 1 'grid 1 1'
parts 2 'grid 9 9' 'fill 4,0 4,8 blocked'
parts 1 'grid 9 9' 'fill 4,0 4,7 blocked'
# Two corners that touch: joined only where corners never matter, and only with diagonal steps.
set -- 'fill 0,0 1,1 blocked' 'set 0,0 open' 'set 1,1 open'
parts 2 'grid 2 2' "$@"
parts 2 'grid 2 2' 'corners one' "$@"
parts 1 'grid 2 2' 'corners always' "$@"
parts 2 'grid 2 2' 'corners always' 'neighbours 4' "$@"
set -- 'fill 0,0 1,1 blocked' 'set 1,0 open' 'set 0,1 open'
parts 1 'grid 2 2' 'corners always' "$@"
parts 1 'grid 3 3' 'mover default 7=blocked' 'fill 0,1 1,1 7'
parts 2 'grid 3 3' 'mover default 7=blocked' 'fill 0,1 2,1 7'
# Combs: parts that join only in the last row, and rings within rings.
awk 'BEGIN { print "grid 41 41"; for (x = 1; x < 41; x += 2) print "fill " x ",0 " x ",39 blocked" }' >"$work/comb"
expect 0 info "$work/comb" --json
expect_field components 1
sed 's/,39 /,40 /' "$work/comb" >"$work/stripes"
expect 0 info "$work/stripes" --json
expect_field components 21
awk 'BEGIN { print "grid 41 41"
    for (r = 1; r < 20; r += 2) { a = r; b = 40 - r
        print "fill " a "," a " " b "," a " blocked"; print "fill " a "," b " " b "," b " blocked"
        print "fill " a "," a " " a "," b " blocked"; print "fill " b "," a " " b "," b " blocked" } }' >"$work/rings"
expect 0 info "$work/rings" --json
expect_field components 11
# Scattered blocks against a flood fill in awk.
for seed in 1 2; do
    awk -v seed=$seed 'BEGIN { print "type octile\nheight 47\nwidth 61\nmap"; state = seed * 7919
        for (y = 0; y < 47; y++) { row = ""
            for (x = 0; x < 61; x++) { state = state * 16807 % 2147483647; row = row (state % 100 < 45 ? "@" : ".") }
            print row } }' >"$work/random.map"
    count=$(awk 'NR > 4 { for (x = 1; x <= length($0); x++) if (substr($0, x, 1) == ".") open[x, NR] = 1 }
        END { for (at in open) if (!(at in seen)) { parts++; n = 1; stack[1] = at; seen[at] = 1
            while (n) { split(stack[n--], p, SUBSEP)
                for (d = 0; d < 4; d++) { to = (p[1] + (d == 0) - (d == 1)) SUBSEP (p[2] + (d == 2) - (d == 3))
                    if ((to in open) && !(to in seen)) { seen[to] = 1; stack[++n] = to } } } }
            print parts }' "$work/random.map")
    expect 0 info "$work/random.map" --json
    expect_field components "$count"
    [ "$count" -gt 10 ] || complain "only $count parts: proves little"
done
# Large and empty: little memory, little time.
printf 'grid 16384 16384\n' >"$work/large"
expect 0 info "$work/large" --json
expect_field cells 268435456
expect_field open 268435456
expect_field components 1
[ "$(field bytes)" -lt 26843545 ] || complain "an empty map of $(field bytes) bytes"
input=$data/problem1.txt
expect 0 info - --json
expect_field open 22
input=/dev/null
expect_refused 'which map' info
expect_refused 'No such file' info "$work/nothing"

expect 0 info "$data/tiny.3dmap" --json
grep -q '^{"kind":"voxel","width":9,"height":6,"depth":5,"cells":270,"open":246,"components":1,"links":0,"bytes":[1-9]' "$work/out" ||
    complain "info: $(cat "$work/out")"
grep -q '"neighbours":26,"corners":"never","cost":\[10,14,17\]}' "$work/out" || complain "info: $(cat "$work/out")"
expect 0 info "$data/tiny.3dmap"
grep -q '^size  *9 x 6 x 5$' "$work/out" && grep -q '17 through space' "$work/out" || complain "info: $(cat "$work/out")"
expect 0 info "$data/layers.txt" --json
expect_field links 4
grep -q '"start":\[0,0,0\],"goal":\[1,2,4\]}' "$work/out" || complain "info: $(cat "$work/out")"
expect 0 info "$data/roads.gr" --json
grep -q '^{"kind":"graph","width":7,"height":1,"depth":1,"cells":6,"open":6,"components":1,"links":0,"bytes":[1-9]' "$work/out" ||
    complain "info: $(cat "$work/out")"
grep -q '"nodes":6,"edges":11,"coordinates":true,"heuristic":"distance","cost_per_unit":0.857' "$work/out" || complain "info: $(cat "$work/out")"
expect 0 info "$data/roads.gr"
grep -q '^heuristic  *straight distance, 0.857' "$work/out" || complain "info: $(cat "$work/out")"
input=$data/roads.gr
expect 0 info - --json # no coordinates there
grep -q '"coordinates":false,"heuristic":"none","cost_per_unit":0}' "$work/out" || complain "info: $(cat "$work/out")"
input=/dev/null
expect 0 info "$data/tutorial.tmj" --json
grep -q '"width":20,"height":15,.*"start":\[2,2\],"goal":\[17,11\]}' "$work/out" || complain "info: $(cat "$work/out")"
printf '%s\n' 'grid 5 5' 'mover fish 1=blocked 255=1' 'link 0,0 4,4 3' 'step 1,1 1,2 blocked' 'step 1,2 1,1 blocked' >"$work/world"
expect 0 info "$work/world" --json
expect_field links 1
expect_field movers 2
expect_field closed_steps 2
expect 0 info "$work/world"
grep -q '^closed steps  *2$' "$work/out" && grep -q '^movers  *2$' "$work/out" || complain "info: $(cat "$work/out")"
printf '%s\n' graph 'node 1' 'node 2' 'node 9' 'edge 1 2 5' >"$work/world"
expect 0 info "$work/world" --json
expect_field nodes 3
expect_field open 3
expect_field components 2
# Large and empty in space.
printf 'voxels 1024 1024 1024\n' >"$work/large"
expect 0 info "$work/large" --json
expect_field open 1073741824
[ "$(field bytes)" -lt 26843545 ] || complain "empty space of $(field bytes) bytes"

# ---- convert ----
expect 0 convert "$data/problem1.txt" "$work/p.txt"
grep -q A "$work/p.txt" && grep -q B "$work/p.txt" || complain 'convert: A and B are lost'
expect 0 solve "$work/p.txt" --json
expect_field cost 64
expect 0 convert "$data/problem1.txt" "$work/p.map"
grep -q 'left out' "$work/err" || complain 'convert: no word on A and B'
printf 'type octile\nheight 5\nwidth 5\nmap\n.....\n..@..\n..@@.\n.....\n.....\n' | cmp - "$work/p.map" || complain 'convert: another map'
expect 0 convert "$work/p.map" "$work/q.txt"
expect 0 convert "$work/q.txt" "$work/q.map"
cmp -s "$work/p.map" "$work/q.map" || complain 'convert: there and back is another map'
expect 0 convert "$data/caves512.map" "$work/caves.txt"
expect 0 convert "$work/caves.txt" "$work/caves.map"
cmp -s "$data/caves512.map" "$work/caves.map" || complain 'convert: the caves come back as another map'
printf 'Rows 2\nColumns 2\n0 0\n0 5\n' >"$work/slow"
expect_refused 'cell 1,1' convert "$work/slow" "$work/slow.map"
[ ! -e "$work/slow.map" ] || complain 'convert: half a map is left'
expect_refused 'cell 3,1' convert "$data/tiny.map" "$work/tiny.txt" # swamp in grid text

# A folder of chunks: each file has the cells of its part of the map.
expect 0 generate caves 130x70 --seed 4 --output "$work/land/"
expect 0 generate caves 130x70 --seed 4 --output "$work/whole.map"
[ "$(ls "$work/land" | wc -l)" -eq 6 ] || complain 'generate: not a file a chunk'
expect 0 convert "$work/whole.map" "$work/land1/"
diff -r "$work/land" "$work/land1" >/dev/null || complain 'convert: other chunks than generate writes'
for y in 0 1; do
    for x in 0 1 2; do
        expect 0 convert "$work/land/$x,$y.wend" "$work/chunk.map"
        tail -n +5 "$work/whole.map" | sed -n "$((y * 64 + 1)),$((y * 64 + 64))p" |
            cut -c $((x * 64 + 1))-$((x * 64 + 64)) >"$work/part"
        tail -n +5 "$work/chunk.map" | cmp -s - "$work/part" || complain "generate: the chunk $x,$y has other cells"
    done
done
expect_refused 'only flat grids' convert "$data/tiny.3dmap" "$work/space/"
printf 'grid 9 9\nlink 0,0 8,8 10\n' >"$work/joined"
expect_refused 'has links' convert "$work/joined" "$work/land2/"
expect_refused 'No such file' convert "$work/whole.map" "$work/none/land/"
expect_refused 'cannot be written' generate caves 8x8x8 --output "$work/space/"
[ ! -e "$work/space" ] && [ ! -e "$work/land2" ] || complain 'convert: half a folder is left'

# There and back, for every format.
there_and_back() { # file ending: through OUT.ending to a second OUT.ending; the same bytes, the same map
    expect 0 convert "$1" "$work/there.$2"
    expect 0 convert "$work/there.$2" "$work/back.$2"
    cmp -s "$work/there.$2" "$work/back.$2" || complain "$1: .$2 and back is another file"
    expect 0 info "$1" --json
    tr ',' '\n' <"$work/out" >"$work/asked"
    expect 0 info "$work/back.$2" --json
    tr ',' '\n' <"$work/out" >"$work/got"
    for question in cells open links width height depth nodes edges; do
        [ "$(grep "\"$question\":" "$work/asked")" = "$(grep "\"$question\":" "$work/got")" ] ||
            complain "$1: .$2 and back has other $question"
    done
}
there_and_back "$data/problem1.txt" txt
there_and_back "$data/problem1.txt" tmj
there_and_back "$data/tiny.txt" txt
there_and_back "$data/tiny.txt" tmj
there_and_back "$data/tiny.map" map
there_and_back "$data/tiny.map" tmj
there_and_back "$data/tiny.3dmap" 3dmap
there_and_back "$data/tiny.3dmap" txt
there_and_back "$data/layers.txt" txt
there_and_back "$data/tutorial.tmj" tmj
there_and_back "$data/tutorial.tmj" txt
there_and_back "$data/roads.gr" gr
cmp -s "$work/there.co" "$work/back.co" || complain 'coordinates come back as others'
expect 0 info "$work/back.gr" --json
expect_field coordinates true
# Through another format and back: the same map.
expect 0 convert "$data/tiny.3dmap" "$work/tiny3.txt"
expect 0 convert "$work/tiny3.txt" "$work/tiny3.3dmap"
expect 0 convert "$data/tiny.3dmap" "$work/plain.3dmap"
cmp -s "$work/tiny3.3dmap" "$work/plain.3dmap" || complain 'voxels come back from grid text as others'
expect 0 convert "$data/caves512.map" "$work/caves.tmj"
expect 0 convert "$work/caves.tmj" "$work/caves.map"
cmp -s "$data/caves512.map" "$work/caves.map" || complain 'the caves come back from Tiled as others'
for file in problem1.txt tutorial.tmj layers.txt; do
    expect 0 solve "$data/$file" --json
    cost=$(field cost)
    case $file in layers.txt) ending=txt ;; *) ending=tmj ;; esac
    expect 0 convert "$data/$file" "$work/again.$ending"
    expect 0 solve "$work/again.$ending" --json
    expect_field cost "$cost"
done
expect 0 convert "$data/roads.gr" "$work/again.gr"
expect 0 solve "$work/again.gr" --from 1 --to 5 --json
expect_field cost 140
# What is wrong with the coordinates beside a graph stands in their file, wherever the graph is named.
mkdir -p "$work/beside"
printf 'p sp 2 1\na 1 2 5\n' >"$work/beside/g.gr"
printf 'p aux sp co 2\nv 1 0 0\nv x 1 0\n' >"$work/beside/g.co"
printf 'map beside/g.gr\n' >"$work/world"
for name in beside/g.gr world; do
    expect_refused "^$work/beside/g.co:3:3: expected a node" info "$work/$name"
done
rm "$work/beside/g.co"
mkdir "$work/beside/g.co"
expect_refused "^$work/beside/g.co: " info "$work/beside/g.gr"
# World files too; what no map file can hold is refused, or said where it is only beside the map.
printf 'map %s\nset 0,0 5\n' "$data/problem1.txt" >"$work/world"
expect 0 convert "$work/world" "$work/world.txt"
sed -n 3p "$work/world.txt" | grep -q '^5 ' || complain "world: $(cat "$work/world.txt")"
printf 'voxels 2 2 2\nset 1,1,1 blocked\n' >"$work/world"
expect 0 convert "$work/world" "$work/world.3dmap"
[ "$(tr '\n' ' ' <"$work/world.3dmap")" = 'voxel 2 2 2 1 1 1 ' ] || complain "world: $(cat "$work/world.3dmap")"
printf 'graph\nnode 1\nnode 2\nedge 1 2 5\n' >"$work/world"
rm -f "$work/world.co"
expect 0 convert "$work/world" "$work/world.gr"
[ ! -e "$work/world.co" ] || complain 'coordinates of nodes without any'
refuse() { # words ending script-line...
    refused=$1 ending=$2
    shift 2
    printf '%s\n' "$@" >"$work/world"
    rm -f "$work/no.$ending"
    expect_refused "no.$ending: $refused" convert "$work/world" "$work/no.$ending"
    [ ! -e "$work/no.$ending" ] || complain "half a .$ending is left"
}
refuse 'the link from cell 0,0 to cell 1,1 leads one way only' txt 'grid 2 2' 'link 0,0 1,1 10'
refuse 'the link from cell 0,0 to cell 1,1' map 'grid 2 2' 'link 0,0 1,1 10'
refuse 'the step from cell 0,0 to cell 0,1 is closed' txt 'grid 2 2' 'step 0,0 0,1 blocked'
refuse '.*step' tmj 'grid 2 2' 'step 0,0 0,1 blocked'
refuse 'the mover tank, which no map file can hold' tmj 'grid 2 2' 'mover tank size=2' 'mover fish 1=blocked'
refuse 'cell 1,1 is of class 254, which grid text' txt 'grid 2 2' 'set 1,1 254'
refuse 'cell 1,1,1 is of class 2, which a .3dmap' 3dmap 'voxels 2 2 2' 'set 1,1,1 2'
refuse 'a flat grid cannot be written as a .3dmap' 3dmap 'grid 2 2'
refuse 'a flat grid cannot be written as a DIMACS graph' gr 'grid 2 2'
refuse 'a grid of voxels cannot be written as a MovingAI map' map 'voxels 2 2 2'
refuse '.*voxels' tmj 'voxels 2 2 2'
refuse '.*graph' tmj graph 'node 1'
refuse 'a graph cannot be written as grid text' txt graph 'node 1'
refuse '.*there is a node' gr graph 'node 0' 'node 1'
refuse '.*there is no node' gr graph 'node 1' 'node 3'
printf 'grid 2 2\nneighbours 4\n' >"$work/world"
expect 0 convert "$work/world" "$work/world.txt"
grep -q 'neighbours, corners, costs and factors are left out' "$work/err" || complain "says '$(cat "$work/err")'"
expect 0 convert "$data/tutorial.tmj" "$work/t.txt"
grep -q 'routes are left out' "$work/err" || complain "says '$(cat "$work/err")'"
expect 0 convert "$data/tiny.3dmap" "$work/t.3dmap"
[ ! -s "$work/err" ] || complain "says '$(cat "$work/err")' of nothing left out"
expect_refused 'written with their graph: name that' convert "$data/roads.gr" "$work/p.co"
if [ -w /dev/full ]; then
    for ending in txt map 3dmap gr tmj; do
        rm -f "$work/full.$ending"
        ln -s /dev/full "$work/full.$ending"
        case $ending in 3dmap) from=tiny.3dmap ;; gr) from=roads.gr ;; *) from=problem1.txt ;; esac
        expect 2 convert "$data/$from" "$work/full.$ending"
        grep -q 'No space left' "$work/err" || complain ".$ending: says '$(cat "$work/err")'"
        [ -L "$work/full.$ending" ] || complain "a link was removed"
    done
fi
expect_refused 'says the format' convert "$data/problem1.txt" "$work/p.png"
expect_refused 'says the format' convert "$data/problem1.txt" "$work/no.map/p"
expect_refused 'which file' convert "$data/problem1.txt"
expect_refused 'No such file' convert "$work/nothing" "$work/p.txt"
expect_refused 'none/p.txt:' convert "$data/problem1.txt" "$work/none/p.txt"

# ---- generate ----
expect 0 generate caves 512x512 --seed 1
cmp -s "$work/out" "$data/caves512.map" || complain 'generate: data/caves512.map is another map'
for kind in random maze rooms caves city; do
    expect 0 generate $kind 150x70 --seed 5 --output "$work/one.map"
    expect_out ''
    expect 0 generate $kind 150x70 --seed 5
    cmp -s "$work/out" "$work/one.map" || complain "$kind: the same seed, another map"
    expect 0 generate $kind 150x70 --seed 6
    cmp -s "$work/out" "$work/one.map" && complain "$kind: another seed, the same map"
    # test_generate makes every size at every density.
    for size in 1x1 130x5; do
        expect 0 generate $kind $size --density 0.5 --output "$work/any.map"
        expect 0 info "$work/any.map" --json
        [ "$(field width)x$(field height)" = $size ] || complain "$kind $size is $(field width)x$(field height)"
        expect_field components 1
    done
done
expect 0 generate empty 7x3
printf 'type octile\nheight 3\nwidth 7\nmap\n.......\n.......\n.......\n' | cmp - "$work/out" || complain 'empty: not empty'
connected() { # word...: one part, with at least that share open
    least=$1
    shift
    expect 0 generate "$@" --output "$work/one.map"
    expect 0 info "$work/one.map" --json
    expect_field components 1
    awk -v open="$(field open)" -v cells="$(field cells)" -v least="$least" 'BEGIN { exit !(open >= cells * least) }' ||
        complain "$*: only $(field open) open"
}
connected 0.4 maze 101x77
connected 0.5 maze 300x270 --seed 2
connected 0.5 rooms 100x90
connected 0.5 rooms 100x90 --density 1
connected 0.2 caves 200x190
# A maze without loops has one open wall fewer than junctions; with corridors of one cell that is easy to count.
expect 0 generate maze 41x41 --output "$work/maze.map"
expect 0 info "$work/maze.map" --json
expect_field open $((2 * 20 * 20 - 1))
expect 0 generate maze 41x41 --density 0 --output "$work/maze.map"
expect 0 info "$work/maze.map" --json
expect_field open $((20 * 20 + 2 * 20 * 19))
expect 0 generate random 200x200 --density 0.3 --output "$work/random.map"
expect 0 info "$work/random.map" --json
[ "$(field open)" -gt 27000 ] && [ "$(field open)" -lt 29000 ] || complain "random 0.3: $(field open) of 40000 open"
expect 0 generate rooms 40x30 --output "$work/rooms.txt"
expect 0 info "$work/rooms.txt" --json
expect_field width 40

# In space.
for kind in random maze rooms caves city; do
    expect 0 generate $kind 30x20x10 --seed 5 --output "$work/one.3dmap"
    expect_out ''
    expect 0 generate $kind 30x20x10 --seed 5
    cmp -s "$work/out" "$work/one.3dmap" || complain "$kind: the same seed, another map"
    expect 0 generate $kind 30x20x10 --seed 6
    cmp -s "$work/out" "$work/one.3dmap" && complain "$kind: another seed, the same map"
    for size in 1x1x1 33x17x5; do
        expect 0 generate $kind $size --density 0.5 --output "$work/any.3dmap"
        expect 0 info "$work/any.3dmap" --json
        [ "$(field width)x$(field height)x$(field depth)" = $size ] || complain "$kind $size is another size"
        expect_field components 1
    done
done
expect 0 generate empty 3x2x1
expect_out 'voxel 3 2 1'
connected_in_space() { # word...: one part, with at least that share open
    least=$1
    shift
    expect 0 generate "$@" --output "$work/one.3dmap"
    expect 0 info "$work/one.3dmap" --json
    expect_field components 1
    awk -v open="$(field open)" -v cells="$(field cells)" -v least="$least" 'BEGIN { exit !(open >= cells * least && open < cells) }' ||
        complain "$*: $(field open) open of $(field cells)"
}
connected_in_space 0.15 maze 31x33x17
connected_in_space 0.3 rooms 40x30x20
connected_in_space 0.3 rooms 40x30x20 --density 1
connected_in_space 0.1 caves 50x50x50
connected_in_space 0.3 city 80x80x20
# A maze without loops has one open wall fewer than boxes.
expect 0 generate maze 21x21x21 --output "$work/maze.3dmap"
expect 0 info "$work/maze.3dmap" --json
expect_field open $((2 * 10 * 10 * 10 - 1))
expect 0 generate maze 21x21x21 --density 0 --output "$work/maze.3dmap"
expect 0 info "$work/maze.3dmap" --json
expect_field open $((1000 + 3 * 900))
expect 0 generate random 40x40x40 --density 0.3 --output "$work/random.3dmap"
expect 0 info "$work/random.3dmap" --json
[ "$(field open)" -gt 43000 ] && [ "$(field open)" -lt 46600 ] || complain "random 0.3: $(field open) of 64000 open"
expect 0 generate caves 9x8x7 --output "$work/caves3.txt"
expect 0 info "$work/caves3.txt" --json
expect_field kind voxel
expect 0 generate caves 20x20 --output "$work/flat.tmj"
expect 0 info "$work/flat.tmj" --json
expect_field width 20

# Graphs.
for nodes in 1 2 1000; do
    for density in 0 1; do
        rm -f "$work/g.co"
        expect 0 generate graph $nodes --density $density --output "$work/g.gr"
        expect_out ''
        [ -s "$work/g.co" ] || complain "graph $nodes: no coordinates"
        expect 0 info "$work/g.gr" --json
        expect_field nodes $nodes
        expect_field components 1
        expect_field coordinates true
    done
done
[ "$(field edges)" -eq $((2 * 999)) ] || complain "a tree of $(field edges) edges"
expect 0 generate graph 2500 --seed 7 --output "$work/g.gr"
cp "$work/g.co" "$work/first.co"
expect 0 generate graph 2500 --seed 7
cmp -s "$work/out" "$work/g.gr" || complain 'graph: the same seed, another graph'
expect 0 generate graph 2500 --seed 7 --output "$work/g.gr"
cmp -s "$work/g.co" "$work/first.co" || complain 'graph: the same seed, other coordinates'
expect 0 generate graph 2500 --seed 8
cmp -s "$work/out" "$work/g.gr" && complain 'graph: another seed, the same graph'
expect 0 info "$work/g.gr" --json
expect_field heuristic distance
one_way=$(awk '$1 == "a" { way[$2 " " $3] = 1 } END { for (w in way) { split(w, at, " "); if (!((at[2] " " at[1]) in way)) n++ } print n + 0 }' "$work/g.gr")
[ "$one_way" -gt 100 ] || complain "graph: only $one_way one-way streets"
for goal in 2 50 1250 2451 2500; do # there and back: every node can be reached, one-way streets or not
    expect 0 solve "$work/g.gr" --from 1 --to $goal --json
    cost=$(field cost)
    expect 0 solve "$work/g.gr" --from 1 --to $goal --heuristic zero --json
    expect_field cost "$cost"
    expect 0 solve "$work/g.gr" --from $goal --to 1
done

for size in many 0 -1 1x1 16777217 99999999999999999999; do
    [ $size = -1 ] || expect_refused 'number of nodes from 1 to 16777216' generate graph $size
done
expect_refused 'a graph cannot be written in that format' generate graph 5 --output "$work/g.txt"
expect_refused 'a flat grid cannot be written in that format' generate caves 5x5 --output "$work/g.gr"
expect_refused 'a flat grid cannot be written in that format' generate caves 5x5 --output "$work/g.3dmap"
expect_refused 'a map in space cannot be written in that format' generate caves 5x5x5 --output "$work/g.map"
expect_refused 'a map in space cannot be written in that format' generate caves 5x5x5 --output "$work/g.tmj"
expect_refused '1 to 65536' generate caves 5x5x0
expect_refused '1 to 65536' generate caves 5x5x65537
expect_refused 'more than 4294967296 cells' generate caves 65536x65536x2
for size in 10 10x x10 10xx10 10x10x 10x10x10x10 axb ''; do expect_refused 'a size is WxH' generate caves "$size"; done
expect_refused '1 to 65536' generate caves 0x5
expect_refused '1 to 65536' generate caves 5x65537
expect_refused '1 to 65536' generate caves 99999999999999999999x5
expect_refused "no kind 'swamp'" generate swamp 5x5
expect_refused 'how large' generate caves
expect_refused 'from 0 to 1,' generate caves 5x5 --density 1.001
expect_refused 'has no --density' generate empty 5x5 --density 0
expect_refused 'whole number' generate caves 5x5 --seed -1
expect_refused 'says the format' generate caves 5x5 --output "$work/caves"
expect_refused 'No such file' generate caves 5x5 --output "$work/none/caves.tmj"
if [ -w /dev/full ] && { : >/dev/full; } 2>/dev/null; then
    for what in 'caves 9x9' 'caves 20x20x20' 'graph 1000'; do
        ./wend generate $what >/dev/full 2>"$work/err"
        [ $? -eq 2 ] || complain "$what: a full disk is no success"
    done
fi

# ---- bake ----
printf '%s\n' 'grid 90 70' 'cost 1000 1414' 'fill 20,0 20,60 blocked' 'link 0,0 80,60 7' 'step 3,3 3,4 blocked' >"$work/world"
expect 0 bake "$work/world" "$work/world.baked" --landmarks 2
for from in 0,0 3,3 60,5; do
    expect 0 solve "$work/world" --from $from --to 70,10 --json
    baked_cost=$(field cost)
    expect 0 solve "$work/world.baked" --from $from --to 70,10 --json
    expect_field cost "$baked_cost"
done
expect 0 info "$work/world.baked" --json
expect_field closed_steps 1
input=$work/world.baked
expect 0 bake - "$work/again"
input=/dev/null
dd if="$work/world.baked" of="$work/cut" bs=1000 count=1 2>"$work/err"
expect_refused 'cut:1:1001: the file ends here' solve "$work/cut" --from 0,0 --to 1,1
expect_refused 'which map into which file' bake "$work/world"
expect_refused 'a graph cannot be written as a baked map' bake "$data/roads.gr" "$work/none"
printf '%s\n' 'grid 5 5' 'mover fish 1=blocked 255=1' >"$work/world"
expect_refused 'movers, which a baked map cannot hold' bake "$work/world" "$work/none"

# ---- stress ----
expect_refused 'roads.gr: --unreachable: every cell can be reached' stress "$data/roads.gr" --unreachable 10
expect_refused 'neighbours is for grids' stress "$data/roads.gr" --neighbours 4
# ---- limits ----
# A size that a header claims costs no more than its map does.
for size in '2048 2048 1024' '65536 65536 1' '1 65536 65536'; do
    echo "voxel $size" >"$work/air.3dmap"
    # Seconds of processor time, where one is enough: memory or time in proportion to the map would end it.
    (ulimit -t 60 && exec ./wend info "$work/air.3dmap" --json >"$work/out" 2>"$work/err") || complain "air of $size: $(cat "$work/err")"
    expect_field open 4294967296
done
# Scripts have 256 MiB at most. (The file has a hole, so it takes no room.)
for bytes in 268435456 268435457; do
    echo 'grid 1 1' >"$work/long"
    dd if=/dev/zero of="$work/long" bs=1 count=0 seek=$bytes 2>"$work/err" || complain "dd: $(cat "$work/err")"
    if [ $bytes -eq 268435456 ]; then words='long:2:1: '; else words='larger than 268435456 bytes, the most that is read'; fi
    expect_refused "$words" run "$work/long"
done
expect_refused 'zero: larger than 268435456 bytes' run /dev/zero
expect_refused 'zero: larger than 268435456 bytes' scen /dev/zero
expect_refused 'zero:1:1: not a map file' info /dev/zero

# ---- teleports cost one straight step of the costs in force ----
printf 'Rows 1\nColumns 7\nt1 0 1 t1 1 0 0\n' >"$work/teleport.txt"
solve_teleport() { # cost map option...
    wanted_cost=$1
    shift
    expect 0 solve "$@" --from 0,0 --to 3,0 --json
    expect_field cost "$wanted_cost"
}
solve_teleport 10 "$work/teleport.txt"
solve_teleport 7 "$work/teleport.txt" --cost 7,10
solve_teleport 1000 "$work/teleport.txt" --cost 1000,1414
printf 'map teleport.txt\ncost 70 99\n' >"$work/dear"
solve_teleport 70 "$work/dear"
solve_teleport 7 "$work/dear" --cost 7,10
printf 'map teleport.txt\nlink 0,0 3,0 10\n' >"$work/linked" # a link of the script's own, though it costs as much
solve_teleport 10 "$work/linked" --cost 7,10
printf 'map linked\ncost 70 99\n' >"$work/linked-dear"
solve_teleport 10 "$work/linked-dear"
expect 0 solve "$work/linked-dear" --from 3,0 --to 0,0 --json # the way back is a teleport still
expect_field cost 70
printf 'map dear\ncost 20 28\nrequest a 0,0 3,0\ndrain\n' >"$work/deep"
expect 0 run "$work/deep"
expect_field cost 20
expect_field epoch 0
for world in teleport.txt dear; do
    expect 0 convert "$work/$world" "$work/back.txt"
    grep -q '^t1 0 1 t1 1 0 0$' "$work/back.txt" || complain "$world: teleports are lost: $(cat "$work/back.txt")"
done
expect_refused 'costs other than one straight step' convert "$work/linked-dear" "$work/back.txt"

finish
