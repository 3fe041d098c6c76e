/* SPDX-License-Identifier: MIT */
/* Saves of land that is known and not loaded: its hash, and its records in far layers. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "save/save_town.h"

#include "fast/far/far_layer.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/acceleration.h>
#include <wend/save.h>
#include <wend/stream.h>

enum { CHUNKS = 6, BYTES = 1 << 18 };

static uint8_t saved[BYTES], again[BYTES];

static wend_map *make_map(void) {
    wend_map_def def = default_map();
    wend_acceleration with = default_acceleration();
    wend_mover slow = default_mover();
    def.width = CHUNKS * WEND_CHUNK_SIDE, def.height = 2 * WEND_CHUNK_SIDE, def.streamed = 1;
    slow.factors[2] = 7;
    with.far = 1;
    wend_map *map = made_map(&def);
    cr_assert_eq(wend_map_add_mover(map, &slow, NULL), WEND_OK);
    for (with.mover = 0; with.mover < 2; with.mover++) cr_assert_eq(wend_map_accelerate(map, &with), WEND_OK);
    return map;
}

/* Slow ground, and walls with gaps; `other` moves them. */
static void load_chunk(wend_map *map, int32_t x, int32_t y, int32_t other) {
    uint8_t terrain[WEND_CHUNK_SIDE * WEND_CHUNK_SIDE];
    for (int32_t i = 0; i < WEND_CHUNK_SIDE * WEND_CHUNK_SIDE; i++) {
        const int32_t column = i % WEND_CHUNK_SIDE, row = i / WEND_CHUNK_SIDE;
        terrain[i] = (uint8_t)(1 + ((x + y) % 2 == 0 && row > 30));
        if (column == 20 + other && row != 40 - other && y == 0) terrain[i] = WEND_CLASS_BLOCKED;
    }
    IN_BATCH(map, cr_assert_eq(wend_edit_load(edit, x, y, terrain, WEND_CHUNK_SIDE), WEND_OK));
}

static void unload_chunk(wend_map *map, int32_t x, int32_t y, int32_t land) {
    IN_BATCH(map, cr_assert_eq(wend_edit_unload(edit, x, y, land), WEND_OK));
}

static void load_all(wend_map *map, int32_t other) {
    for (int32_t i = 0; i < 2 * CHUNKS; i++) load_chunk(map, i % CHUNKS, i / CHUNKS, other);
}

static void maintain(wend_map *map) {
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
}

static void forget_middle(wend_map *map) {
    for (int32_t x = 2; x < 4; x++)
        for (int32_t y = 0; y < 2; y++) unload_chunk(map, x, y, WEND_LAND_KNOWN);
    unload_chunk(map, 1, 1, WEND_LAND_ABSENT);
}

/* The answer to a request over known land. */
typedef struct told {
    int32_t status;
    int64_t cost;
    size_t cells, crossings;
} told;

static void hear(void *context, const wend_completion *done) {
    *(told *)context = (told){(int32_t)done->status, done->cost, done->cell_count, done->crossing_count};
}

static told ask(wend_map *map, int32_t mover) {
    wend_service_def def = default_service();
    wend_request request = default_request();
    told out = {-1, -1, 0, 0};
    wend_service *service = made_service(&def);
    request.map = map, request.mover = mover;
    request.start = (wend_cell){5, 5, 0}, request.goal = (wend_cell){CHUNKS * WEND_CHUNK_SIDE - 5, 8, 0};
    request.on_done = hear, request.context = &out;
    options_of(&request)->unloaded = WEND_UNLOADED_KNOWN;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    for (int i = 0; i < 20 && out.status < 0; i++) cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    return out;
}

static void expect_alike(wend_map *a, wend_map *b) {
    wend__version *of_a = wend__map_newest(a), *of_b = wend__map_newest(b);
    for (int32_t i = 0; i < 2 * CHUNKS; i++) {
        const wend__chunk *x = wend__version_chunk(of_a, i % CHUNKS, i / CHUNKS);
        const wend__chunk *y = wend__version_chunk(of_b, i % CHUNKS, i / CHUNKS);
        cr_expect(x->land == y->land && x->hash == y->hash, "chunk %d: %d and %d", i, x->land, y->land);
    }
    wend__map_release(of_a, false), wend__map_release(of_b, false);
    for (int32_t mover = 0; mover < 2; mover++) {
        const told here = ask(a, mover), there = ask(b, mover);
        cr_expect_eq(here.status, WEND_STATUS_FOUND);
        cr_expect(here.crossings > 0);
        cr_expect(memcmp(&here, &there, sizeof here) == 0, "mover %d: %d, %lld and %d, %lld", mover, here.status,
                  (long long)here.cost, there.status, (long long)there.cost);
    }
}

