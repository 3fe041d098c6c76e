#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may include whom: a room knows only the rooms that docs/architecture.md lets it know, the libraries beside libwend
# and the program know public headers only, and only src/base, src/uv and src/live depend on the system.
# Rooms have sub-rooms: the folders in them. None may know one that knows it, directly or by others: neither by what files
# include, nor by which functions of one call which of the other, as the object files say.
set -u
build=$PWD
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
bad=0
complain() {
    echo "$1: $2"
    bad=$((bad + 1))
}

standard='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign'
standard="$standard stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype"

# What a room may include: rooms of src/, and public headers.
rooms_of() {
    case $1 in
    base) echo base ;;
    orders) echo orders base ;;
    map) echo map orders base ;;
    io) echo io map base ;;
    search) echo search map base ;;
    field) echo field search map base ;;
    service) echo figures service field search map orders base ;;
    motion) echo motion map base ;;
    crowd) echo crowd motion service field search map orders base ;;
    live) echo live orders ;;
    lab) echo lab ;;
    host) echo host orders ;;
    cli) echo cli host orders lab ;;
    *) echo "$1" ;; # uv, extra, live, cli: themselves
    esac
}
public_of() {
    case $1 in
    base) echo base ;;
    orders) echo tuning crowd service acceleration base ;;
    map) echo map edit query acceleration base ;;
    io) echo io map edit acceleration base ;;
    search) echo journey search map query base ;;
    field) echo field service search map query edit base ;;
    service) echo tuning record figures service field search map base ;;
    motion) echo geometry motion watch map query edit base ;;
    crowd) echo crowd motion watch field service journey search map query base ;;
    uv) echo uv wend tuning geometry crowd motion watch record figures field service journey search map edit query acceleration io base ;;
    *) echo live extra uv wend tuning geometry crowd motion watch record figures field service journey search map edit query acceleration io base ;;
    esac
}
among() { case " $2 " in *" $1 "*) return 0 ;; esac; return 1; }

check_system() { # file room header
    among "${3%.h}" "$standard" && return
    case $2:$3 in
    base:* | uv:* | live:* | lab:* | host:* | cli:*) ;;
    extra:png.h | extra:jansson.h | extra:zlib.h) ;;
    extra:sys/stat.h | extra:unistd.h) ;; # to remove half a file
    *) complain "$1" "<$3> is not in the C standard library" ;;
    esac
}

check_include() { # file room include; may_room and may_public are what the room may know
    case $3 in
    '<wend/'*) name=${3#<wend/}; name=${name%.h>}
        among "$name" "$may_public" || complain "$1" "src/$2 must not know $3" ;;
    '<'*) name=${3#<}; check_system "$1" "$2" "${name%>}" ;;
    # Inline functions only, for the libraries apart from libwend, too.
    '"base/array.h"' | '"base/frame_times.h"' | '"base/hash.h"' | '"base/sized.h"' | '"base/utf8.h"') ;;
    '"'*/*) name=${3#\"}; other=${name%%/*}
        among "$other" "$may_room" || complain "$1" "src/$2 must not know $3" ;;
    '"'*) name=${3#\"}
        [ -f "${1%/*}/${name%\"}" ] || complain "$1" "$3 is not beside it" ;;
    esac
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
includes_of() { # file...: lines "file include"
    awk '/^[ \t]*#[ \t]*include[ \t]*[<"]/ { sub(/^[^<"]*/, ""); if (match($0, /^[<"][^>"]*[>"]/)) print FILENAME, substr($0, 1, RLENGTH) }' "$@"
}
files=$(ls src/*/*.[ch] src/*/*/*.[ch] include/wend/*.h 2>/dev/null | wc -l)
includes_of src/*/*.[ch] src/*/*/*.[ch] >"$scratch/all"
for room in $(ls src); do
    case $room in base | orders | map | io | search | field | service | motion | crowd | uv | extra | live | lab | host | cli) ;;
    *) complain "src/$room" 'a room that docs/architecture.md does not know' ;; esac
    may_room=$(rooms_of "$room") may_public=$(public_of "$room")
    grep "^src/$room/" "$scratch/all" >"$scratch/room"
    while read -r file include; do check_include "$file" "$room" "$include"; done <"$scratch/room"
    case $room in base | uv | extra | live | lab | host | cli) ;; *)
        grep -rnE --include='*.[ch]' '#[[:blank:]]*define[[:blank:]]+_(POSIX_C|XOPEN|GNU|DEFAULT)_SOURCE' "src/$room" &&
            complain "src/$room" 'asks the system for more than C' ;;
    esac
done

