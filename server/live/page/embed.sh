#!/bin/sh
# SPDX-License-Identifier: MIT
# embed.sh FOLDER FILE...: prints a C file that holds these files of the folder, for server/live/page/page.h. Their addresses
# are their names after the first /site.
set -eu
LC_ALL=C
export LC_ALL
folder=$1
shift

type_of() {
    case $1 in
    *.html) echo 'text/html; charset=utf-8' ;;
    *.css) echo 'text/css; charset=utf-8' ;;
    *.js) echo 'text/javascript; charset=utf-8' ;;
    *.svg) echo 'image/svg+xml' ;;
    *) echo "embed.sh: no content type is known for $1" >&2; return 1 ;;
    esac
}

echo '/* SPDX-License-Identifier: MIT */'
echo '/* The files of the page, made by server/live/page/embed.sh. */'
echo '#include "live/page/page.h"'
echo
number=0
for name do
    echo "static const unsigned char bytes_$number[] = {"
    od -An -v -tu1 "$folder/$name" | sed 's/^ *//; s/  */,/g; s/$/,/'
    echo '0};'
    number=$((number + 1))
done
echo
echo 'const wend__page_file wend__page_files[] = {'
number=0
for name do
    type=$(type_of "$name")
    url=${name#*/site}
    [ "$url" != /index.html ] || url=/
    echo "    {\"$url\", \"$type\", bytes_$number, sizeof bytes_$number - 1},"
    number=$((number + 1))
done
echo '    {0, 0, 0, 0}};'
