#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public function is given hostile arguments somewhere: a fuzz target calls it, or tests/detail has what it refuses,
# or a row below names the test that does, and why no fuzzer. A new function without one fails here. Each fuzz target is
# built by the Makefile, and has a row in fuzz/README.md.
set -u
cd "${WEND_SRCDIR:-$(dirname "$0")/../..}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}
# Sockets, loops and files need a system; constants have no arguments; assertions end a process.
cat >"$work/rows" <<'ROWS'
wend_allocator_default tests/base/test_system.c
wend_set_assert_handler tests/base/test_error.c
wend_set_log tests/base/test_log.c
wend_version tests/base/test_error.c
wend_map_retain tests/map/test_create.c
wend_service_set_wake tests/stress/stress_threads.c
wend_order_gave tests/orders/test_text.c
wend_picture_init tests/extra/test_limits.c
wend_picture_refusal tests/extra/test_worlds.c
wend_picture_write tests/extra/test_limits.c
wend_tiled_load tests/extra/test_tiled_errors.c
wend_tiled_load_with tests/extra/test_tiled_saved.c
wend_tiled_save tests/extra/test_tiled_write.c
wend_ground_create tests/ground/test_ground.c
wend_ground_def_init tests/ground/test_ground.c
wend_ground_destroy tests/ground/test_ground.c
wend_ground_get_cell tests/ground/test_ground.c
wend_ground_get_info tests/ground/ground_rig.h
wend_ground_get_world tests/ground/test_ground.c
wend_ground_set_triangles tests/ground/test_changes.c
wend_ground_undo tests/ground/test_changes.c
wend_ground_update tests/ground/test_changes.c
wend_uv_attach tests/uv/test_close.c
wend_uv_def_init tests/uv/uv_help.h
wend_uv_detach tests/uv/test_close.c
wend_uv_get_stats tests/uv/test_pace.c
wend_uv_set_budget tests/uv/test_close.c
wend_live_answer tests/server/live/test_host.c
wend_live_close tests/server/live/test_host.c
wend_live_def_init tests/server/live/test_open.c
wend_live_get_port tests/server/live/test_host.c
wend_live_limits_init tests/server/live/test_host.c
wend_live_open tests/server/live/test_open.c
wend_live_send_frame tests/server/live/test_host.c
wend_live_send_order tests/server/live/test_host.c
wend_live_set_map tests/server/live/test_host.c
wend_live_set_service tests/server/live/test_host.c
ROWS
sort "$work/rows" >"$work/elsewhere"

cat include/wend/*.h | grep -v '#define WEND_API' | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\(' |
    sed -E 's/.*[ *](wend_[a-z_0-9]+)\(/\1/' | sort -u >"$work/public"
calls() { grep -ohE '\bwend_[a-z0-9_]+\(' "$@" | tr -d '(' | sort -u; } # file...
calls fuzz/*.[ch] | comm -12 - "$work/public" >"$work/fuzzed"
calls tests/detail/*.c | comm -12 - "$work/public" >"$work/refused"
while read -r name file; do
    grep -qx "$name" "$work/public" || complain "$name has a row, and is no public function"
    grep -q "\b$name(" "$file" || complain "$file does not call $name"
    if grep -qx "$name" "$work/fuzzed" "$work/refused"; then complain "$name needs no row any more"; fi
done <"$work/elsewhere"
awk '{ print $1 }' "$work/elsewhere" | sort -u - "$work/fuzzed" "$work/refused" | comm -23 "$work/public" - >"$work/left"
while read -r name; do
    complain "$name: no fuzz target, no case in tests/detail, no row in tests/repo/fuzzers.sh"
done <"$work/left"

for target in fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    grep -q LLVMFuzzerTestOneInput "$target" || continue
    grep -q "^fuzz_programs += $name$" fuzz/Makefile.inc || complain "$name is not built"
    grep -q "| \`$name\` |" fuzz/README.md || complain "fuzz/README.md has no row of $name"
done
for name in fuzz_calls fuzz_map; do [ -f "fuzz/$name.c" ] || complain "$name is gone"; done
echo "$(wc -l <"$work/public") functions: $(wc -l <"$work/fuzzed") in fuzz targets," \
    "$(comm -23 "$work/refused" "$work/fuzzed" | wc -l) more in tests/detail, $(wc -l <"$work/elsewhere") in other tests; $bad complaints"
[ "$(wc -l <"$work/public")" -gt 250 ] && [ "$bad" -eq 0 ]
