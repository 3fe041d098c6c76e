#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may include whom: a room knows only the rooms that docs/architecture.md lets it know, the libraries beside libwend
# and the program know public headers only, and only src/base and src/uv depend on the system.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
bad=0
complain() {
    echo "$1: $2"
    bad=$((bad + 1))
}

standard=' assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
 stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype '

# What a room may include: rooms of src/, and public headers.
rooms_of() {
    case $1 in
    base) echo base ;;
    map) echo map base ;;
    io) echo io map base ;;
    search) echo search map base ;;
    service) echo service search map base ;;
    *) echo "$1" ;; # uv, extra, cli: themselves
    esac
}
public_of() {
    case $1 in
    base) echo base ;;
    map) echo map search base ;; # wend/search.h declares wend_path_turns()
    io) echo io map base ;;
    search) echo search map base ;;
    service) echo service search map base ;;
    uv) echo uv wend service search map io base ;;
    *) echo extra uv wend service search map io base ;;
    esac
}
among() { case " $2 " in *" $1 "*) return 0 ;; esac; return 1; }

check_system() { # file room header
    header=${3%.h}
    among "$header" "$(echo $standard)" && return
    case $2:$3 in
    base:* | uv:* | cli:*) ;;
    extra:png.h | extra:jansson.h | extra:zlib.h) ;;
    extra:sys/stat.h | extra:unistd.h) ;; # to remove half a file
    *) complain "$1" "<$3> is not in the C standard library" ;;
    esac
}

check_include() { # file room include
    case $3 in
    '<wend/'*) name=${3#<wend/}; name=${name%.h>}
        among "$name" "$(public_of "$2")" || complain "$1" "src/$2 must not know $3" ;;
    '<'*) name=${3#<}; check_system "$1" "$2" "${name%>}" ;;
    '"base/sized.h"') ;; # inline functions only, for the libraries beside libwend too
    '"'*/*) name=${3#\"}; other=${name%%/*}
        among "$other" "$(rooms_of "$2")" || complain "$1" "src/$2 must not know $3" ;;
    '"'*) name=${3#\"}
        [ -f "$(dirname "$1")/${name%\"}" ] || complain "$1" "$3 is not beside it" ;;
    esac
}

files=0
for file in src/*/*.[ch] src/*/*/*.[ch]; do
    [ -f "$file" ] || continue
    files=$((files + 1))
    room=${file#src/}
    room=${room%%/*}
    case $room in base | map | io | search | service | uv | extra | cli) ;;
    *) complain "$file" 'a room that docs/architecture.md does not know' ;; esac
    for include in $(sed -n 's/^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*\([<"][^>"]*[>"]\).*/\1/p' "$file"); do
        check_include "$file" "$room" "$include"
    done
    case $room in base | uv | extra | cli) ;; *)
        grep -nE '#[[:blank:]]*define[[:blank:]]+_(POSIX_C|XOPEN|GNU|DEFAULT)_SOURCE' "$file" &&
            complain "$file" 'asks the system for more than C' ;;
    esac
done

# The folders of a room form no cycle, by what they include; the room's own files stand on top of them.
for room in cli; do
    edges=$(for file in src/$room/*/*.[ch]; do
        folder=${file#src/$room/}
        sed -n "s|^#include \"$room/\([a-z_]*\)/.*|${folder%%/*} \1|p" "$file"
    done | sort -u)
    [ -n "$edges" ] || complain "src/$room" 'no include from one folder to another was found'
    echo "$edges" | tsort >/dev/null 2>&1 || complain "src/$room" "a cycle of folders: $(echo "$edges" | tsort 2>&1 >/dev/null | paste -s -d ' ' -)"
    grep -nE "^#include \"$room/[a-z_]*\.h\"" src/$room/*/*.[ch] && complain "src/$room" 'a folder knows what stands on top of it'
    for folder in src/$room/*/; do
        [ "$(ls "$folder" | wc -l)" -le 15 ] || complain "$folder" 'has more than 15 files'
    done
done

# Public headers know only each other, and C; uv.h also libuv.
for file in include/wend/*.h; do
    files=$((files + 1))
    name=$(basename "$file" .h)
    case $name in
    base) may= ;;
    map) may=base ;;
    io | search) may='map base' ;;
    service) may='search map base' ;;
    wend) may='service search io map base' ;;
    uv | extra) may='wend service search io map base' ;;
    *) complain "$file" 'a public header that this test does not know' ; may= ;;
    esac
    for include in $(sed -n 's/^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*\([<"][^>"]*[>"]\).*/\1/p' "$file"); do
        case $include in
        '<wend/'*) other=${include#<wend/}
            among "${other%.h>}" "$may" || complain "$file" "must not know $include" ;;
        '<uv.h>') [ "$name" = uv ] || complain "$file" "must not know $include" ;;
        *) other=${include#<}
            among "${other%.h>}" "$(echo $standard)" || complain "$file" "must not know $include" ;;
        esac
    done
done

# Every source says what it is for: a licence line, then a sentence.
for file in include/wend/*.h src/*/*.[ch] src/*/*/*.[ch]; do
    [ -f "$file" ] || continue
    sed -n 1p "$file" | grep -q 'SPDX-License-Identifier: MIT' || complain "$file" 'no SPDX line at the top'
    sed -n 2p "$file" | grep -q '^/\* .' || complain "$file" 'no sentence at the top that says what it is for'
done

echo "$files files, $bad complaints"
[ "$files" -gt 10 ] && [ "$bad" -eq 0 ]
