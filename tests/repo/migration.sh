#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/migration.md: each spelling in a last column compiles, and no function `name()` of a first column is declared.
set -u
source=${WEND_SRCDIR:-.}
cc=${CC:-cc}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
page=$source/docs/migration.md
headers="base.h wend.h $(cd "$source/include/wend" && ls *.h | grep -v '^uv.h$\|^live.h$')"
{
    for header in $headers; do echo "#include <wend/$header>"; done
    # What the calls of the page are given.
    echo 'extern wend_map *map; extern wend_edit *edit; extern wend_figures *figures; extern wend_service *service;'
    echo 'extern wend_crowd *crowd; extern wend_agent_id id; extern wend_cell from, to, cell; extern wend_box box; extern wend_map **out; extern wend_tiled **beside;'
    echo 'extern const wend_map_def *def; extern const wend_tiled_def *how; extern wend_file_error *error;'
    echo 'extern int32_t cost, layer, value, radius, peak; extern uint32_t movers, steps; extern size_t size, count, stride;'
    echo 'extern uint64_t first; extern uint8_t *values; extern const char *path, *folder, *bytes; extern bool open;'
    echo 'extern wend_frame_record frames[8]; extern wend_lane_record lanes[8];'
    echo 'void spellings(void);'
    echo 'void spellings(void) {'
    grep '^| ' "$page" | grep -v '^| old ' | sed 's/ |$//; s/.* | //' | grep -oE '`[^`]*`' | tr -d '`' | sort -u | while read -r word; do
        case $word in
        *.h) echo "#include <wend/$word>" >>"$work/more"; continue ;;
        *'()') echo "    (void)${word%??};" ;;
        *'('*) echo "    (void)($word);" ;;
        WEND_*) echo "    (void)$word;" ;;
        wend_*.*) echo "    (void)sizeof(((${word%%.*} *)0)->${word#*.});" ;;
        wend_*) echo "    (void)sizeof($word);" ;;
        *) echo "    $word: is no name of the library;" ;;
        esac
    done
    echo '}'
} >"$work/spellings.c"
[ ! -f "$work/more" ] || { cat "$work/more" "$work/spellings.c" >"$work/both.c" && mv "$work/both.c" "$work/spellings.c"; }
bad=0
$cc -std=c11 -Wall -Wextra -Werror -I"$source/include" -fsyntax-only "$work/spellings.c" || bad=1
cat "$source"/include/wend/*.h | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' | grep -oE 'wend_[a-z0-9_]+\($' | tr -d '(' >"$work/declared"
for name in $(grep '^| ' "$page" | sed 's/^| //; s/ | .*//' | grep -oE '`wend_[a-z0-9_]+\(\)`' | tr -d '`()'); do
    grep -qx "$name" "$work/declared" && { echo "$name is still there"; bad=1; }
done
count=$(grep -c '^    (void)' "$work/spellings.c")
echo "migration.md: $count spellings"
[ "$bad" -eq 0 ] && [ "$count" -ge 20 ]
