/* SPDX-License-Identifier: MIT */
/* A model of a voxel map, and a comparison of a map with it. */
#include "models/voxel_model.h"
#include "models/defaults.h"

#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>

space space_create(int32_t width, int32_t height, int32_t depth, const wend_map_rules *rules) {
    space s = {width, height, depth, NULL, rules ? *rules : default_rules()};
    s.classes = malloc(space_cells(&s));
    memset(s.classes, WEND_CLASS_OPEN, space_cells(&s));
    return s;
}

void space_free(space *s) {
    free(s->classes);
}

size_t space_cells(const space *s) {
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

uint8_t *space_at(const space *s, wend_cell c) {
    return &s->classes[((size_t)c.z * (size_t)s->height + (size_t)c.y) * (size_t)s->width + (size_t)c.x];
}

static bool inside(const space *s, wend_cell c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < s->width && c.y < s->height && c.z < s->depth;
}

uint8_t space_factor(const space *s, wend_cell c) {
    return inside(s, c) ? s->rules.factors[*space_at(s, c)] : 0;
}

bool space_open(const space *s, wend_cell c) {
    return space_factor(s, c) != 0;
}

/* Every cell of the box but the start. */
static bool box_open(const space *s, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    for (int32_t z = 0; z <= abs(dz); z++)
        for (int32_t y = 0; y <= abs(dy); y++)
            for (int32_t x = 0; x <= abs(dx); x++)
                if ((x || y || z) && !space_open(s, in3(from.x + x * dx, from.y + y * dy, from.z + z * dz)))
                    return false;
    return true;
}

/* Some way of straight steps, none of them backwards, through open cells. */
static bool some_way(const space *s, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    if (!dx && !dy && !dz) return true;
    if (dx && space_open(s, in3(from.x + dx, from.y, from.z)) &&
        some_way(s, in3(from.x + dx, from.y, from.z), 0, dy, dz))
        return true;
    if (dy && space_open(s, in3(from.x, from.y + dy, from.z)) &&
        some_way(s, in3(from.x, from.y + dy, from.z), dx, 0, dz))
        return true;
    return dz && space_open(s, in3(from.x, from.y, from.z + dz)) &&
           some_way(s, in3(from.x, from.y, from.z + dz), dx, dy, 0);
}

bool space_step(const space *s, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    int32_t neighbours = s->rules.neighbours ? s->rules.neighbours : 26, axes = abs(dx) + abs(dy) + abs(dz);
    if (!axes || axes > (neighbours == 6 ? 1 : neighbours == 18 ? 2 : 3)) return false;
    if (!space_open(s, in3(from.x + dx, from.y + dy, from.z + dz))) return false;
    if (s->rules.corners == WEND_CORNERS_NEVER) return box_open(s, from, dx, dy, dz);
    return s->rules.corners == WEND_CORNERS_ALWAYS || some_way(s, from, dx, dy, dz);
}

wend_map *space_map(const space *s, const wend_allocator *allocator) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = s->width, def.height = s->height, def.depth = s->depth;
    def.rules = &s->rules;
    if (allocator) def.allocator = *allocator;
    return made_map(&def);
}

wend_map *space_map_written(const space *s) {
    wend_map *map = space_map(s, NULL);
    wend_box all = {{0, 0, 0}, {s->width - 1, s->height - 1, s->depth - 1}};
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, all, s->classes, (size_t)s->width), WEND_OK));
    return map;
}

