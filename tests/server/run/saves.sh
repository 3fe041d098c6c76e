#!/bin/sh
# SPDX-License-Identifier: MIT
# `save`, `restore`, `mark` and `rewind` in scripts. Each script of tests/server/run/scripts is cut at random lines: what is
# printed after the cut must be what a new process prints that restores a save made there, and what the same process prints
# that goes back to it; and what the run prints that goes on from its save. What a script
# prints that goes back to a mark is the same, to the byte. Then files that are no saves, cut, or damaged.
# SAVES_SEED=N cuts elsewhere, SAVES_CUTS=N at as many lines of each script.
set -u
wend=${WEND_PROGRAMS:-${WEND_BUILDDIR:-.}}/wend
. "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/repo/needs.sh"
needs extra
scripts=${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/server/run/scripts
case $wend in /*) ;; *) echo "WEND_BUILDDIR must be absolute"; exit 99 ;; esac
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
# Scripts name files of the repository relative to themselves.
work=$folder/tests/server/run/scripts
mkdir -p "$folder/tests/server/run" && cp -R "$scripts" "$work" && cp -R "$scripts/../../../../data" "$folder" &&
    cp -R "$scripts/../../../../examples" "$folder" && cd "$work" || exit 99
bad=0
complain() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

# Their frames end with searches under way, which begin again.
again=' agents_cut edits edits_at_the_end edits_deadline edits_ends edits_restart edits_same edits_stand engines frame_limits limit_queue limit_restarts_0
limit_restarts_1 limit_restarts_2 limit_versions_1 limit_versions_2 limit_versions_restarts occupied_horizon_0
occupied_horizon_1 on_stale share unloaded wanted '
# Landmarks and far layers are made for the map as it is restored, so ways of the same cost, and far routes, may differ.
made=' far known landmarks '
# A save has no counts of jams: they begin again.
counts=' agents_jams '
is_of() { case "$(echo "$2" | tr '\n' ' ')" in *" $1 "*) return 0 ;; esac; return 1; }
ids_of() { sed -n 's/.*"id":\("[^"]*"\).*/\1/p' "$1" | LC_ALL=C sort; }
same() { # script expected got
    if is_of "$1" "$counts"; then
        sed 's/"updates".*//' "$2" >without.expected
        sed 's/"updates".*//' "$3" >without.got
        cmp -s without.expected without.got
    elif is_of "$1" "$again" || is_of "$1" "$made"; then
        ids_of "$2" >ids.expected
        ids_of "$3" >ids.got
        cmp -s ids.expected ids.got
    else
        cmp -s "$2" "$3"
    fi
}

# What is printed behind the cut, printed twice: the first time without what only the end of the script prints.
try_mark() { # script arguments; `expected` is there, and d.out has what is printed before the cut
    { cat cut.1; echo 'mark cut'; cat cut.2; echo 'rewind cut'; cat cut.2; } >cut.m
    # shellcheck disable=SC2086
    "$wend" run cut.m $2 >m.out 2>m.err
    status=$?
    before=$(wc -l <d.out) after=$(wc -l <expected) all=$(wc -l <m.out)
    head -n "$before" m.out >m.before && head -n "$before" full.out >before && tail -n "$after" m.out >m.again
    tail -n +$((before + 1)) m.out | head -n $((all - before - after)) >m.once
    head -n $((all - before - after)) expected >once
    { [ $status -eq 0 ] && [ "$all" -ge $((before + after)) ] && cmp -s m.before before && cmp -s m.again expected &&
        cmp -s m.once once; } || { complain "$1 marked behind line $(wc -l <cut.1): $(cat m.err)"; diff expected m.again; }
    marked=$((marked + 1))
}
compared=0
refused=0
exact=0
marked=0
try_cut() { # script arguments; cut.1 and cut.2 have the lines before and after the cut
    { cat cut.1; echo 'save cut.save'; cat cut.2; } >cut.a
    { echo 'restore cut.save'; cat cut.2; } >cut.b
    { cat cut.a; cat cut.b; } >cut.c
    { cat cut.1; echo 'expect no_such_name found'; } >cut.d
    rm -f cut.save
    # shellcheck disable=SC2086
    "$wend" run cut.a $2 >a.out 2>a.err
    status=$?
    if [ ! -f cut.save ]; then
        grep -qE 'graph come|during a frame|recording has|third cost is needed' a.err || complain "$1: $(cat a.err)"
        refused=$((refused + 1))
        return
    fi
    [ $status -eq 0 ] || complain "$1: $(cat a.err)"
    # shellcheck disable=SC2086
    "$wend" run cut.d $2 >d.out 2>d.err
    tail -n +$(($(wc -l <d.out) + 1)) full.out >expected
    # shellcheck disable=SC2086
    "$wend" run cut.b $2 >b.out 2>b.err || { complain "$1 from line $(wc -l <cut.1): $(cat b.err)"; return; }
    same "$1" expected b.out || { complain "$1 from line $(wc -l <cut.1) on:"; diff expected b.out; }
    # shellcheck disable=SC2086
    "$wend" run cut.c $2 >c.out 2>c.err || complain "$1 back to line $(wc -l <cut.1): $(cat c.err)"
    tail -n "$(wc -l <b.out)" c.out >c.tail
    cmp -s b.out c.tail || { complain "$1 back to line $(wc -l <cut.1):"; diff b.out c.tail; }
    tail -n +$(($(wc -l <d.out) + 1)) a.out >a.tail
    cmp -s a.tail b.out || is_of "$1" "$made" || is_of "$1" "$counts" ||
        { complain "$1 goes on from its save behind line $(wc -l <cut.1):"; diff a.tail b.out; }
    try_mark "$1" "$2"
    compared=$((compared + 1))
    cmp -s expected b.out && exact=$((exact + 1))
}

seed=${SAVES_SEED:-1}
for script in *.wend; do
    name=${script%.wend}
    arguments=$(sed -n '1s/^# args: //p' "$script" | tr -d '\r')
    case " $arguments" in *' --record'* | *' --animate'*) continue ;; esac
    # shellcheck disable=SC2086
    "$wend" run "$script" $arguments >full.out 2>/dev/null || continue
    first=$(grep -nE '^[^#]*(map|grid|voxels|graph|restore)' "$script" | head -n 1 | cut -d: -f1)
    last=$(awk 'END { print NR }' "$script")
    for turn in $(seq "${SAVES_CUTS:-1}"); do
        number=$(echo "$name $seed $turn" | cksum | cut -d' ' -f1)
        cut=$((${first:-1} + number % (last + 1 - ${first:-1})))
        head -n "$cut" "$script" >cut.1
        [ -z "$(tail -c 1 cut.1)" ] || echo >>cut.1
        tail -n +$((cut + 1)) "$script" >cut.2
        [ -z "$(tail -c 1 cut.2)" ] || echo >>cut.2
        try_cut "$name" "$arguments"
    done
