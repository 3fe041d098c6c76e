#!/bin/sh
# SPDX-License-Identifier: MIT
# wend info, convert and generate.
. "${WEND_SRCDIR:-.}/tests/cli_lib.sh"

# ---- info ----
expect 0 info "$data/problem1.txt" --json
grep -q '^{"kind":"grid","width":5,"height":5,"depth":1,"cells":25,"open":22,"components":1,"links":0,"bytes":[1-9]' "$work/out" ||
    complain "info: $(cat "$work/out")"
expect 0 info "$data/problem1.txt"
grep -q '^open *22 (88.0 %)' "$work/out" || complain 'info: no share of open cells'

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
# Random maps against a flood fill in awk.
for seed in 1 2 3 4 5; do
    expect 0 generate random 61x47 --density 0.45 --seed $seed --output "$work/random.map"
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
for ending in 3dmap gr co tmj; do
    expect_refused "\.$ending files are not available" convert "$data/problem1.txt" "$work/p.$ending"
done
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
    # Every size down to one cell, whatever the density.
    for size in 1x1 2x1 1x2 3x3 4x9 9x4 130x5 5x130 64x65; do
        for density in 0 0.5 1; do
            expect 0 generate $kind $size --density $density --output "$work/any.map"
            expect 0 info "$work/any.map" --json
            [ "$(field width)x$(field height)" = $size ] || complain "$kind $size is $(field width)x$(field height)"
        done
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
for seed in 1 2 3; do
    connected 0.4 maze 101x77 --seed $seed
    connected 0.5 maze 300x270 --seed $seed
    connected 0.5 rooms 100x90 --seed $seed
    connected 0.5 rooms 100x90 --density 1 --seed $seed
    connected 0.2 caves 200x190 --seed $seed
done
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

expect_refused 'graph is not available' generate graph 100
expect_refused 'number of nodes' generate graph many
expect_refused 'space are not available' generate caves 10x10x10
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
expect_refused 'not available' generate caves 5x5 --output "$work/caves.tmj"
finish