# The folders of a room form no cycle, by what they include; the room's own files stand on top of them.
for room in lab host cli service; do
    edges=$(awk -v room="$room" '{ split($1, at, "/"); split(substr($2, 2), to, "/") }
        $2 ~ /^"/ && at[2] == room && at[4] != "" && to[1] == room && to[3] != "" { print at[3], to[2] }' "$scratch/all" | sort -u)
    [ -n "$edges" ] || complain "src/$room" 'no include from one folder to another was found'
    echo "$edges" | tsort >/dev/null 2>&1 || complain "src/$room" "a cycle of folders: $(echo "$edges" | tsort 2>&1 >/dev/null | paste -s -d ' ' -)"
    grep -nE "^#include \"$room/[a-z_]*\.h\"" src/$room/*/*.[ch] && complain "src/$room" 'a folder knows what stands on top of it'
    for folder in src/$room/*/; do
        [ "$(ls "$folder" | wc -l)" -le 15 ] || complain "$folder" 'has more than 15 files'
    done
done

# Public headers know only each other, and C; uv.h also libuv.
for file in include/wend/*.h; do
    name=$(basename "$file" .h)
    case $name in
    base) may= ;;
    map) may=base ;;
    io | search | edit | query | acceleration) may='map base' ;;
    service) may='search map base' ;;
    field) may='service search map base' ;;
    motion | geometry | watch) may='map base' ;;
    journey) may='search map base' ;;
    record | tuning) may='service search map base' ;;
    figures) may='service search map base' ;;
    crowd) may='service search map base' ;;
    wend) may='crowd service search io map edit query acceleration base' ;;
    uv | extra | live) may='wend service search io map base' ;;
    *) complain "$file" 'a public header that this test does not know' ; may= ;;
    esac
    includes_of "$file" >"$scratch/header"
    while read -r _ include; do
        case $include in
        '<wend/'*) other=${include#<wend/}
            among "${other%.h>}" "$may" || complain "$file" "must not know $include" ;;
        '<uv.h>') [ "$name" = uv ] || [ "$name" = live ] || complain "$file" "must not know $include" ;;
        *) other=${include#<}
            among "${other%.h>}" "$standard" || complain "$file" "must not know $include" ;;
        esac
    done <"$scratch/header"
done

# Every source says what it is for: a licence line, then a sentence.
awk 'FNR == 1 && !/SPDX-License-Identifier: MIT/ { print FILENAME ": no SPDX line at the top" }
    FNR == 2 && !/^\/\* ./ { print FILENAME ": no sentence at the top that says what it is for" }' \
    include/wend/*.h src/*/*.[ch] src/*/*/*.[ch] >"$scratch/tops"
while read -r line; do complain "${line%%: *}" "${line#*: }"; done <"$scratch/tops"

# ---- sub-rooms ---------------------------------------------------------------------------------------------------------
# Lines "from to" of what folders of one room include of each other. The files of a room itself are a sub-room, too.
awk '$2 ~ /^"/ { from = $1; sub(/^src\//, "", from); sub(/\/[^\/]*$/, "", from); room = from; sub(/\/.*/, "", room)
    to = substr($2, 2); if (to !~ /\// || index(to, room "/") != 1) next
    sub(/\/[^\/]*$/, "", to); if (to != from) print from, to }' "$scratch/all" | sort -u >"$scratch/includes"

# "D folder symbol" for each function that an object file of the library defines, "U folder symbol" for each it calls.
# Data count as nobody's: a table below may name functions above, as src/map/version/derivation.h has it.
for object in "$build"/src/*/*/.libs/*.o "$build"/src/*/.libs/*.o; do
    [ -f "$object" ] || continue
    source=${object#"$build"/}
    name=${source##*/}
    name=${name##*-}
    [ -f "${source%/.libs/*}/${name%.o}.c" ] && echo "$object" # else left over: its source has moved
done >"$scratch/objects"
# nm prints FILE:ADDRESS T NAME, or FILE: U NAME
xargs nm -A <"$scratch/objects" | awk -v skip="$build/src/" '{ split($0, part, ":"); from = substr(part[1], length(skip) + 1)
    sub(/\/\.libs\/.*/, "", from) } $(NF - 1) == "T" { print "D", from, $NF } $(NF - 1) == "U" { print "U", from, $NF }' >"$scratch/symbols"
awk '$1 == "D" { home[$3] = $2 } $1 == "U" { used[++n] = $2 " " $3 }
    END { for (i = 1; i <= n; i++) { split(used[i], u, " "); to = home[u[2]]
        if (to != "" && to != u[1]) print u[1], to } }' "$scratch/symbols" | sort -u >"$scratch/calls"

# tsort names the folders of each loop on its standard error.
no_loops() { # what, lines "from to"
    tsort "$2" 2>&1 >/dev/null | sed 's/^tsort: *//' >"$scratch/loops"
    [ -s "$scratch/loops" ] || return
    sed 's/^/    /' "$scratch/loops"
    complain "$1" 'sub-rooms know each other in a circle'
}
no_loops includes "$scratch/includes"
no_loops calls "$scratch/calls"
sort -u "$scratch/includes" "$scratch/calls" >"$scratch/both"
no_loops 'includes and calls' "$scratch/both"

# Calls across rooms go where includes may go.
while read -r from to; do
    among "${to%%/*}" "$(rooms_of "${from%%/*}")" || case $from in uv* | extra* | live* | lab* | host* | cli*) ;;
    *) complain "src/$from" "calls src/$to" ;; esac
done <"$scratch/calls"

# A folder of many files is a room without walls.
for folder in src/*/ src/*/*/; do
    case $folder in src/cli/* | src/service/) continue ;; esac
    count=$(find "$folder" -maxdepth 1 -name '*.[ch]' | wc -l)
    [ "$count" -le 15 ] || complain "$folder" "has $count files; at most 15"
done

objects=$(awk '$1 == "D" { n++ } END { print n + 0 }' "$scratch/symbols")
echo "$(wc -l <"$scratch/both") ways between sub-rooms, $objects functions"
[ -z "${WEND_SRCDIR:-}" ] || [ "$objects" -gt 100 ] || complain "$build" 'no object files: calls were not checked'

echo "$files files, $bad complaints"
[ "$files" -gt 10 ] && [ "$bad" -eq 0 ]
