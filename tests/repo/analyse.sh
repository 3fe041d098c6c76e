#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis by hand, half an hour: sh tests/repo/analyse.sh [FOLDER OR FILE of src...]
# clang-tidy 14, gcc 12 with -fanalyzer, two minutes a file at most, then cppcheck 2.10. Fails at a warning that is not
# explained here or in .clang-tidy.
# gcc does not come to an end with fast/jump/grid_jump.c and fast/jump_stops/stop_search.c.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
findings=$(mktemp) || exit 99
trap 'rm -f "$findings"' EXIT
trap 'exit 99' HUP INT TERM
[ $# -gt 0 ] || set -- src

# clang-tidy takes analyse.h first, but for the two files that define what it replaces. It follows paths that a caller or an
# invariant excludes:
# - far.h, far_gates.c: a level has areas, and a record is there.
# - grid_canonical.c: as for gcc, below.
# - label_chunk.c: each open cell is in a run.
# - link_components_update.c: as for gcc, below.
# - near_field.c, graph_astar.c, graph_astar_loop.h, grid_jump.c, share.c, unpull.c: a field, a directory, a node, a group
#   or room that is there.
# - save_agents.c, save_bytes.c, save_map.c, save_recording.c, save_service.c: what is written is consistent, and a count of
#   0 goes with NULL.
# - vectors.h: wend__scaled() leaves out a whole of 0.
# - views.c: wend__shared_drop() is false for NULL.
known_clang='components/link_components_update\.c:.*NullDereference|components/label_chunk\.c:.*UndefinedBinaryOperatorResult'
known_clang="$known_clang|far/far(_gates\\.c|\\.h):.*(NullDereference|UndefinedBinaryOperatorResult)"
known_clang="$known_clang|save/save_(agents|map|recording|service)\\.c:.*NullDereference"
known_clang="$known_clang|save/save_bytes\\.[ch]:.*(uninitialized|UndefinedBinaryOperatorResult)"
known_clang="$known_clang|graph/graph_astar(\\.c|_loop\\.h):.*NullDereference|movers/views\\.c:.*NullDereference"
known_clang="$known_clang|paths/near_field\\.c:.*NullDereference"
known_clang="$known_clang|(jump/grid_jump|share/share|pull/unpull)\\.c:.*NullDereference"
known_clang="$known_clang|floor/vectors\\.h:.*DivideZero"
known_clang="$known_clang|rules/grid_canonical\\.c:.*UndefinedBinaryOperatorResult"
for file in $(find "$@" -name '*.c'); do
    case $file in
    */refuse.c | */text/*.c) first=base/refuse.h ;;
    *) first=tests/repo/analyse.h ;;
    esac
    clang-tidy --quiet "$file" -- -std=gnu11 -O1 -w -DWEND_DEBUG -D_GNU_SOURCE=1 -include "$first" -Iinclude -Isrc -Iextra \
        2>/dev/null | grep -E '(warning|error):' | grep -vE "$known_clang" >>"$findings"
done

# gcc follows paths that a caller or an invariant excludes:
# - cli/output/draw.c: `file` is written wherever a name was given and the status is good.
# - near_field.h: wend__path_join_end() is called after wend__near_find() found the agent's field.
# - exits.h, jump_build.c: a loop over all elements writes them before.
# - units.c: a unit that leaves was noted in its chunk when it came.
# - link_components_update.c: without names there are no labels to look at.
# - node_regions.c: without sources their count is 0.
# - recording.c: wend__record_see() has just set the map's entry.
# - save_lists.c: `number` is NULL where the check says that it is not.
# - general_nodes.h, graph_astar.h, numbers.c, service_state.h: a node, entry or group that is there, says the comment.
# - grid_canonical.c: way_round() and is_step() leave out the cell itself, the only one without a direction.
known_gcc='cli/output/draw\.c:.*use-of-uninit|stops/exits\.h:.*use-of-uninit|tables/jump_build\.c:.*use-of-uninit'
for name in crowd/store/near_field.h fast/stops/units.c map/components/link_components_update.c \
    map/regions/node_regions.c recording/calls/recording.c save/save_lists.c search/general/general_nodes.h \
    search/graph/graph_astar.h service/store/numbers.c service/state/service_state.h; do
    known_gcc="$known_gcc|$name:.*null-dereference"
done
known_gcc="$known_gcc|rules/grid_canonical\\.c:.*shift-count-negative"
for file in $(find "$@" -name '*.c'); do
    timeout 120 gcc -std=gnu11 -O1 -fanalyzer -Iinclude -Isrc -Iextra -c "$file" -o /dev/null 2>&1 |
        grep 'warning: .*-Wanalyzer' | grep -vE "$known_gcc" >>"$findings"
done

# - memleakOnRealloc: wend__array_grow() leaves the old memory in the caller's array, as its comment says.
# - returnDanglingLifetime, uninitvar: an argument that only receives, taken for one that is read.
# - nullPointer: `cells` is written below `capacity`, which is 0 with NULL.
# - arrayIndexThenCheck: `j <= gate` bounds the loop; the second comparison leaves out the last.
# - autoVariables: `pull` and `source` end with their caller, and the pointers are cleared before.
# - invalidFunctionArgBool: memchr() looks for bytes that are true.
# - arrayIndexOutOfBounds: the first of the open groups is always less than no group.
# - internalAstError: cppcheck 2.10 does not read a compound literal in a conditional.
cppcheck --std=c11 --enable=warning,performance,portability --quiet --max-configs=1 -D__GNUC__ -D__x86_64__ \
    --suppress=missingIncludeSystem -Iinclude -Isrc -Iextra --template='{file}:{line}: {message} [{id}]' \
    --suppress=memleakOnRealloc:src/base/array.h --suppress=returnDanglingLifetime:src/crowd/agents/view.c \
    --suppress=uninitvar:src/base/hash.h --suppress=uninitvar:src/map/ground/seams.c \
    --suppress=uninitvar:src/save/save_map.c --suppress=nullPointer:src/crowd/agents/view.c \
    --suppress=arrayIndexThenCheck:src/fast/far/far_records.c --suppress=autoVariables:src/motion/pull/pull.c \
    --suppress=autoVariables:src/io/readers/read_map.c --suppress=invalidFunctionArgBool:src/map/components/labels.c \
    --suppress=arrayIndexOutOfBounds:src/search/general/heuristic.c --suppress=internalAstError "$@" 2>>"$findings"

[ ! -s "$findings" ] || { cat "$findings"; exit 1; }
