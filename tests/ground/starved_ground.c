/* SPDX-License-Identifier: MIT */
/* Grounds are made and updated while the C library's allocator fails, once or for good, at each of its calls in turn:
 * the ground is whole, or the error is lack of memory and nothing is left, or nothing has changed. A plain program, as
 * it defines malloc(). */
#include "ground/levels.h"
#include "models/defaults.h"
/* Libraries call these malloc() and free(), so their names must not be hidden. */
#pragma GCC visibility push(default)
#include "models/starving.h"
#pragma GCC visibility pop

#include <stdio.h>
#include <wend/query.h>

#if !STARVING
int main(void) {
    return 77;
}
#else

static test_level level;
static bool for_good;
static int bad;

static void complain(const char *what, size_t at, const char *text) {
    printf("%s, allocation %zu%s: %s\n", what, at, for_good ? " and all after it" : "", text);
    bad++;
}

/* Two storeys, a ramp, and links down from the upper one. */
static void build_level(void) {
    level.terrain = WEND_CLASS_OPEN;
    add_floor(&level, 0, 0, 6, 6, 0);
    add_floor(&level, 3, 0, 6, 6, 2.4f);
    add_ramp(&level, 0, 2, 3, 4, 0, 2.4f);
}

static void starve_creation(const char *what, const wend_ground_def *def) {
    size_t calls = 1;
    uint32_t spans = 0;
    for (size_t at = 1; calls + 1 >= at; at++) { /* until a run makes fewer calls */
        wend_file_error error = {.struct_bytes = sizeof error};
        wend_ground_info info = {.struct_bytes = sizeof info};
        wend_ground *ground = NULL;
        wend_map *map = NULL;
        const size_t live = starving_live;
        starving_begin(at, for_good);
        const wend_error code = wend_ground_create(def, &ground, &map, &error);
        calls = starving_end();
        if (code && (code != WEND_OUT_OF_MEMORY || ground || map)) complain(what, at, error.text);
        if (!code) {
            wend_ground_get_info(ground, &info);
            if (spans && info.spans != spans) complain(what, at, "other spans");
            spans = info.spans;
        }
        wend_ground_destroy(ground);
        wend_map_release(map);
        if (starving_live != live) complain(what, at, "blocks are left");
    }
    if (spans == 0 || calls < 10) complain(what, calls, "never made, or no allocation was seen");
}

/* A block on the floor, half of it on the upper storey's ramp. */
static const float block[] = {1, 1, 1, 1, 1, 4, 4, 1, 4, 1, 1, 1, 4, 1, 4, 4, 1, 1};

static bool fits(const wend_ground *ground, const wend_map *map) {
    wend_ground_info info = {.struct_bytes = sizeof info};
    uint64_t counts[256];
    wend_ground_get_info(ground, &info);
    wend_map_get_class_counts(map, counts);
    return counts[WEND_CLASS_OPEN] == info.spans && info_now(map).links == info.seams + info.leaps;
}

/* @return the first error */
static wend_error change(wend_ground *ground, wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_ground_set_triangles(ground, 2, 2, block, NULL, NULL);
    if (!error) error = wend_edit_begin(map, &edit);
    if (error) return error;
    error = wend_ground_update(ground, edit, 99, NULL);
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static void starve_changes(const wend_ground_def *def) {
    size_t calls = 1;
    uint32_t spans = 0;
    for (size_t at = 1; calls + 1 >= at; at++) {
        wend_ground *ground;
        wend_map *map;
        const size_t live = starving_live;
        if (wend_ground_create(def, &ground, &map, NULL)) exit(99);
        wend_ground_info before = {.struct_bytes = sizeof before}, after = before;
        wend_ground_get_info(ground, &before);
        starving_begin(at, for_good);
        const wend_error code = change(ground, map);
        calls = starving_end();
        if (code) wend_ground_undo(ground);
        wend_ground_get_info(ground, &after);
        if (code && (code != WEND_OUT_OF_MEMORY || after.spans != before.spans || after.seams != before.seams))
            complain("changes", at, "not as it was");
        if (!fits(ground, map)) complain("changes", at, "the map does not fit");
        if (code && change(ground, map)) complain("changes", at, "not done later");
        wend_ground_get_info(ground, &after);
        if (!fits(ground, map) || after.marked > 0 || (spans && after.spans != spans))
            complain("changes", at, "other spans");
        spans = after.spans;
        if (spans == before.spans) complain("changes", at, "nothing changes");
        wend_ground_destroy(ground);
        wend_map_release(map);
        if (starving_live != live) complain("changes", at, "blocks are left");
    }
    if (calls < 10) complain("changes", calls, "no more were asked for");
}

static float flat(void *context, int32_t x, int32_t y) {
    (void)context;
    return .1f * (float)(x + y);
}

int main(void) {
    build_level();
    wend_ground_def def = level_def(&level), hills;
    def.radius = .3f, def.drop = 3, def.jump = 2;
    wend_ground_def_init(&hills, sizeof hills);
    hills.heights = flat, hills.columns = hills.rows = 6;
    wend_ground_def lively = def;
    lively.changes = 1, lively.spare_sheets = 2;
    for (int i = 0; i < 2; i++) {
        for_good = i == 1;
        starve_creation("triangles", &def);
        starve_creation("heights", &hills);
        starve_changes(&lively);
    }
    return bad > 0;
}
#endif
