/* SPDX-License-Identifier: MIT */
/* Shared by the map's tests: a counting allocator that can fail, and a plain model of a grid. */
#include "map/map_support.h"

#include "map/components/labels.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/version/version.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void fail_everywhere(wend_map *map, counting *c, int32_t (*act)(wend_map *map), uint64_t (*sum)(wend_map *map)) {
    wend_map_info before = {.struct_bytes = sizeof before}, now = {.struct_bytes = sizeof now};
    wend_map_get_info(map, &before);
    const uint64_t was = sum(map);
    wend_error error = WEND_OUT_OF_MEMORY;
    size_t failed = 0;
    const size_t next = (size_t)few_or_many(5, 1);
    for (size_t n = 2; error; n += n < 8 ? 1 : next) {
        c->calls = 0;
        *(n % 2 ? &c->fail_from : &c->fail_at) = n / 2;
        error = act(map);
        c->fail_at = c->fail_from = 0;
        wend_map_get_info(map, &now);
        cr_assert_eq(c->bytes, now.bytes);
        if (!error) break;
        failed++;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert(now.bytes == before.bytes && now.epoch == before.epoch);
        cr_assert(now.jump_bytes == before.jump_bytes && now.jumps == before.jumps);
        cr_assert_eq(now.jump_unpruned, before.jump_unpruned);
        cr_assert(now.landmarks == before.landmarks && now.landmark_bytes == before.landmark_bytes);
        cr_assert_eq(sum(map), was);
    }
    cr_assert_gt(failed, 1u);
}

model model_create(int32_t width, int32_t height, const wend_map_rules *rules) {
    model m = {.width = width, .height = height, .rules = rules ? *rules : default_rules()};
    if (m.rules.neighbours == 0) m.rules.neighbours = 8; /* as maps report it */
    m.classes = malloc((size_t)width * (size_t)height);
    memset(m.classes, WEND_CLASS_OPEN, (size_t)width * (size_t)height);
    return m;
}

model model_copy(const model *from) {
    model m = model_create(from->width, from->height, &from->rules);
    memcpy(m.classes, from->classes, (size_t)m.width * (size_t)m.height);
    return m;
}

void model_free(model *m) {
    free(m->classes);
}

static uint8_t factor(const model *m, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= m->width || y >= m->height) return 0;
    return m->rules.factors[m->classes[(size_t)y * (size_t)m->width + (size_t)x]];
}

bool model_open(const model *m, int32_t x, int32_t y) {
    return factor(m, x, y) != 0;
}

/* Returns whether a diagonal step to an open cell is allowed, past one cell and the other. */
static bool diagonal_step(const model *m, bool one, bool other) {
    if (m->rules.neighbours == 4) return false;
    switch (m->rules.corners) {
    case WEND_CORNERS_NEVER: return one && other;
    case WEND_CORNERS_ONE: return one || other;
    default: return true;
    }
}

bool model_step(const model *m, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0)) return false;
    if (!model_open(m, x + dx, y + dy)) return false;
    return dx == 0 || dy == 0 || diagonal_step(m, model_open(m, x + dx, y), model_open(m, x, y + dy));
}

static void check_cell(const model *m, const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> 6, y >> 6);
    unsigned mask = chunk->masks->bytes[(y & 63) * 64 + (x & 63)], expected = 0, steps = 0;
    const int8_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    bool open[3][3]; /* around the cell: [1 + dy][1 + dx] */
    for (int i = 0; i < 9; i++) open[i / 3][i % 3] = model_open(m, x + i % 3 - 1, y + i / 3 - 1);
    for (int d = 0; d < 8; d++) {
        const bool to = open[1 + dy[d]][1 + dx[d]] && chunk->land == WEND_LAND_LOADED;
        expected |= (unsigned)to << d;
        steps |= (unsigned)(to && (d < 4 || diagonal_step(m, open[1][1 + dx[d]], open[1 + dy[d]][1]))) << d;
    }
    uint8_t class = m->classes[(size_t)y * (size_t)m->width + (size_t)x];
    cr_assert(wend__version_class(v, x, y) == class && mask == expected && wend__version_steps(v, x, y) == steps,
              "(%d, %d): class %u for %u, mask %02x for %02x, steps %02x for %02x", x, y, wend__version_class(v, x, y),
              class, mask, expected, wend__version_steps(v, x, y), steps);
}

