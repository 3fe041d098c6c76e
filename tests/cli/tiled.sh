#!/bin/sh
# SPDX-License-Identifier: MIT
# What the program says of Tiled maps, and of others that it reads with a warning: on stderr, each kind once; --strict and
# --blocked; the numbers of an infinite map's cells.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs extra

expect_warning() { # text: all of stderr
    [ "$(cat "$work/err")" = "$1" ] || complain "says '$(cat "$work/err")', not '$1'"
}

tiled() { # properties of tile 2: a map of 4 × 2 cells
    cat <<END
{"type":"map","orientation":"orthogonal","width":4,"height":2,"tilewidth":16,"tileheight":16,"tilesets":[{"firstgid":1,
"name":"s","tilecount":3,"tiles":[{"id":1,"properties":[$1]}]}],"layers":[{"name":"ground","type":"tilelayer","width":4,
"height":2,"data":[1,2,1,1,1,1,1,1]}]}
END
}

tiled '{"name":"collides","value":true}' >"$work/m.tmj"
tiled '{"name":"sound","value":"mud"}' >"$work/open.tmj"
said="$work/m.tmj: warning: 1 tile blocked by 'collides'"
nothing="$work/open.tmj: warning: no tile, layer or object of this map says what blocks: all 8 cells are open (--blocked NAME)"

# Every command that reads a map.
expect 0 info "$work/m.tmj" --json
expect_field open 7
expect_warning "$said"
expect 0 solve "$work/m.tmj" --from 0,0 --to 3,0 --json
expect_field cost 44
expect_warning "$said"
expect 0 convert "$work/m.tmj" "$work/m.txt"
expect_warning "$said"
expect 0 bake "$work/m.tmj" "$work/m.baked"
expect_warning "$said"
if has server; then
    printf 'map m.tmj\nrequest a 0,0 3,0\ndrain\n' >"$work/m.wend"
    expect 0 run "$work/m.wend"
    expect_field cost 44
    expect_warning "$said"
    expect_refused "1 tile blocked by 'collides'" run "$work/m.wend" --strict
fi
if has lab; then
    expect 0 stress "$work/m.tmj" --agents 2 --frames 2
    grep -q "blocked by 'collides'" "$work/err" || complain "stress: $(cat "$work/err")"
    expect_refused "1 tile blocked by 'collides'" plan "$work/m.tmj" --agents 1 --hz 20 --strict
fi
input=$work/m.tmj
expect 0 info -
expect_warning "<stdin>: warning: 1 tile blocked by 'collides'"
input=/dev/null

# A map without walls is said so, and read.
expect 0 solve "$work/open.tmj" --from 0,0 --to 3,0
expect_warning "$nothing"
expect_refused 'says what blocks: all 8 cells are open' solve "$work/open.tmj" --from 0,0 --to 3,0 --strict

# Files that a map names: below its folder, or --anywhere.
mkdir -p "$work/pack/maps" "$work/pack/sets"
echo '<tileset name="x" tilecount="3"><tile id="1"><properties><property name="blocked" type="bool" value="true"/></properties></tile></tileset>' \
    >"$work/pack/sets/x.tsx"
tiled '' | sed 's|"name":"s".*|"source":"../sets/x.tsx"}],"layers":[{"name":"ground","type":"tilelayer","width":4,|' >"$work/pack/maps/m.tmj"
expect_refused "m.tmj: tileset '../sets/x.tsx' is not below the map's folder (--anywhere reads it)" info "$work/pack/maps/m.tmj"
expect 0 info "$work/pack/maps/m.tmj" --anywhere --json
expect_field open 7
(cd "$work/pack" && sed 's|\.\./||' maps/m.tmj >m.tmj)
expect 0 info "$work/pack/m.tmj" --json
expect_field open 7
if has server; then
    printf 'map maps/m.tmj\nrequest a 0,0 3,0\ndrain\n' >"$work/pack/m.wend"
    expect_refused "is not below the map's folder" run "$work/pack/m.wend"
    expect 0 run "$work/pack/m.wend" --anywhere
    expect_field cost 44
fi

# Names of the caller's, in any case; none of the common ones then.
expect 0 info "$work/m.tmj" --blocked COLLIDES --strict --json
expect_field open 7
expect_warning ''
expect 0 info "$work/m.tmj" --blocked tree --blocked rock --json
expect_field open 8
tiled '{"name":"free","value":false}' >"$work/free.tmj"
expect 0 info "$work/free.tmj" --blocked '!free' --json
expect_field open 7
expect_warning ''
expect_refused 'a list of names has up to 64, none of them empty' info "$work/m.tmj" --blocked ''
set --
for i in $(seq 64); do set -- "$@" --blocked "n$i"; done
expect 0 info "$work/m.tmj" "$@"
expect_refused 'more than 64 times' info "$work/m.tmj" "$@" --blocked n65

