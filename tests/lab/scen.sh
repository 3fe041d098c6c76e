#!/bin/sh
# SPDX-License-Identifier: MIT
# wend scen: lengths agree with the files', one that was altered is found, maps are found where the contract says.
# The lengths in data/caves512.map.scen were computed by a Dijkstra search of another program.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs server

caves=$data/caves512.map.scen tiny=$data/tiny.map.scen
expect 0 scen "$caves" "$tiny" --json
[ "$(wc -l <"$work/out")" -eq 3 ] || complain 'not a line a file and a last one'
tail -n 1 "$work/out" | grep -q '^{"total":true,"files":2,"queries":15,"mismatches":0,"unreachable":1,' || complain "total: $(tail -n 1 "$work/out")"
head -n 1 "$work/out" | grep -q "^{\"scen\":\"$caves\",\"queries\":12,\"mismatches\":0,\"unreachable\":0," || complain "first: $(head -n 1 "$work/out")"
[ "$(field frames)" -gt 0 ] || complain 'no frames: not through the service'
[ "$(field expansions)" -gt 1000 ] || complain 'no expansions'
expansions=$(field expansions)
awk -v search="$(field search_us)" -v tick="$(field tick_us)" 'BEGIN { exit !(search > 0 && tick >= search) }' || complain 'times make no sense'

expect 0 scen "$caves" "$tiny" --bare --repeat 3 --json
expect_field frames 0
expect_field expansions "$expansions"
[ "$(field search_us)" = "$(field tick_us)" ] || complain 'bare: two times'
expect 0 scen "$caves" --slice 7 --repeat 2 --json
expect_field mismatches 0
expect 0 scen "$caves"
grep -q '^total  *12  *0  *0 ' "$work/out" || complain "table: $(tail -n 1 "$work/out")"

# One length altered: one mismatch, told with its line.
mkdir -p "$work/caves" "$work/maps/caves" "$work/maps/sub" "$work/other"
cp "$data/caves512.map" "$work/maps/caves/"
awk 'BEGIN { FS = OFS = "\t" } NR == 7 { $9 = sprintf("%.8f", $9 + 0.006) } { print }' "$caves" >"$work/caves/x.scen"
expect 1 scen --maps "$work/maps" "$work/caves/x.scen" --json
expect_field mismatches 1
grep -q 'x.scen:7: another length: published' "$work/err" || complain "says '$(cat "$work/err")'"
expect 1 scen --maps "$work/maps" "$work/caves/x.scen" --bare --json
expect_field mismatches 1
awk 'BEGIN { FS = OFS = "\t" } NR == 7 { $9 = sprintf("%.8f", $9 + 0.005) } { print }' "$caves" >"$work/caves/y.scen"
expect 0 scen --maps "$work/maps" "$work/caves/y.scen" --json
awk 'BEGIN { FS = OFS = "\t" } NR == 7 { $9 = 0 } { print }' "$caves" >"$work/caves/y.scen"
expect 1 scen --maps "$work/maps" "$work/caves/y.scen" --json
expect_field mismatches 1
grep -q 'y.scen:7: a path where there is none' "$work/err" || complain "says '$(cat "$work/err")'"
printf 'version 1\r\n\r\n0\ttiny.map\t6\t4\t0\t0\t4\t0\t4\r\n0\ttiny.map\t6\t4\t0\t0\t1\t1\t7\r\n' >"$work/caves/z.scen"
cp "$data/tiny.map" "$work/maps/"
expect 1 scen --maps "$work/maps" "$work/caves/z.scen" --json
grep -q 'z.scen:4: no path: published 7, got -1 (goal_blocked)' "$work/err" || complain "says '$(cat "$work/err")'"

# Under other rules the published lengths no longer hold.
expect 1 scen "$caves" --neighbours 4 --json
[ "$(field mismatches)" -gt 5 ] || complain '4 neighbours: the same lengths'
expect 1 scen "$caves" --corners always --json
expect 0 scen "$caves" --cost 70,99 --json

# A file without queries.
printf 'version 1\n' >"$work/empty.scen"
expect 0 scen "$work/empty.scen" --repeat 2 --json
expect_field queries 0