wend_box space_draw_box(const space *s, uint64_t *seed) {
    const int32_t sizes[3] = {s->width, s->height, s->depth};
    int32_t from[3], to[3];
    for (int i = 0; i < 3; i++) {
        int32_t a = (int32_t)draw(seed, (uint32_t)sizes[i]), b = (int32_t)draw(seed, (uint32_t)sizes[i]);
        from[i] = a < b ? a : b, to[i] = a < b ? b : a;
    }
    return (wend_box){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
}

/* ---- a map against the model ---- */

static void check_cell(const space *s, const wend__version *v, wend_cell c) {
    wend__place p = wend__place_of(v, c);
    const wend__chunk *chunk = wend__version_chunk(v, p.column, p.row);
    uint8_t class = wend__chunk_class(chunk, p.local);
    bool open = chunk->open->rows[p.local >> 6] >> (p.local & 63) & 1;
    uint32_t expected = 0, steps = wend__voxel_steps(v, c);
    for (int d = 0; d < 26; d++) expected |= (uint32_t)space_step(s, c, wend__sx[d], wend__sy[d], wend__sz[d]) << d;
    cr_assert(class == *space_at(s, c) && open == space_open(s, c), "(%d, %d, %d): class %u for %u, open %d", c.x, c.y,
              c.z, class, *space_at(s, c), open);
    cr_assert(steps == expected && wend__voxel_steps_at(v, chunk, p.local, c) == steps,
              "(%d, %d, %d): steps %07x for %07x, corners %d", c.x, c.y, c.z, steps, expected, s->rules.corners);
}

typedef struct seen {
    bool classes[256];
    int count, open, cells;
    uint8_t most;
    bool slow;
} seen;

static seen see_chunk(const space *s, wend_cell first) {
    seen out = {.count = 0};
    for (int32_t z = first.z; z < first.z + 16; z++)
        for (int32_t y = first.y; y < first.y + 16; y++)
            for (int32_t x = first.x; x < first.x + 16; x++) {
                wend_cell c = {x, y, z};
                if (!inside(s, c)) continue;
                uint8_t class = *space_at(s, c), factor = space_factor(s, c);
                out.count += !out.classes[class];
                out.classes[class] = true;
                out.cells++, out.open += factor != 0;
                out.most = factor > out.most ? factor : out.most, out.slow = out.slow || factor > 1;
            }
    return out;
}

/* Checks the form: one class: nothing; two that cost 1 or nothing: bits. Open bits are shared by all maps, or with the
 * terrain, where equal. */
static void check_chunk(const space *s, const wend__chunk *chunk, wend_cell first) {
    seen here = see_chunk(s, first);
    int open = 0;
    for (int i = 0; i < 64; i++) open += (int)wend__popcount64(chunk->open->rows[i]);
    cr_assert_eq(open, here.open, "some cell beyond the rim is open");
    cr_assert_eq(chunk->max_factor, here.most);
    bool bits = here.count == 2 && !here.slow;
    cr_assert_eq(chunk->bits != NULL, bits, "chunk of (%d, %d, %d)", first.x, first.y, first.z);
    cr_assert_eq(chunk->terrain != NULL, here.count > 1 && !bits, "chunk of (%d, %d, %d)", first.x, first.y, first.z);
    cr_assert_eq(chunk->open == &wend__voxels_blocked, here.open == 0);
    cr_assert_eq(chunk->open == &wend__voxels_open, here.open == 4096);
    bool alike = chunk->bits && memcmp(chunk->bits->rows, chunk->open->rows, sizeof chunk->bits->rows) == 0;
    cr_assert_eq(chunk->open == chunk->bits, alike); /* equal bits are stored once */
}

static void check_read(const space *s, wend_map *map) {
    uint8_t *all = malloc(space_cells(s));
    wend_box box = {{0, 0, 0}, {s->width - 1, s->height - 1, s->depth - 1}};
    cr_assert_eq(wend_map_get_terrain_box(map, box, all, (size_t)s->width), WEND_OK);
    cr_assert(memcmp(all, s->classes, space_cells(s)) == 0);
    free(all);
}

void space_check(const space *s, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    wend_cell c;
    uint8_t most = 0;
    for (c.z = 0; c.z < s->depth; c.z++)
        for (c.y = 0; c.y < s->height; c.y++)
            for (c.x = 0; c.x < s->width; c.x++) check_cell(s, v, c);
    for (c.z = 0; c.z < s->depth; c.z += 16)
        for (c.y = 0; c.y < s->height; c.y += 16)
            for (c.x = 0; c.x < s->width; c.x += 16) {
                wend__place p = wend__place_of(v, c);
                const wend__chunk *chunk = wend__version_chunk(v, p.column, p.row);
                check_chunk(s, chunk, c);
                most = chunk->max_factor > most ? chunk->max_factor : most;
            }
    cr_assert_eq(v->max_factor, most);
    check_read(s, map);
}
