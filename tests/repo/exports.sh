#!/bin/sh
# SPDX-License-Identifier: MIT
# What the shared libraries show the world: only wend_… (never wend__…), everything the headers promise; libwend itself
# needs only libc and pthreads; and no two libraries define one name, for those who link them statically.
set -u
build=${WEND_BUILDDIR:-.}
source=${WEND_SRCDIR:-.}
nm=${NM:-nm}
command -v "${nm%% *}" >/dev/null || { echo 'nm not found'; exit 77; }
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

declared() { # names of functions declared with WEND_API in a header
    tr '\n' ' ' <"$1" | grep -oE 'WEND_API [^;(]*\(' | grep -oE 'wend_[a-z0-9_]+ *\($' | tr -d ' ('
}

check_library() { # name headers...
    library=$build/.libs/$1.so
    shift
    [ -f "$library" ] || { complain "$library was not built"; return; }
    exported=$($nm -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//')
    for symbol in $exported; do
        case $symbol in
        wend__*) complain "$library exports the internal $symbol" ;;
        wend_*) ;;
        *) complain "$library exports $symbol" ;;
        esac
    done
    for header do
        for name in $(declared "$source/include/wend/$header"); do
            echo "$exported" | grep -qx "$name" || complain "$library lacks $name, which $header declares"
        done
    done
    echo "$library: $(echo "$exported" | grep -c .) names"
    symbols=$source/packaging/debian/$(basename "$library" .so)1.symbols
    [ ! -f "$symbols" ] || check_symbols "$symbols"
}

# The Debian package names each function of a library, with the version that brought it: what is gone is seen as gone.
# ACCEPT=1 writes the file anew, with the present version for what is new.
check_symbols() { # file
    now=$(mktemp)
    head -n 1 "$1" >"$now"
    for name in $exported; do
        grep "^ $name@" "$1" || echo " $name@Base $(sed -n 's/^AC_INIT(\[wend\], \[\([0-9.]*\).*/\1/p' "$source/configure.ac")~"
    done >>"$now"
    if [ -n "${ACCEPT:-}" ]; then cp "$now" "$1"; fi
    diff "$1" "$now" || complain "$1 is not what the library has (ACCEPT=1 writes it)"
    rm "$now"
}

# shellcheck disable=SC2046 # one word a header
check_library libwend $(cd "$source/include/wend" && ls | grep -vE '^(uv|extra|ground|live)\.h$|\.hpp$')
check_library libwend-uv uv.h
. "$source/tests/repo/needs.sh"
if has extra; then check_library libwend-extra extra.h; fi
if has ground; then check_library libwend-ground ground.h; fi
[ ! -f "$build/.libs/libwend-live.so" ] || check_library libwend-live live.h

# Static libraries can be linked into one program: no two define one name, but those of the catalogue of orders and of
# replace.c: the libraries have them as the same objects, of which a linker takes either.
twice=$(for library in libwend libwend-uv libwend-extra libwend-ground libwend-live; do
    [ ! -f "$build/.libs/$library.so" ] ||
        $nm --defined-only "$build/.libs/$library.so" | awk '{ print $NF }' | sed 's/@.*//' | grep '^wend_' | sort -u
done | sort | uniq -d)
for symbol in $twice; do
    ! grep -rqE --include='*.h' "static inline .*\b$symbol\(" "$source/src" || continue # in a build without -O
    grep -qw "$symbol" "$source/src/orders/orders.h" "$source/src/base/system/replace.h" || complain "two libraries define $symbol"
done

if [ -z "${INSTRUMENT_FLAGS:-}" ] && command -v readelf >/dev/null; then
    for needed in $(readelf -d "$build/.libs/libwend.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $needed in
        libc.so* | libm.so* | libpthread.so* | ld-linux*) ;;
        *) complain "libwend needs $needed" ;;
        esac
    done
fi
[ "$bad" -eq 0 ]