static uint8_t most_in_chunk(const model *m, int32_t column, int32_t row) {
    uint8_t most = 0;
    for (int32_t y = row * 64; y < row * 64 + 64; y++)
        for (int32_t x = column * 64; x < column * 64 + 64; x++)
            if (factor(m, x, y) > most) most = factor(m, x, y);
    return most;
}

/* Checks the form: one class: neither bytes nor bits; two that cost 1 or nothing: bits; else bytes. */
static void check_form(const model *m, const wend__chunk *chunk, int32_t column, int32_t row) {
    bool present[256] = {false}, slow = false;
    int count = 0;
    for (int32_t y = row * 64; y < row * 64 + 64 && y < m->height; y++)
        for (int32_t x = column * 64; x < column * 64 + 64 && x < m->width; x++)
            present[m->classes[(size_t)y * (size_t)m->width + (size_t)x]] = true;
    for (int class = 0; class < 256; class++) {
        count += present[class];
        slow = slow || (present[class] && m->rules.factors[class] > 1);
    }
    bool bits = count == 2 && !slow;
    cr_assert_eq(bits, chunk->bits != NULL, "%d classes in chunk (%d, %d)", count, (int)column, (int)row);
    cr_assert_eq(count > 1 && !bits, chunk->terrain != NULL, "%d classes in chunk (%d, %d)", count, (int)column,
                 (int)row);
}

/* Masks that are all ones or zeros are the static ones. */
static void check_shared(const wend__chunk *chunk) {
    for (unsigned value = 0; value <= 255; value += 255) {
        const wend__plane *shared = value ? &wend__masks_open : &wend__masks_closed;
        bool alike = memcmp(shared->bytes, chunk->masks->bytes, sizeof shared->bytes) == 0;
        cr_assert_eq(alike, chunk->masks == shared);
    }
}

void model_check(const model *m, const wend__version *v) {
    uint8_t most = 0;
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++) check_cell(m, v, x, y);
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__chunk *chunk = wend__version_chunk(v, column, row);
            uint8_t here = most_in_chunk(m, column, row);
            cr_assert_eq(chunk->max_factor, here, "chunk (%d, %d)", column, row);
            if (here > most) most = here;
            check_form(m, chunk, column, row);
            check_shared(chunk);
        }
    cr_assert_eq(v->max_factor, most);
}

void model_check_map(const model *m, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    model_check(m, v);
}

wend_map *map_of(const model *m) {
    wend_map_def def = default_map();
    def.width = m->width, def.height = m->height, def.rules = &m->rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_box all = box_of(0, 0, m->width - 1, m->height - 1);
    cr_assert_eq(wend_edit_set_box(edit, all, m->classes, (size_t)m->width), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

wend_map *map_of_size(int32_t width, int32_t height) {
    return grid_map(width, height);
}

model model_of_text(const char *const *rows, int32_t count, const wend_map_rules *rules) {
    model m = model_create((int32_t)strlen(rows[0]), count, rules);
    for (int32_t y = 0; y < count; y++)
        for (int32_t x = 0; x < m.width; x++)
            m.classes[y * m.width + x] = rows[y][x] == '#' ? 0 : rows[y][x] == '.' ? 1 : (uint8_t)(rows[y][x] - '0');
    return m;
}

uint64_t map_bytes(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info.bytes;
}

uint64_t map_epoch(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info.epoch;
}

/* ---- bytes of labels ---- */

typedef struct parts {
    const void *at[65536];
    size_t count;
    uint64_t bytes;
} parts;

static void count_part(parts *all, const void *part, uint64_t bytes) {
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i] == part) return;
    cr_assert_lt(all->count, sizeof all->at / sizeof *all->at);
    all->at[all->count++] = part;
    all->bytes += bytes;
}

static void count_area(parts *all, const wend__area *area) {
    if (!area) return;
    count_part(all, area, sizeof *area);
    count_part(all, area->outline, area->outline->shared.bytes);
    count_part(all, area->inside, area->inside->shared.bytes);
    for (int i = 0; i < 4; i++) count_area(all, area->parts[i]);
}

uint64_t map_ground_bytes(wend_map *map) {
    static parts all;
    all.count = 0, all.bytes = 0;
    wend__version *newest = wend__map_acquire(map, false);
    for (const wend__version *v = newest; v; v = v->older) count_area(&all, v->labels);
    wend__map_release(newest, false);
    return map_bytes(map) - all.bytes;
}
