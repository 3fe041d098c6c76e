#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may include whom, and call whom. Packages are the folders src, server, lab, extra and ground; src has rooms, and every room
# and package has folders. A room knows the rooms that docs/architecture.md lets it know, what stands beside libwend knows
# public headers, and only src/base, src/uv, the program and its packages depend on the system. No folder may know one that
# knows it, directly or by others: neither by what files include, nor by which functions of one call which of the other, as
# all object files of all packages say. Nor may files of a folder call each other in a circle, but in folders listed below.
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

# The room of a file: a folder of src; server/live, which is a library; or a package.
room_of() {
    case $1 in
    src/*) room=${1#src/}; echo "${room%%/*}" ;;
    server/live/*) echo live ;;
    *) echo "${1%%/*}" ;;
    esac
}
# What a room may include: rooms, or single folders of them; and public headers.
rooms_of() {
    case $1 in
    base) echo base ;;
    orders) echo orders base ;;
    mark) echo mark base ;;
    map) echo map mark recording/tap orders base ;;
    io) echo io map base ;;
    search) echo search map mark base ;;
    service) echo service recording/calls field search map mark orders base ;;
    fast) echo fast recording/tap search map orders base ;;
    field) echo field search map mark base ;;
    motion) echo motion map mark base ;;
    agents) echo agents recording motion service field search fast map mark orders base ;;
    save) echo save recording agents motion service field search fast map mark io orders base ;;
    recording) echo recording agents/state agents/manners service field search fast map mark orders base ;;
    cli) echo cli orders ;;
    live) echo live orders ;;
    server) echo server cli orders ;;
    lab) echo lab cli server ;;
    ground) echo ground cli ;;
    *) echo "$1" ;; # uv, extra: themselves
    esac
}
on_maps='query stream ways edit units layers movers versions graph map host base'
on_requests='search search_options explain request'
on_crowds='body crowd_tuning boxes agents routes crowd'
all_public="save mark service_tuning geometry $on_crowds record figures control field service $on_requests acceleration formats io $on_maps"
public_of() {
    case $1 in
    base) echo host base ;;
    mark) echo mark host base ;;
    orders) echo "order service_tuning $on_crowds service search_options explain request acceleration $on_maps" ;;
    map) echo "acceleration $on_maps" ;;
    io) echo "formats io acceleration $on_maps" ;;
    fast) echo "$on_requests acceleration $on_maps" ;;
    search) echo "$on_requests $on_maps" ;;
    field) echo "field service $on_requests $on_maps" ;;
    service) echo "service_tuning record figures control service field $on_requests $on_maps" ;;
    motion) echo "geometry $on_maps" ;;
    agents) echo "$on_crowds geometry field control service $on_requests $on_maps" ;;
    save) echo "save $on_crowds control field service $on_requests $on_maps" ;;
    recording) echo "order record figures $on_crowds control service field $on_requests acceleration $on_maps" ;;
    uv) echo "uv wend $all_public" ;;
    *) echo "live order extra ground uv wend $all_public" ;;
    esac
}
among() { case " $2 " in *" $1 "*) return 0 ;; esac; return 1; }

check_system() { # file room header
    among "${3%.h}" "$standard" && return
    case $2:$3 in
    base:* | uv:* | live:* | lab:* | server:* | cli:*) ;;
    ground:assimp/*) ;;
    extra:png.h | extra:jansson.h | extra:zlib.h | extra:zstd.h | extra:expat.h) ;;
    extra:fcntl.h | extra:sys/stat.h | extra:unistd.h) ;; # to remove half a file; to know a plain file
    *) complain "$1" "<$3> is not in the C standard library" ;;
    esac
}

may_know() { # room file-that-is-included
    among "$(room_of "$2")" "$may_room" && return
    folder=${2#src/}
    among "${folder%/*}" "$may_room"
}
check_include() { # file room include file-that-it-names; may_room and may_public are what the room may know
    case $3 in
    '<wend/'*) name=${3#<wend/}; name=${name%.h>}
        among "$name" "$may_public" || complain "$1" "$2 must not know $3" ;;
    '"config.h"') ;; # what configure found; made, so in no folder
    '<'*) name=${3#<}; check_system "$1" "$2" "${name%>}" ;;
    # Inline functions only, for the libraries apart from libwend, too; they have a copy of replace.c.
    '"base/array.h"' | '"base/bytes.h"' | '"base/text/decimal.h"' | '"base/fault.h"' | '"base/system/frame_times.h"' | '"base/system/replace.h"' | '"base/hash.h"' | '"base/sized.h"' | '"base/text/svg.h"' | '"base/utf8.h"') ;;
    *) if [ "$4" = - ]; then complain "$1" "$3 is in no folder that it may look into"
        else may_know "$2" "$4" || complain "$1" "$2 must not know $3"; fi ;;
    esac
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
includes_of() { # file...: lines "file include"
    awk '/^[ \t]*#[ \t]*include[ \t]*[<"]/ { sub(/^[^<"]*/, ""); if (match($0, /^[<"][^>"]*[>"]/)) print FILENAME, substr($0, 1, RLENGTH) }' "$@"
}
packages='src server lab extra ground'
# shellcheck disable=SC2086 # one word a package
find $packages -name '*.[ch]' | LC_ALL=C sort >"$scratch/files"
files=$(($(wc -l <"$scratch/files") + $(ls include/wend/*.h | wc -l)))
# Lines "file include file-that-it-names": a name is looked for in the file's own package, in src, then in server.
# shellcheck disable=SC2046
includes_of $(cat "$scratch/files") | awk -v list="$scratch/files" 'BEGIN { while ((getline file <list) > 0) is[file] = 1 }
    { found = "-"; name = substr($2, 2, length($2) - 2); own = $1; sub(/\/.*/, "", own); n = split(own " src server", at, " ")
    beside = $1; sub(/[^\/]*$/, name, beside)
    if ($2 ~ /^"/) for (i = 1; i <= n && found == "-"; i++) if ((at[i] "/" name) in is) found = at[i] "/" name
    if ($2 ~ /^"/ && found == "-" && beside in is) found = beside
    print $1, $2, found }' >"$scratch/all"
rooms='base orders mark map io search service fast field motion agents recording save uv cli'
for room in src/*/; do
    room=$(basename "$room")
    among "$room" "$rooms" || complain "src/$room" 'a room that docs/architecture.md does not know'
    case $room in base | uv | cli) ;; *)
        grep -rnE --include='*.[ch]' '#[[:blank:]]*define[[:blank:]]+_(POSIX_C|XOPEN|GNU|DEFAULT)_SOURCE' "src/$room" &&
            complain "src/$room" 'asks the system for more than C' ;;
    esac
done
for room in $rooms server live lab extra ground; do
    may_room=$(rooms_of "$room") may_public=$(public_of "$room")
    case $room in
    server) grep '^server/' "$scratch/all" | grep -vE '^server/live/|"live/(must|private)/' ;; # one macro for both, and what only this server needs
    live) grep '^server/live/' "$scratch/all" ;;
    lab | extra | ground) grep "^$room/" "$scratch/all" ;;
    *) grep "^src/$room/" "$scratch/all" ;;
    esac >"$scratch/room"
    [ -s "$scratch/room" ] || complain "$room" 'no include was found'
    while read -r file include found; do check_include "$file" "$room" "$include" "$found"; done <"$scratch/room"
done
# The laboratory knows the scripts of the server where it plays a recording, and nowhere else.
grep '^lab/' "$scratch/all" | grep ' server/' | grep -vE '^lab/plan/plan_(play|recording)\.c ' >"$scratch/room"
while read -r file include _; do complain "$file" "lab must not know $include"; done <"$scratch/room"

# Public headers know only each other, and C; uv.h also libuv.
for file in include/wend/*.h; do
    name=$(basename "$file" .h)
    case $name in
    base) may= ;;
    map | host | mark) may=base ;;
    io | edit | acceleration | request | graph | versions | movers | units | layers | geometry) may='map base' ;;
    ways | stream | query) may='edit map base' ;;
    formats) may='io map base' ;;
    search_options | explain) may='request map base' ;;
    save) may='crowd record service search_options request map base' ;;
    search) may='search_options request map base' ;;
    service) may='request map base' ;;
    control) may='service search request map base' ;;
    figures) may='explain service request map base' ;;
    field | record | service_tuning | crowd) may='service request map base' ;;
    routes | agents | boxes | body | crowd_tuning) may='crowd service map base' ;;
    order) may='service_tuning layers body crowd_tuning routes ways graph crowd service search_options request acceleration map base' ;;
    wend) may='crowd service request io acceleration edit map base' ;;
    uv | extra | ground | live) may='order wend formats service request io map base' ;;
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
# shellcheck disable=SC2046
awk 'FNR == 1 && !/SPDX-License-Identifier: MIT/ { print FILENAME ": no SPDX line at the top" }
    FNR == 2 && !/^\/\* ./ { print FILENAME ": no sentence at the top that says what it is for" }' \
    include/wend/*.h $(cat "$scratch/files") >"$scratch/tops"
while read -r line; do complain "${line%%: *}" "${line#*: }"; done <"$scratch/tops"

# ---- folders -----------------------------------------------------------------------------------------------------------
# Lines "from to" of what folders include of each other. The files of a room itself are a folder, too.
awk '$3 != "-" { from = $1; sub(/\/[^\/]*$/, "", from); to = $3; sub(/\/[^\/]*$/, "", to); if (to != from) print from, to }' \
    "$scratch/all" | sort -u >"$scratch/includes"

# Lines "object source". Objects whose source has moved are left over from an older build.
# shellcheck disable=SC2086
for package in $packages; do find "$build/$package" -name '*.o' 2>/dev/null; done | while read -r object; do
    source=$(echo "${object#"$build"/}" | sed 's|/\.libs/|/|; s|[^/]*-\([^/]*\)$|\1|; s|\.o$|.c|')
    [ -f "$source" ] && echo "$object $source"
done >"$scratch/objects"
# Every source of a package that was built has an object, but those that a build has instead of others.
cut -d ' ' -f 2 "$scratch/objects" | sort -u >"$scratch/read"
sed -n 's|/.*|/|p' "$scratch/read" | sort -u | sed 's|^|^|' >"$scratch/built"
other='/no_[a-z_]*\.c$'
grep -q '/no_fast' "$scratch/read" && other="$other|^src/(fast|motion|agents|recording|save|uv|cli)/|^src/orders/"
grep -q '/no_ground' "$scratch/read" && other="$other|^ground/program/"
grep -q '/no_assimp' "$scratch/read" && other="$other|^ground/program/level_assimp[.]"
grep -q '^ground/[^/]*$' "$scratch/read" || other="$other|^ground/"
grep -q '/no_nats' "$scratch/read" && other="$other|nats"
grep -q '/no_serve' "$scratch/read" && other="$other|^server/(serve|cluster|peers|store|live)[/.]"
grep -q 'plan/no_recording' "$scratch/read" && other="$other|^lab/plan/plan_(play|recording)[.]"
grep '\.c$' "$scratch/files" | grep -f "$scratch/built" | grep -vE "$other" | comm -23 - "$scratch/read" >"$scratch/unread"
while read -r file; do complain "$file" 'has no object file: its calls were not checked'; done <"$scratch/unread"

# "D folder symbol" for each function that an object file defines, "U folder symbol" for each it calls. Data count as
# nobody's: a table below may name functions above, as src/map/version/derivation.h has it.
# nm prints FILE:ADDRESS T NAME, or FILE: U NAME
cut -d ' ' -f 1 "$scratch/objects" | xargs nm -A >"$scratch/nm"
awk -v objects="$scratch/objects" '
    BEGIN { while ((getline line <objects) > 0) { split(line, o, " "); folder = o[2]; sub(/\/[^\/]*$/, "", folder); at[o[1]] = folder } }
    { split($0, part, ":"); from = at[part[1]] }
    $(NF - 1) == "T" { print "D", from, $NF } $(NF - 1) == "U" { print "U", from, $NF }' "$scratch/nm" |
    sort -u >"$scratch/symbols"
awk '$1 == "D" { home[$3] = $2 } $1 == "U" { used[++n] = $2 " " $3 }
    END { for (i = 1; i <= n; i++) { split(used[i], u, " "); to = home[u[2]]
        if (to != "" && to != u[1]) print u[1], to } }' "$scratch/symbols" | sort -u >"$scratch/calls"

# tsort names the folders of each loop on its standard error.
has_loops() { # lines "from to"
    tsort "$1" 2>&1 >/dev/null | sed 's/^tsort: *//' >"$scratch/loops"
    [ -s "$scratch/loops" ]
}
no_loops() { # what, lines "from to"
    has_loops "$2" || return
    sed 's/^/    /' "$scratch/loops"
    complain "$1" 'know each other in a circle'
}
no_loops 'folders, by includes,' "$scratch/includes"
no_loops 'folders, by calls,' "$scratch/calls"
sort -u "$scratch/includes" "$scratch/calls" >"$scratch/both"
no_loops 'folders, by includes and calls,' "$scratch/both"

# Nor do the files of a folder call each other in a circle. These folders have one; the list may get shorter only.
knots='extra/drawing server/live/net server/run server/serve src/agents/manners src/fast/far
src/fast/stops src/fast/tables src/io/writers src/map/components src/map/edit src/map/movers src/map/nearest src/map/regions
src/map/version src/recording/calls'
awk -v objects="$scratch/objects" '
    BEGIN { while ((getline line <objects) > 0) { split(line, o, " "); at[o[1]] = o[2] } }
    { split($0, part, ":"); from = at[part[1]] }
    $(NF - 1) == "T" { home[$NF] = from } $(NF - 1) == "U" { used[++n] = from " " $NF }
    END { for (i = 1; i <= n; i++) { split(used[i], u, " "); to = home[u[2]]; folder = to; same = u[1]
        sub(/\/[^\/]*$/, "", folder); sub(/\/[^\/]*$/, "", same)
        if (to != "" && to != u[1] && folder == same) print u[1], to } }' "$scratch/nm" | sort -u >"$scratch/within"
# shellcheck disable=SC2086
awk -v knots="$(echo $knots)" 'BEGIN { split(knots, list, " "); for (i in list) is[list[i]] = 1 }
    { folder = $1; sub(/\/[^\/]*$/, "", folder) } !(folder in is)' "$scratch/within" >"$scratch/clean"
no_loops files "$scratch/clean"
for folder in $knots; do
    grep -E "^$folder/[^/]* " "$scratch/within" >"$scratch/knot"
    grep "^$folder/" "$scratch/read" | grep -qv '/no_' || continue # left out of this build
    has_loops "$scratch/knot" ||
        complain "$folder" 'no circle of files is left: take it off the list'
done

# Calls across rooms go where includes may go. Those of public functions go anywhere.
while read -r from to; do
    room=$(room_of "$from/")
    may_room=$(rooms_of "$room")
    case $room in uv | extra | ground | live | lab | server | cli) case $(room_of "$to/") in server | lab) ;; *) continue ;; esac ;; esac
    may_know "$room" "$to/" || complain "$from" "calls $to"
done <"$scratch/calls"

objects=$(awk '$1 == "D" { n++ } END { print n + 0 }' "$scratch/symbols")
echo "$(wc -l <"$scratch/both") ways between folders, $objects functions of $(wc -l <"$scratch/read") sources"
[ -z "${WEND_SRCDIR:-}" ] || [ "$objects" -gt 100 ] || complain "$build" 'no object files: calls were not checked'

echo "$files files, $bad complaints"
[ "$files" -gt 10 ] && [ "$bad" -eq 0 ]