# The same map as XML.
cat >"$work/m.tmx" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="2" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="m.tsx"/>
 <layer id="1" name="ground" width="4" height="2"><data encoding="csv">1,2,1,1,
1,1,1,1</data></layer>
</map>
END
cat >"$work/m.tsx" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<tileset name="s" tilewidth="16" tileheight="16" tilecount="3">
 <tile id="1"><properties><property name="collides" type="bool" value="true"/></properties></tile>
</tileset>
END
expect 0 convert "$work/m.tmx" "$work/x.txt"
expect_warning "$work/m.tmx: warning: 1 tile blocked by 'collides'"
cmp -s "$work/m.txt" "$work/x.txt" || complain 'the map as XML is another one'
rm "$work/m.tsx"
expect 0 info "$work/m.tmx"
grep -q "warning: tileset 'm.tsx' is missing: its tiles say nothing" "$work/err" || complain "$(cat "$work/err")"
sed 's/<map/<map </' "$work/m.tmx" >"$work/bad.tmx"
expect_refused 'bad.tmx:2:6: no XML: not well-formed' info "$work/bad.tmx"
printf '<!DOCTYPE map [<!ENTITY a "a"><!ENTITY b "&a;&a;">]><map>&b;</map>' >"$work/bomb.tmx"
expect_refused 'bomb.tmx:1:.*a DOCTYPE with declarations, which are not read' info "$work/bomb.tmx"

# The cells of an infinite map are Tiled's in info and solve; in scripts they count from 0.
sed 's/"width":4,"height":2,"tilewidth"/"infinite":true,"tilewidth"/; s/"data":\[.*\]}\]}/"chunks":[{"x":-16,"y":-8,"width":4,"height":2,"data":[1,2,1,1,1,1,1,1]}]}]}/' \
    "$work/m.tmj" | sed 's/"width":4,$//; s/^"height":2,"chunks"/"chunks"/' >"$work/endless.tmj"
expect 0 info "$work/endless.tmj"
grep -q '^origin *-16,-8, the first cell in Tiled$' "$work/out" || complain "info: $(cat "$work/out")"
expect 0 info "$work/endless.tmj" --json
grep -q '"origin":\[-16,-8\]' "$work/out" || complain "info --json: $(cat "$work/out")"
expect 0 solve "$work/endless.tmj" --from -16,-8 --to -14,-8
expect_out "$(printf '%s\n' -16,-8 -16,-7 -15,-7 -14,-7 -14,-8)"
expect 0 solve "$work/endless.tmj" --from -16,-8 --to -15,-8 --snap --json
grep -q '"origin":\[-16,-8\].*"asked":\[-15,-8\]' "$work/out" || complain "solve --json: $(cat "$work/out")"
expect 0 solve "$work/endless.tmj" --from -16,-7 --to -14,-7 --smooth spline
grep -q '^-16.000,-7.000$' "$work/out" || complain "solve --smooth: $(cat "$work/out")"
expect_refused '0,0 is not on the map: x is from -16 to -13, y from -8 to -7' solve "$work/endless.tmj" --from 0,0 --to -16,-8
if has server; then
    printf 'map endless.tmj\n' >"$work/endless.wend"
    expect 0 solve "$work/endless.wend" --from 0,0 --to 0,1
    expect_out "$(printf '%s\n' 0,0 0,1)"
fi

# Text maps.
printf 'height 1\nwidth 2\nmap\n.@\n' >"$work/m.map"
expect 0 info "$work/m.map"
expect_warning "$work/m.map: warning: no 'type' line: read as octile"
expect_refused "no 'type' line: read as octile" info "$work/m.map" --strict
printf 'p sp 2 1\na 1 2 0\n' >"$work/m.gr"
expect 0 solve "$work/m.gr" --from 1 --to 2 --json
expect_field cost 1
expect_warning "$work/m.gr: warning: 1 arc of cost 0 read as 1"
printf '1 3\n0,1,0\n' >"$work/m.txt"
expect 0 info "$work/m.txt" --json
expect_field open 2
expect_warning "$work/m.txt: warning: '1 3' read as 1 rows of 3 columns; commas between cells"
finish
