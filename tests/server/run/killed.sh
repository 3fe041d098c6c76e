#!/bin/sh
# SPDX-License-Identifier: MIT
# Each command that writes a file is killed at each of its calls for that file, and finds the disk full at each: then the
# old file or the new one is there whole, and an error is told. streams.py has the land of a server.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs lab extra
dying=${WEND_PROGRAMS:-$PWD}/dying_wend
[ -x "$dying" ] || { echo 'killed.sh: no dying_wend in this build'; exit 77; }
full=28 # ENOSPC
kills=0 refusals=0

# The commands, behind the files that they write, in the work folder. A file with ~ has times of the run: it is whole
# with as many lines, or the same last line.
commands() {
    cat <<'ROWS'
map.txt|convert problem1.txt map.txt
map.map|convert tiny.map map.map
map.3dmap|convert tiny.3dmap map.3dmap
map.gr map.co|convert roads.gr map.gr
map.tmj|convert tutorial.tmj map.tmj
land/0,0.wend land/1,0.wend|convert wide.map land/
map.wend|bake tiny.map map.wend
path.png|solve problem1.txt --output path.png
steps.svg|explain problem1.txt --steps 3 --film steps.svg
walk.svg|run walk.wend --animate walk.svg
last.png|run walk.wend --output last.png
calls.wend|run walk.wend --record calls.wend
late.wend|run walk.wend --record late.wend --record-from 3
walk.save|run saves.wend
log.txt|stress tiny.map --agents 5 --frames 5 --log log.txt
~frames.csv|stress tiny.map --agents 5 --frames 5 --csv frames.csv
~trace.json|stress tiny.map --agents 5 --frames 5 --trace trace.json
load.wend|stress tiny.map --agents 5 --frames 5 --record load.wend
tracks.png|stress tiny.map --agents 5 --frames 5 --output tracks.png
~queries.tsv|scen tiny.map.scen --tsv queries.tsv
ROWS
}

put_old() { # file...
    for file in "$@"; do
        rm -f "${file#\~}" "${file#\~}.new"
        echo 'an old file' >"${file#\~}"
    done
}

is_old_or_new() { # file
    name=${1#\~}
    echo 'an old file' | cmp -s - "$name" && return
    case $1 in
    \~*) [ "$(wc -l <"$name")" -eq "$(wc -l <"$name.whole")" ] || [ "$(tail -n 1 "$name")" = "$(tail -n 1 "$name.whole")" ] ;;
    *) cmp -s "$name" "$name.whole" ;;
    esac
}

check_files() { # what file...
    what=$1
    shift
    for file in "$@"; do is_old_or_new "$file" || complain "$what: ${file#\~} is neither the old file nor the new one"; done
}

for file in problem1.txt tiny.map tiny.3dmap roads.gr roads.co tutorial.tmj tutorial.png tiny.map.scen; do
    cp "$data/$file" "$work/" || exit 99
done
cd "$work" || exit 99
{ printf 'type octile\nheight 1\nwidth 70\nmap\n'; printf '%070d\n' 0 | tr 0 .; } >wide.map
printf 'grid 9 9\nagent a 1,1\ngo a to 7,5\nframe 20\n' >walk.wend
printf 'grid 9 9\nagent a 1,1\ngo a to 7,5\nframe 5\nsave walk.save\n' >saves.wend
mkdir land

commands >rows
while IFS='|' read -r files words; do
    # shellcheck disable=SC2086 # one word each
    set -- $files
    put_old "$@"
    # shellcheck disable=SC2086
    "$dying" $words >out 2>err || { complain "$words: exit $?: $(cat err)"; continue; }
    for file in "$@"; do cp "${file#\~}" "${file#\~}.whole"; done
    for error in '' $full; do
        at=0 status=1
        while [ "$status" -ne 0 ]; do
            at=$((at + 1))
            put_old "$@"
            first=${1#\~}
            # shellcheck disable=SC2086
            FAULT_FILE=${first##*/}.new FAULT_AT=$at FAULT_ERROR=$error "$dying" $words >out 2>err
            status=$?
            [ "$status" -eq 0 ] && break
            [ "$at" -lt 200 ] || { complain "$words: too many calls"; break; }
            what="$words, call $at, ${error:+full disk}"
            check_files "$what" "$@"
            case $error:$status in
            :137) kills=$((kills + 1)) ;;
            $full:2) refusals=$((refusals + 1)); grep -q 'No space left on device' err || complain "$what: says '$(cat err)'" ;;
            *) complain "$what: exit $status: $(cat err)"; break ;;
            esac
        done
        [ "$at" -gt 5 ] || complain "$words: only $at calls for a file"
    done
done <rows
# ---- a limit of file sizes is a full disk, and no signal ----
printf 'grid 9 9\nagent a 1,1\ngo a to 7,5\nframe 2\nmark m\nframe 2\nrewind m\nframe 5\n' >marks.wend
"$wend" run marks.wend >whole || complain 'marks'
(ulimit -f 0 && exec "$wend" run marks.wend 2>&1) | cmp -s - whole || complain 'marks under a limit of file sizes'
for words in 'convert problem1.txt map.txt' 'solve problem1.txt --output path.png' 'run walk.wend --record calls.wend' 'run saves.wend'; do
    for file in map.txt path.png calls.wend walk.save; do put_old "$file"; done
    # shellcheck disable=SC2086
    told=$( (ulimit -f 0 && exec "$wend" $words) 2>&1 >/dev/null) && complain "$words: exit 0"
    case $told in *'File too large'*) ;; *) complain "$words: says '$told'" ;; esac
    for file in map.txt path.png calls.wend walk.save; do
        echo 'an old file' | cmp -s - "$file" && [ ! -e "$file.new" ] || complain "$words: $file is another, or left aside"
    done
done

echo "$kills kills, $refusals refusals"
finish
