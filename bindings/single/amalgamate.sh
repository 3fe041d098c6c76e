#!/bin/sh
# SPDX-License-Identifier: MIT
# amalgamate.sh FOLDER: writes libwend as two files, wend.c and wend.h, into FOLDER. LINES=1 adds #line directives, so that
# a debugger shows the files of the repository. AWK is the awk.
set -eu
into=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
awk=${AWK:-awk}
script=bindings/single/amalgamate.awk
version=$(sed -n 's/^AC_INIT(\[wend\], \[\(.*\)\])/\1/p' configure.ac)
headers=$(ls include/wend/*.h | grep -vE '/(extra|ground|live|uv|wend)\.h$')
core='^src/(base|mark|orders|map|io|search|service|field|recording/tap)/'
{
    echo '/* SPDX-License-Identifier: MIT */'
    echo "/* wend $version: all public headers of libwend, one after the other. Made by make amalgamation. */"
    for header in include/wend/wend.h $headers; do echo "$header"; done | "$awk" -v what=header -v lines="${LINES:-}" -f $script
} >"$into/wend.h.new"
{
    echo '/* SPDX-License-Identifier: MIT */'
    echo "/* wend $version: libwend in one file. Made by make amalgamation; its sources are easier to read."
    echo ' *'
    echo ' *     cc -std=c11 -O3 -fno-strict-aliasing -ffp-contract=off -c wend.c        and link with -lm -lpthread'
    echo ' *'
    echo ' * -DWEND_WITHOUT_FAST leaves out acceleration, crowds, motion and recordings: libwend-core. */'
    echo '#ifndef _GNU_SOURCE'
    echo '#define _GNU_SOURCE 1'
    echo '#endif'
    echo '#include "wend.h"'
    echo '#ifdef __clang__'
    echo '#pragma clang diagnostic ignored "-Wunused-function" /* inline functions of headers */'
    echo '#endif'
    { # the sources that know the system come last, as <windows.h> takes many words away
        sh bindings/sources.sh | grep -E "$core" | grep -v '^src/base/'
        echo '#ifdef WEND_WITHOUT_FAST'
        echo src/fast/no_fast.c
        echo src/recording/calls/no_recording.c
        echo '#else'
        sh bindings/sources.sh | grep -vE "$core"
        echo '#endif'
        sh bindings/sources.sh | grep '^src/base/'
    } | "$awk" -v what=source -v lines="${LINES:-}" -f $script
} >"$into/wend.c.new"
mv "$into/wend.h.new" "$into/wend.h"
mv "$into/wend.c.new" "$into/wend.c"