Test(save_land, known_land_is_known_after_a_restore) {
    NEEDS_FAST();
    size_t count, count_again;
    OWNED_MAP *map = make_map();
    load_all(map, 0);
    maintain(map);
    forget_middle(map);
    maintain(map);
    cr_assert_eq(wend_map_save_state(map, saved, BYTES, &count), WEND_OK);
    for (int was = 0; was < 3; was++) { /* a new map; a map with other land; a map with other known land */
        wend_map *other = make_map();
        if (was > 0) load_all(other, 5);
        if (was > 1) maintain(other), forget_middle(other);
        maintain(other);
        cr_assert_eq(wend_map_restore_state(other, saved, count), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
        maintain(other);
        expect_alike(map, other);
        cr_assert_eq(wend_map_save_state(other, again, BYTES, &count_again), WEND_OK);
        cr_expect(count == count_again && memcmp(saved, again, count) == 0, "%d", was);
        wend_map_release(other);
    }
}

/* The same in the map itself, which has loaded that land and forgotten it since. */
Test(save_land, land_that_was_known_is_known_again) {
    NEEDS_FAST();
    size_t count;
    OWNED_MAP *map = make_map(), *as_before = make_map();
    load_all(map, 0), load_all(as_before, 0);
    maintain(map), maintain(as_before);
    forget_middle(map), forget_middle(as_before);
    cr_assert_eq(wend_map_save_state(map, saved, BYTES, &count), WEND_OK);
    load_chunk(map, 2, 0, 9);
    maintain(map);
    unload_chunk(map, 2, 0, WEND_LAND_KNOWN);
    load_chunk(map, 3, 1, 9);
    unload_chunk(map, 3, 1, WEND_LAND_ABSENT);
    load_chunk(map, 1, 1, 0);
    cr_assert_eq(wend_map_restore_state(map, saved, count), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    maintain(map), maintain(as_before);
    expect_alike(map, as_before);
}

/* Changes each byte of the known land's record: the save is refused, or does no harm. */
Test(save_land, known_land_with_flipped_bytes_harms_nobody) {
    NEEDS_FAST();
    size_t count;
    OWNED_MAP *map = make_map();
    load_all(map, 0);
    maintain(map);
    forget_middle(map);
    cr_assert_eq(wend_map_save_state(map, saved, BYTES, &count), WEND_OK);
    for (size_t i = count > 3000 ? count - 3000 : 32; i < count; i += (size_t)few_or_many(29, 7)) {
        memcpy(again, saved, count);
        again[i] = (uint8_t)(again[i] + 1 + i % 255);
        town_sum(again, count);
        const wend_error error = wend_map_restore_state(map, again, count);
        cr_assert(error == WEND_OK || error == WEND_BAD_FORMAT || error == WEND_BAD_ARGUMENT, "byte %zu: %d", i, error);
        if (error) continue;
        maintain(map);
        (void)ask(map, 0), (void)ask(map, 1);
    }
    cr_assert_eq(wend_map_restore_state(map, saved, count), WEND_OK);
}

/* A chunk is unloaded as known; cells of the next one at a gate between them are blocked, and that is unloaded, too.
 * The record of the first is stale then. */
Test(save_land, known_land_at_a_blocked_gate_is_known_after_a_restore) {
    NEEDS_FAST();
    size_t count;
    uint64_t hash, restored, later;
    OWNED_MAP *map = make_map(), *other = make_map();
    load_all(map, 0);
    maintain(map);
    for (int32_t x = 2; x < 4; x++) unload_chunk(map, x, 1, WEND_LAND_ABSENT);
    unload_chunk(map, 2, 0, WEND_LAND_KNOWN);
    for (int32_t y = 0; y < 32; y++)
        cr_assert_eq(wend_map_set_cell(map, (wend_cell){3 * WEND_CHUNK_SIDE, y, 0}, WEND_CLASS_BLOCKED, NULL), WEND_OK);
    unload_chunk(map, 3, 0, WEND_LAND_KNOWN);
    cr_assert_eq(wend_map_save_state(map, saved, BYTES, &count), WEND_OK);
    cr_assert_eq(wend_map_restore_state(other, saved, count), WEND_OK);
    cr_assert_eq(wend_world_hash(map, NULL, NULL, &hash), WEND_OK);
    cr_assert_eq(wend_world_hash(other, NULL, NULL, &restored), WEND_OK);
    cr_expect_eq(restored, hash);
    for (int32_t chunk = 2; chunk < 4; chunk++) {
        wend__version *of[] = {wend__map_newest(map), wend__map_newest(other)};
        for (int k = 0; k < 2; k++) cr_expect(wend__far_told(of[k], chunk, 0), "chunk %d of map %d", chunk, k);
        for (int k = 0; k < 2; k++) wend__map_release(of[k], false);
    }
    maintain(map), maintain(other);
    expect_alike(map, other);
    cr_assert_eq(wend_world_hash(map, NULL, NULL, &later), WEND_OK);
    cr_expect_eq(later, hash, "a stale record is made again, and leads where it led");
    cr_assert_eq(wend_world_hash(other, NULL, NULL, &later), WEND_OK);
    cr_expect_eq(later, hash);
}

/* Who restores has no far layer of loaded land. A chunk's record is as its cells and those around it are when it is
 * unloaded, wherever a layer was made before these changed. */
Test(save_land, land_is_known_alike_with_an_older_layer) {
    NEEDS_FAST();
    size_t count;
    uint64_t of[2];
    OWNED_MAP *map = make_map(), *other = make_map();
    load_all(map, 0);
    maintain(map);
    for (int32_t x = 2; x < 4; x++) unload_chunk(map, x, 1, WEND_LAND_ABSENT);
    for (int32_t y = 0; y < 32; y++)
        cr_assert_eq(wend_map_set_cell(map, (wend_cell){3 * WEND_CHUNK_SIDE, y, 0}, WEND_CLASS_BLOCKED, NULL), WEND_OK);
    cr_assert_eq(wend_map_save_state(map, saved, BYTES, &count), WEND_OK);
    cr_assert_eq(wend_map_restore_state(other, saved, count), WEND_OK);
    wend_map *both[] = {map, other};
    for (int k = 0; k < 2; k++) {
        for (int32_t x = 2; x < 4; x++) unload_chunk(both[k], x, 0, WEND_LAND_KNOWN);
        cr_assert_eq(wend_world_hash(both[k], NULL, NULL, &of[k]), WEND_OK);
    }
    cr_expect_eq(of[0], of[1]);
    maintain(map), maintain(other);
    expect_alike(map, other);
}
