/* SPDX-License-Identifier: MIT */
/* Grounds are made while the C library's allocator fails, once or for good, at each of its calls in turn: the ground is
 * whole, or the error is lack of memory and nothing is left. A plain program, as it defines malloc(). */
#include "ground/levels.h"
#include "models/defaults.h"
#include "models/starving.h"

#include <stdio.h>

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
    if (spans == 0) complain(what, 0, "never made");
}

static float flat(void *context, int32_t x, int32_t y) {
    (void)context;
    return .1f * (float)(x + y);
}

int main(void) {
    build_level();
    wend_ground_def def = level_def(&level), hills;
    def.radius = .3f;
    def.drop = 3;
    def.jump = 2;
    wend_ground_def_init(&hills, sizeof hills);
    hills.heights = flat;
    hills.columns = hills.rows = 6;
    for (int i = 0; i < 2; i++) {
        for_good = i == 1;
        starve_creation("triangles", &def);
        starve_creation("heights", &hills);
    }
    return bad > 0;
}
#endif