# Where maps are looked for.
query() { printf '0\t%s\t6\t4\t0\t0\t4\t0\t4\n' "$1"; }
query tiny.map >"$work/caves/a.scen"
expect 0 scen --maps "$work/maps" "$work/caves/a.scen"
query maps/tiny.map >"$work/caves/b.scen"
expect 0 scen --maps "$work/maps" "$work/caves/b.scen"
cp "$data/tiny.map" "$work/other/beside.map"
query far/away/beside.map >"$work/other/c.scen"
expect 0 scen --maps "$work/maps" "$work/other/c.scen"
expect 0 scen "$work/other/c.scen"
cp "$data/tiny.map" "$work/maps/caves/below.map"
query far/away/below.map >"$work/caves/d.scen"
expect 0 scen --maps "$work/maps" "$work/caves/d.scen"
mkdir -p "$work/maps/maps"
sed 's/\./@/' "$data/tiny.map" >"$work/maps/maps/tiny.map" # DIR/NAME comes before DIR/NAME without maps/
expect 1 scen --maps "$work/maps" "$work/caves/b.scen"
query nowhere.map >"$work/caves/e.scen"
expect_2() { # words word...: a heading may be printed before files are opened
    words=$1
    shift
    expect 2 "$@"
    grep -q -e "$words" "$work/err" || complain "$*: says '$(cat "$work/err")', not '$words'"
}
expect_2 "e.scen:1: there is no map 'nowhere.map'" scen --maps "$work/maps" "$work/caves/e.scen"
grep -q "$work/maps/caves/nowhere.map" "$work/err" || complain 'does not say where it looked'
{ query tiny.map; printf '\n0\ttiny.map\t7\t4\t0\t0\t4\t0\t4\n'; } >"$work/caves/f.scen"
expect_2 "f.scen:3: the map 'tiny.map' is 6 x 4, not 7 x 4" scen --maps "$work/maps" "$work/caves/f.scen" --json
printf 'version 1\n0\ttiny.map\t6\t4\t0\t0\t9\t0\t4\n' >"$work/caves/g.scen"
expect_2 'g.scen:2:' scen --maps "$work/maps" "$work/caves/g.scen"
expect_2 'No such file' scen "$work/nothing.scen"

# A line for each query.
expect 1 scen --maps "$work/maps" "$work/caves/z.scen" --bare --tsv "$work/tsv"
[ "$(wc -l <"$work/tsv")" -eq 2 ] || complain 'tsv: not a line a query'
cut -f 2-8 "$work/tsv" >"$work/cut"
printf '0\t0,0\t4,0\t4\t4\tfound\t' >"$work/start"
head -c "$(wc -c <"$work/start")" "$work/cut" | cmp -s - "$work/start" || complain "tsv: $(head -n 1 "$work/cut")"
[ "$(tail -n 1 "$work/cut")" = "$(printf '1\t0,0\t1,1\t7\t-1\tgoal_blocked\t0')" ] || complain "tsv: $(tail -n 1 "$work/cut")"
awk -F '\t' '$9 !~ /^[0-9]+\.[0-9]+$/ { exit 1 }' "$work/tsv" || complain 'tsv: no times'
expect 1 scen --maps "$work/maps" "$work/caves/z.scen" --tsv "$work/tsv"
[ "$(cut -f 9 "$work/tsv" | sort -u)" = - ] || complain 'tsv: times of queries that were not timed alone'
expect_refused 'No such file' scen "$tiny" --tsv "$work/none/tsv"
expect_refused 'No such file' scen "$work/none.scen"
# What is said where a stream is closed does not land in a file that took its number.
./wend scen "$tiny" --tsv "$work/whole" >"$work/out"
./wend scen "$tiny" --tsv "$work/closed" >&- 2>"$work/err"
[ $? -eq 2 ] || complain 'standard output is closed: not exit 2'
cmp -s "$work/whole" "$work/closed" || complain "tsv: $(head -n 1 "$work/closed")"
if [ -w /dev/full ]; then
    expect 2 scen "$tiny" --tsv /dev/full
    grep -q 'full: cannot be written: No space left' "$work/err" || complain "a full disk: $(cat "$work/err")"
fi

expect_refused 'which scenarios' scen
expect_refused '0 to 64' scen "$tiny" --workers 65
expect_refused 'auto.astar.jump' scen "$tiny" --engine dijkstra
expect_2 'is for maps in space' scen "$tiny" --neighbours 26
expect_refused 'from 1 to' scen "$tiny" --repeat 0
expect_refused 'S,D' scen "$tiny" --cost 1000

