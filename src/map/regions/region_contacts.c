/* SPDX-License-Identifier: MIT */
/* Contacts: which regions touch across the sides of chunks of voxels. They are kept until one of the two chunks
   changes. */
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/rules.h"

/* The contacts of a block's chunks while they are collected. */
typedef struct finding {
    const wend__version *version;
    const wend__regions *regions, *old;
    size_t block;
    unsigned directions;
    const wend__contact *next, *end; ///< the old ones, not passed yet
    wend__contact *of;
    uint32_t count, room;
    uint64_t led_to[WEND__SPACE_DIRECTIONS]; ///< from one whole block's region to another's: their numbers, and 1
} finding;

static size_t bytes_of(uint32_t count) {
    return sizeof(wend__contacts) + count * sizeof(wend__contact);
}

void wend__contacts_free(wend_map *map, wend__contacts *contacts) {
    if (contacts) wend__map_free(map, contacts, bytes_of(contacts->count));
}

void wend__contacts_release(wend_map *map, wend__contacts *contacts) {
    if (contacts && wend__reference_drop(map, &contacts->references)) wend__contacts_free(map, contacts);
}

static wend_error make_room(finding *f, uint32_t more) {
    if (f->count + more <= f->room) return WEND_OK;
    uint32_t room = 2 * f->room + more;
    wend__contact *wider = wend__map_alloc(f->version->map, room * sizeof *wider);
    if (!wider) return WEND_OUT_OF_MEMORY;
    if (f->count) memcpy(wider, f->of, f->count * sizeof *wider);
    wend__map_free(f->version->map, f->of, f->room * sizeof *f->of);
    f->of = wider;
    f->room = room;
    return WEND_OK;
}

static int32_t add(finding *f, unsigned chunk, unsigned direction, const wend__touching *found, uint32_t count) {
    if (make_room(f, count)) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        f->of[f->count++] = (wend__contact){(uint8_t)chunk, (uint8_t)direction, found[i].a, found[i].b};
    return WEND_OK;
}

static wend_error find_anew(finding *f, unsigned chunk, unsigned direction, const wend__chunk_regions *a,
                            const wend__chunk_regions *b) {
    const int8_t offset[3] = {wend__sx[direction], wend__sy[direction], wend__sz[direction]};
    const wend__side here = {.in_chunk = a}, there = {.in_chunk = b, .base = a->rim};
    wend__touching found[WEND__TOUCHING_MOST];
    uint32_t parents[WEND__TOUCHING_MOST];
    if (a->rim == 0 || b->rim == 0) return WEND_OK;
    if (a == &wend__chunk_regions_open && b == &wend__chunk_regions_open) {
        found[0] = (wend__touching){0, 0};
        return add(f, chunk, direction, found, 1);
    }
    for (uint32_t i = 0; i < a->rim + b->rim; i++) parents[i] = i;
    uint32_t count = wend__sides_touch(parents, &here, &there, offset, f->directions, found);
    return add(f, chunk, direction, found, count);
}

/* The old contacts of this chunk and direction, which are sorted so. */
static wend_error take_old(finding *f, unsigned chunk, unsigned direction, bool keep) {
    while (f->next < f->end && f->next->chunk == chunk && f->next->direction == direction) {
        wend__touching found = {f->next->a, f->next->b};
        f->next++;
        if (keep && add(f, chunk, direction, &found, 1)) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

/* Whole blocks number their regions otherwise: contacts with them are found again. */
static bool plain(const finding *f, size_t block) {
    return !f->regions->of[block].regions->whole && !f->old->of[block].regions->whole;
}

static bool as_before(const finding *f, size_t block, unsigned chunk) {
    return plain(f, block) && wend__chunk_regions_alike(f->old->of[block].regions->chunks[chunk],
                                                        f->regions->of[block].regions->chunks[chunk]);
}

static wend_error meet(finding *f, unsigned chunk, unsigned direction, size_t to_block, unsigned to_chunk) {
    const wend__block_regions *here = f->regions->of[f->block].regions, *there = f->regions->of[to_block].regions;
    bool keep = f->old && as_before(f, f->block, chunk) && as_before(f, to_block, to_chunk);
    if (take_old(f, chunk, direction, keep)) return WEND_OUT_OF_MEMORY;
    if (keep) return WEND_OK;
    if (here->whole && there->whole) { /* once is enough */
        uint32_t from = here->first[chunk], to = there->first[to_chunk];
        uint64_t leads_to = ((uint64_t)to_block << 2 | from << 1 | to) + 1;
        if ((to_block == f->block && to == from) || leads_to == f->led_to[direction]) return WEND_OK;
        f->led_to[direction] = leads_to;
    }
    return find_anew(f, chunk, direction, here->chunks[chunk], there->chunks[to_chunk]);
}

static wend_error meet_around(finding *f, unsigned chunk, int32_t column, int32_t row) {
    const wend__version *v = f->version;
    int32_t layer = row / v->chunk_y, y = row % v->chunk_y, layers = v->chunk_rows / v->chunk_y;
    for (unsigned d = 0; d < f->directions; d++) {
        int8_t dx = wend__sx[d], dy = wend__sy[d], dz = wend__sz[d];
        bool forward = dz > 0 || (dz == 0 && (dy > 0 || (dy == 0 && dx > 0)));
        int32_t to_column = column + dx, to_y = y + dy, to_layer = layer + dz;
        if (!forward || to_column < 0 || to_column >= v->chunk_columns || to_y < 0 || to_y >= v->chunk_y) continue;
        if (to_layer >= layers) continue;
        int32_t to_row = to_layer * v->chunk_y + to_y;
        size_t to_block = wend__block_index(v, to_column, to_row);
        if (meet(f, chunk, d, to_block, wend__chunk_index(to_column, to_row))) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

static wend_error store(finding *f, wend__contacts **out) {
    wend_map *map = f->version->map;
    wend__contacts *contacts = wend__map_alloc(map, bytes_of(f->count));
    if (!contacts) return WEND_OUT_OF_MEMORY;
    *contacts = (wend__contacts){.references = 1, .count = f->count};
    if (f->count) memcpy(contacts->of, f->of, f->count * sizeof *f->of);
    *out = contacts;
    return WEND_OK;
}

wend_error wend__contacts_create(const wend__version *version, const wend__regions *regions, const wend__regions *old,
                                 size_t block, wend__contacts **out) {
    finding f = {.version = version,
                 .regions = regions,
                 .old = old,
                 .block = block,
                 .directions = wend__contact_directions(&version->rules, WEND_KIND_VOXEL)};
    if (old) f.next = old->of[block].contacts->of, f.end = f.next + old->of[block].contacts->count;
    wend_error error = WEND_OK;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !error; i++) {
        const wend__place p = wend__chunk_place(version, block, i);
        if (wend__on_table(version, p.column, p.row)) error = meet_around(&f, i, p.column, p.row);
    }
    if (!error) error = store(&f, out);
    wend__map_free(version->map, f.of, f.room * sizeof *f.of);
    return error;
}