done
[ "$compared" -ge 140 ] || complain "only $compared cuts"
[ "$marked" -ge 130 ] || complain "only $marked marks"
[ $((exact * 10)) -ge $((compared * 8)) ] || complain "only $exact of $compared cuts were exact"

# ---- other files
printf 'grid 9 9\nagent a 1,1\ngo a to 7,7\nrequest r 0,0 8,8\nframe 3\nsave good.save\n' >make
"$wend" run make >/dev/null || complain 'no save'
refuses() { # text of the error
    printf 'restore bad.save\npositions\n' >read
    "$wend" run read >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep -qF "read:1:9: 'bad.save': $1" err && [ "$(wc -l <err)" -eq 1 ] ||
        complain "not '$1': $(cat err out)"
}
rm -f bad.save && refuses 'it cannot be read: '
: >bad.save && refuses 'it is no save of wend run'
cp "$scripts/errors.txt" bad.save && refuses 'it is no save of wend run'
head -c 100 good.save >bad.save && refuses 'the save is cut: it has 100 bytes, and had '
{ cat good.save; echo; } >bad.save && refuses 'the save is cut: '
{ head -c 8 good.save; printf '\011'; tail -c +10 good.save; } >bad.save && refuses 'the save has format 9, this version reads up to 1'
size=$(wc -c <good.save)
for at in 24 32 40 $((size / 2)) $((size - 1)); do
    { head -c "$at" good.save; printf '\377'; tail -c +$((at + 2)) good.save; } >bad.save
    cmp -s good.save bad.save || refuses 'the save is damaged: its checksum is wrong'
done
printf 'grid 9 9\nsave missing/x\n' >read
"$wend" run read >out 2>err && complain 'saved into no folder'
grep -qF "read:2:6: 'missing/x': it cannot be written: " err || complain "$(cat err)"

# ---- marks that are refused
printf 'grid 9 9\nframe\nrewind x\n' >read
"$wend" run read >out 2>err && complain 'went back to no mark'
grep -qF 'read:3:1: only a script to run has marks' err || complain "$(cat err)"
printf 'grid 9 9\nmark y\nframe\nrewind x\n' >read
"$wend" run read >out 2>err && complain 'went back to no mark'
grep -qF "read:4:8: there is no mark 'x'" err || complain "$(cat err)"
{ echo 'grid 9 9'; seq 256 | sed 's/^/mark m/'; echo 'mark m7'; } >read
"$wend" run read >out 2>err || complain "256 marks: $(cat err)"
{ cat read; echo 'mark one_more'; } >more
"$wend" run more >out 2>err && complain '257 marks'
grep -qF 'more:259:6: more than 256 marks' err || complain "$(cat err)"
printf 'grid 9 9\nagent a 1,1\nmark x\ngo a to 7,7\nframe 3\nrewind x\nframe\n' >read
"$wend" run read --animate film.svg >out 2>err && complain 'a film went back'
grep -qF 'read:3:1: a film of --animate does not go back' err || complain "$(cat err)"

echo "$compared cuts, $exact of them exact, $marked marked, $refused refused, $bad failures"
[ "$bad" -eq 0 ]
