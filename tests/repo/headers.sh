#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles on its own, as strict C11 and, where there is a C++ compiler, as C++11 and C++17.
set -u
source=${WEND_SRCDIR:-.}
cc=${CC:-cc}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
uv_cflags=$(pkg-config --cflags libuv 2>/dev/null)
cxx=
for candidate in "${CXX:-c++}" c++ g++ clang++; do # CXX may be several words, as in "ccache g++"
    command -v "${candidate%% *}" >/dev/null && { cxx=$candidate; break; }
done
bad=0
for header in "$source"/include/wend/*.h; do
    name=$(basename "$header")
    std=-std=c11
    case $name in uv.h | live.h) std=-std=gnu11 ;; esac # libuv's own header asks for POSIX
    printf '#include <wend/%s>\n#include <wend/%s>\nint main(void) { return 0; }\n' "$name" "$name" >"$work/alone.c"
    $cc $std -pedantic -Wall -Wextra -Werror -I"$source/include" $uv_cflags -c "$work/alone.c" -o "$work/alone.o" || bad=$((bad + 1))
    [ -n "$cxx" ] || continue
    cp "$work/alone.c" "$work/alone.cc"
    for std in 11 17; do
        $cxx -std=c++$std -Wall -Wextra -Wpedantic -Werror -I"$source/include" $uv_cflags -c "$work/alone.cc" -o "$work/alone.o" ||
            bad=$((bad + 1))
    done
done
# Constants are written out, so that a search finds the line that explains each, and src/base/names.h has a word for each of
# its lists' kinds. A name of which all others of a list have the first part is of that list.
grep -nE '^ *(X\(|WEND_X)' "$source"/include/wend/*.h | grep -v "live.h:.*X(.*, [0-9]*, [0-9]*, [0-9]*, \"" &&
    { echo 'an enumerator that is not written out'; bad=$((bad + 1)); }
grep -nE '^enum \{ .*, .*\};' "$source"/include/wend/*.h | grep -v 'MAX_\|BAND_' &&
    { echo 'enumerators in one line'; bad=$((bad + 1)); }
cat "$source"/include/wend/*.h | tr -d '\r' | awk '/^enum \{$/ { on = 1; next } /^\};/ { if (on) print ""; on = 0 }
    on && match($0, /^ +WEND_[A-Z0-9_]+/) { name = substr($0, RSTART, RLENGTH); sub(/^ +/, "", name)
        if (name !~ /_(COUNT|KINDS)$/) printf "%s ", name }' >"$work/enums"
awk '/^#define WEND__[A-Z_]+\(X\)/ { if (list) print list; list = ""; next } match($0, /X\(WEND_[A-Z0-9_]+/) {
    list = list substr($0, RSTART + 2, RLENGTH - 2) " " } END { print list }' "$source/src/base/names.h" | grep . >"$work/named"
[ "$(wc -l <"$work/named")" -ge 8 ] || { echo 'names.h: lists not found'; bad=$((bad + 1)); }
grep -vxFf "$work/enums" "$work/named" && { echo 'names.h: a list that is no enumeration of a header'; bad=$((bad + 1)); }
# wend.h takes each header in, or names it by the questions that it answers.
for header in "$source"/include/wend/*.h; do
    name=$(basename "$header")
    [ "$name" = wend.h ] && continue
    taken=$(grep -c "#include <wend/$name>" "$source/include/wend/wend.h")
    left=$(grep -c "^ \*   $name  " "$source/include/wend/wend.h")
    [ $((taken + left)) -eq 1 ] || { echo "wend.h takes in $name, or says what it is for: neither or both"; bad=$((bad + 1)); }
done
# Its page lists the functions that it takes in, all of them, and they are few. `wend_map_load(), _parse()` are two of one noun.
declared() { # header...
    cat "$@" | grep -v '#define WEND_API' | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' | sed -E 's/.*[ *](wend_[a-z_0-9]+)\(/\1/' | sort
}
# shellcheck disable=SC2046 # one word a header
declared $(sed -n "s|^#include <\(wend/.*\)>|$source/include/\1|p" "$source/include/wend/wend.h") >"$work/taken"
awk '/^ \* Include what/ { exit } { while (match($0, /[a-z_]+\(\)/)) { name = substr($0, RSTART, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH); if (name ~ /^_/) name = noun name; else { split(name, w, "_"); noun = w[1] "_" w[2] }
        print name } }' "$source/include/wend/wend.h" | sort >"$work/listed"
diff "$work/taken" "$work/listed" || { echo 'wend.h lists other functions than it takes in'; bad=$((bad + 1)); }
count=$(wc -l <"$work/taken")
[ "$count" -gt 20 ] && [ "$count" -le 60 ] || { echo "wend.h takes in $count functions, at most 60"; bad=$((bad + 1)); }
echo "wend.h: $count of $(declared "$source"/include/wend/*.h | wc -l) functions"
# docs/stability.md has a row for each header, with the number of its functions; the second line of a growing one states what
# may change, as its row does. Few are public, and fewer are frozen.
for header in "$source"/include/wend/*.h; do
    name=$(basename "$header")
    count=$(declared "$header" | wc -l)
    row=$(grep "^| \`$name\`" "$source/docs/stability.md")
    mark=$(sed -n '2s|^/\* Growing: \(.*\)\. See docs/stability.md. \*/$|\1|p' "$header")
    case $row in
    *"| $count |") [ -z "$mark" ] && frozen=$((${frozen-0} + count)) && continue ;;
    *"| $count | $mark | "*) [ -n "$mark" ] && growing=$((${growing-0} + count)) && continue ;;
    esac
    echo "$name: $count functions, growing: '${mark:-no}', but docs/stability.md has '$row'"
    bad=$((bad + 1))
done
[ "$(grep -c '^| `[a-z_]*\.h`' "$source/docs/stability.md")" -eq "$(ls "$source"/include/wend/*.h | wc -l)" ] ||
    { echo 'docs/stability.md: rows of no header'; bad=$((bad + 1)); }
echo "${frozen-0} functions are frozen, ${growing-0} grow"
[ "${frozen-0}" -le 130 ] && [ "${growing-0}" -le 135 ] || { echo 'at most 130 and 135'; bad=$((bad + 1)); }
# Sized structs (first member struct_bytes) grow at their end: none holds another by value, as it could not grow, and counts
# by enumerators stand last. The bytes of all 256 classes never grow.
sed '/WEND_API/d' "$source"/include/wend/*.h >"$work/structs"
awk '/^(typedef )?struct wend_[a-z_]+ \{/ { match($0, /wend_[a-z_]+/); name = substr($0, RSTART, RLENGTH); first = 1; array = 0; next }
    /^\}/ { name = "" }
    !name || !/;/ || /^[ \t]*\/\/\// { next }
    { line = $0; sub(/\/\/\/.*/, "", line) }
    FNR == NR { if (first && line ~ /uint32_t struct_bytes;/) sized[name] = 1; first = 0; next }
    name in sized {
        type = line; sub(/^[ \t]*(const )?/, "", type); sub(/[^a-z_].*/, "", type)
        if (type in sized && line !~ /\*/) print name " holds a " type " by value"
        counts = line ~ /uint64_t [a-z_]+\[[0-9]+\];/ && line !~ /classes\[4\]/
        if (array && !counts) print name ": a member behind its counts: " line
        array = counts
    }' "$work/structs" "$work/structs" >"$work/grow"
cat "$work/grow"
bad=$((bad + $(wc -l <"$work/grow")))
echo "C: $cc; C++: ${cxx:-none}; $bad failures"
[ "$bad" -eq 0 ]
