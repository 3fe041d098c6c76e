#!/bin/sh
# SPDX-License-Identifier: MIT
# tenants.sh PREFIX: builds the program, its server and its laboratory on a libwend that is installed in PREFIX, and
# plays scripts and a load. Of src they see their own program, the catalogue of orders and headers that need no symbol of the
# library; of include nothing but what was installed. In a build directory that has the server.
set -eu
srcdir=${WEND_SRCDIR:-.} prefix=$1 work=tenants
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
rm -rf $work && mkdir -p $work/src/base/system $work/src/base/text $work/include/wend $work/o

# ---- what they see ----
source=$(cd "$srcdir" && pwd)
ln -s "$source/src/cli" "$source/src/orders" $work/src
for header in array bytes fault hash phrase sized system/frame_times system/replace text/decimal text/svg utf8; do
    ln -s "$source/src/base/$header.h" "$work/src/base/$header.h"
done
ln -s "$source/include/wend/live.h" $work/include/wend # the header of libwend-live is theirs
make -s list-tenant-sources | tr ' ' '\n' | grep '\.c$' | sort -u >$work/list
grep -q '^server/serve\.c$' $work/list || { echo 'tenants: no server in this build'; exit 77; }

# ---- they are built ----
flags="-I$source/server -I$source/lab -I$work/src -I$work/include -I. $(pkg-config --cflags wend wend-extra) $(make -s list-tenant-flags)"
status=0
while read -r file; do
    from=$file
    [ -f "$from" ] || from=$source/$file
    ${CC:-cc} -std=gnu11 -O0 -w -DHAVE_CONFIG_H $flags -c "$from" -o "$work/o/$(echo "$file" | tr / _).o" ||
        { echo "tenants: $file needs more of libwend than is installed"; status=1; }
done <$work/list
[ $status -eq 0 ] || exit 1
${CC:-cc} $work/o/*.o -o $work/wend $(pkg-config --libs wend wend-extra) $(make -s list-tenant-libraries) -lm

# ---- they play ----
LD_LIBRARY_PATH=$prefix/lib
export LD_LIBRARY_PATH
ldd $work/wend | grep -q "libwend.so.*$prefix" || { echo 'tenants: not linked with what is installed'; exit 1; }
for script in "$srcdir"/examples/*.wend; do
    ./wend run "$script" >$work/expected
    $work/wend run "$script" >$work/got
    cmp $work/expected $work/got
done
$work/wend stress "$srcdir/data/caves512.map" --agents 100 --frames 20 --seed 1 >$work/stress
echo "tenants: $(wc -l <$work/list) files on an installed libwend; $(ls "$srcdir"/examples/*.wend | wc -l) scripts as in the build"