# ---- voxels ----
voxels=$data/tiny.3dmap.3dscen
expect 0 scen "$voxels" --json
expect_field queries 6
expect_field mismatches 0
expect_field unreachable 0
expansions=$(field expansions)
[ "$expansions" -gt 10 ] && [ "$(field frames)" -gt 0 ] || complain "voxels: $(tail -n 1 "$work/out")"
expect 0 scen "$voxels" --json --cost 1000,1414,1732 --neighbours 26 --corners never --slice 3 --repeat 2
expect_field mismatches 0
expect_field expansions "$expansions"
expect 0 scen "$voxels" --bare --repeat 2 --json --tsv "$work/tsv"
expect_field frames 0
expect_field expansions "$expansions"
[ "$(sed -n 5p "$work/tsv" | cut -f 3-7)" = "$(printf '1,1,1\t7,4,3\t7.97469149\t7.974691495\tfound')" ] || complain "tsv: $(sed -n 5p "$work/tsv")"
expect 0 scen "$voxels" "$caves"
grep -q '^total  *18  *0  *0 ' "$work/out" || complain "both kinds: $(tail -n 1 "$work/out")"
# Under other rules the published lengths no longer hold.
for rules in '--neighbours 18' '--neighbours 6' '--corners always'; do
    expect 1 scen "$voxels" $rules --json
done
expect 1 scen "$voxels" --neighbours 6 --bare --json
grep -q 'tiny.3dmap.3dscen:3: another length: published 10.07106781, got ' "$work/err" || complain "says '$(cat "$work/err")'"

# Lengths altered within the tolerance and beyond, and one that says that there is no way.
cp "$data/tiny.3dmap" "$work/"
awk 'NR == 7 { $7 += 0.005 } { print }' "$voxels" >"$work/a.3dscen"
expect 0 scen "$work/a.3dscen"
awk 'NR == 7 { $7 += 0.0052 } { print }' "$voxels" >"$work/b.3dscen"
expect 1 scen "$work/b.3dscen" --json
expect_field mismatches 1
grep -q 'b.3dscen:7: another length: published' "$work/err" || complain "says '$(cat "$work/err")'"
awk 'NR == 7 { $7 = 0 } { print }' "$voxels" >"$work/c.3dscen"
expect 1 scen "$work/c.3dscen"
grep -q 'c.3dscen:7: a path where there is none' "$work/err" || complain "says '$(cat "$work/err")'"
printf 'version 1\ntiny.3dmap\n4 0 0 8 5 0 0 1\n' >"$work/d.3dscen" # the start is blocked
expect 0 scen "$work/d.3dscen" --json
expect_field unreachable 1
printf 'version 1\nmissing.3dmap\n0 0 0 8 5 0 1 1\n' >"$work/e.3dscen"
expect_2 "e.3dscen:3: there is no map 'missing.3dmap'" scen "$work/e.3dscen"
printf 'version 1\nflat.3dmap\n0 0 0 1 0 0 1 1\n' >"$work/f.3dscen"
cp "$data/tiny.map" "$work/flat.3dmap"
expect_2 "f.3dscen:3: the map 'flat.3dmap' is none of voxels" scen "$work/f.3dscen"
printf '0\tsolid.map\t9\t6\t0\t0\t4\t0\t4\n' >"$work/g.scen"
cp "$data/tiny.3dmap" "$work/solid.map"
expect_2 "g.scen:1: the map 'solid.map' is no flat grid" scen "$work/g.scen"
printf 'version 1\ntiny.3dmap\n0 0 0 8 5 5 1 1\n' >"$work/h.3dscen"
expect_2 "h.3dscen:3: a cell is off the map 'tiny.3dmap'" scen "$work/h.3dscen"
printf 'version 1\ntiny.3dmap\n0 0 0 8 5\n' >"$work/i.3dscen"
expect_2 'i.3dscen:3:' scen "$work/i.3dscen"
expect_2 '8 is for flat grids' scen "$voxels" --neighbours 8
expect_2 'it is S,D,T' scen "$voxels" --cost 10,14
expect_2 'from D to 2 D - S' scen "$voxels" --cost 10,14,19
finish
