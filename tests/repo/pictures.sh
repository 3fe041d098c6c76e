#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of docs/ are those that the program draws today, and the picture of the page shows today's words.
# `make pictures` draws them again.
set -u
source=${WEND_SRCDIR:-.}
. "$source/tests/repo/needs.sh"
needs server lab extra
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/drawn"
sh "$source/docs/pictures.sh" "$work/drawn" || complain 'a picture cannot be drawn'
for picture in "$work/drawn"/*; do
    name=${picture##*/}
    cmp -s "$picture" "$source/docs/$name" || complain "docs/$name is not what is drawn today: make pictures"
done
sh "$source/docs/pictures.sh" --by-hand >"$work/by-hand"
for picture in "$source"/docs/*.svg "$source"/docs/*.png; do
    name=${picture##*/}
    [ -e "$work/drawn/$name" ] || grep -q "^$name " "$work/by-hand" || complain "docs/$name is not in docs/pictures.sh"
done
sh "$source/docs/pictures.sh" --page-words | diff - "$source/docs/page.words" || complain 'docs/page.png is of a page with other words: make page-picture'
[ "$bad" -eq 0 ]
