/* SPDX-License-Identifier: MIT */
/* Contacts: regions that touch across the sides of chunks of voxels, kept until one of the two chunks changes. */
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/store/sort.h"

/* ---- places of runs ---- */

/* Mask without the first cells of rows. */
#define LATER UINT64_C(0xFFFEFFFEFFFEFFFE)

static inline uint64_t begins(const wend__chunk_regions *in_chunk, uint32_t word) {
    if (in_chunk->split) return in_chunk->split[word];
    uint64_t open = in_chunk->open->rows[word];
    return open & ~(open << 1 & LATER);
}

static inline uint32_t run_of(const wend__chunk_regions *in_chunk, uint32_t local) {
    uint64_t up_to = wend__low_bits((local & 63) + 1);
    return in_chunk->before[local >> 6] + wend__popcount64(begins(in_chunk, local >> 6) & up_to) - 1;
}

uint32_t wend__chunk_region_of(const wend__chunk_regions *in_chunk, uint32_t local) {
    if (!in_chunk->before) return 0;
    uint32_t run = run_of(in_chunk, local);
    return in_chunk->wide ? in_chunk->wide[run] : in_chunk->narrow[run];
}

static uint32_t number(const wend__side *side, uint32_t local) {
    return side->base + (side->by_run ? run_of(side->in_chunk, local) : wend__chunk_region_of(side->in_chunk, local));
}

static inline uint32_t row_bits(uint64_t word, uint32_t row) {
    return (uint32_t)(word >> ((row & 3) << 4)) & 0xFFFF;
}

static inline uint32_t open_row(const wend__chunk_regions *in_chunk, uint32_t row) {
    return row_bits(in_chunk->open->rows[row >> 2], row);
}

/* ---- a single direction ---- */

typedef struct contact {
    uint32_t *parents;
    const wend__side *a, *b;
    const int8_t *offset;
    unsigned direction, opposite;
    int32_t dx;
    uint32_t last_a, last_b; ///< regions united last
    wend__touching *found;
    uint32_t count;
} contact;

/* A step closed in one direction only still connects. */
static bool parted(const contact *c, uint32_t from, uint32_t to) {
    const wend__closed *there = c->a->in_chunk->closed, *back = c->b->in_chunk->closed;
    return there && back && there->steps[from] >> c->direction & 1 && back->steps[to] >> c->opposite & 1;
}

static uint32_t shifted(uint32_t bits, int32_t dx) {
    return dx > 0 ? bits >> 1 : dx < 0 ? bits << 1 & 0xFFFF : bits;
}

/* Returns cells of a row of a's that have an open neighbour in a row of b's. */
static uint32_t meeting_cells(const contact *c, uint32_t row_a, uint32_t row_b) {
    uint32_t in_a = open_row(c->a->in_chunk, row_a), in_b = open_row(c->b->in_chunk, row_b);
    if (c->offset[0] > 0) return in_b & 1 ? in_a & 0x8000 : 0;
    if (c->offset[0] < 0) return in_b & 0x8000 ? in_a & 1 : 0;
    uint32_t cells = in_a & shifted(in_b, c->dx);
    if (c->a->in_chunk->closed && c->b->in_chunk->closed) return cells;
    /* Only the first of adjacent equal cells is needed. */
    uint32_t begin = row_bits(begins(c->a->in_chunk, row_a >> 2), row_a);
    begin |= shifted(row_bits(begins(c->b->in_chunk, row_b >> 2), row_b), c->dx);
    return cells & (~(cells << 1) | begin);
}

static void unite_rows(contact *c, uint32_t row_a, uint32_t row_b) {
    for (uint32_t cells = meeting_cells(c, row_a, row_b); cells; cells &= cells - 1) {
        uint32_t x = wend__ctz32(cells), from = row_a << 4 | x, to = row_b << 4 | ((x + (uint32_t)c->dx) & 15);
        if (parted(c, from, to)) continue;
        uint32_t a = number(c->a, from), b = number(c->b, to);
        if (a == c->last_a && b == c->last_b) continue;
        c->last_a = a, c->last_b = b;
        if (wend__set_unite(c->parents, a, b) && c->found)
            c->found[c->count++] = (wend__touching){(uint16_t)(a - c->a->base), (uint16_t)(b - c->b->base)};
    }
}

/* Finds the coordinates along an axis of a's cells that a step leads into the chunk that is `offset` away. */
static void range(int32_t offset, int32_t step, int32_t *from, int32_t *to) {
    *from = wend__most(0, offset * WEND__VOXEL_SIDE - step);
    *to = wend__least(WEND__VOXEL_SIDE - 1, (offset + 1) * WEND__VOXEL_SIDE - 1 - step);
}

static bool leads_there(const int8_t offset[3], const int8_t step[3]) {
    for (unsigned axis = 0; axis < 3; axis++)
        if (offset[axis] && offset[axis] != step[axis]) return false;
    if (offset[0] || offset[1] || offset[2]) return true;
    /* In one chunk half of the directions suffice, and runs cover east. */
    return step[2] > 0 || (step[2] == 0 && step[1] > 0);
}

uint32_t wend__sides_touch(uint32_t *parents, const wend__side *a, const wend__side *b, const int8_t offset[3],
                           unsigned directions, wend__touching *found) {
    contact c = {.parents = parents,
                 .a = a,
                 .b = b,
                 .offset = offset,
                 .last_a = UINT32_MAX,
                 .last_b = UINT32_MAX,
                 .found = found};
    for (unsigned d = 0; d < directions; d++) {
        const int8_t step[3] = {wend__sx[d], wend__sy[d], wend__sz[d]};
        if (!leads_there(offset, step)) continue;
        c.direction = d, c.dx = step[0];
        c.opposite = (unsigned)wend__space_direction(-step[0], -step[1], -step[2]);
        int32_t y0, y1, z0, z1;
        range(offset[1], step[1], &y0, &y1);
        range(offset[2], step[2], &z0, &z1);
        for (int32_t z = z0; z <= z1; z++)
            for (int32_t y = y0; y <= y1; y++)
                unite_rows(&c, (uint32_t)(z << 4 | y), (uint32_t)(((z + step[2]) & 15) << 4 | ((y + step[1]) & 15)));
    }
    return c.count;
}

/* ---- steps of a walker ---- */

/* The steps that lead from a's chunk to b's, and the open cells that they need. */
typedef struct joining {
    contact contact;
    int32_t step[3];
} joining;

/* A step that is closed one way only still connects. */
static bool joins(const joining *j, uint32_t from, uint32_t to) {
    const wend__footing *here = wend__footing_of(j->contact.a->in_chunk->open);
    const wend__footing *there = wend__footing_of(j->contact.b->in_chunk->open);
    const int32_t k = j->step[2];
    const int32_t direction = wend__space_direction(j->step[0], j->step[1], k);
    if (direction >= 0 && parted(&j->contact, from, to)) return false;
    if (j->step[0] == 0 && j->step[1] == 0) return here->rise[from] & there->rise[to] & WEND__RISE_STAIRS;
    const uint8_t rise = k > 0 ? here->rise[from] : there->rise[to];
    return (rise & WEND__RISE_LEVELS) >= (k < 0 ? -k : k);
}

/* Into the other chunk all steps count; in one chunk half of them suffice. */
static bool may_lead_there(const joining *j) {
    const int8_t *offset = j->contact.offset;
    const int32_t *step = j->step;
    if (!offset[0] && !offset[1] && !offset[2])
        return step[2] > 0 || (step[2] == 0 && (step[1] > 0 || (step[1] == 0 && step[0] > 0)));
    for (unsigned axis = 0; axis < 3; axis++)
        if (offset[axis] * step[axis] <= 0 && offset[axis]) return false;
    return true;
}

/* @param part   which fourth of a layer */
static void unite_part(joining *j, int32_t z, int32_t part, uint64_t those) {
    contact *c = &j->contact;
    const uint32_t word = (uint32_t)(z << 2 | part), layer = (uint32_t)((z + j->step[2]) & 15) << 8;
    for (uint64_t cells = c->a->in_chunk->open->rows[word] & those; cells; cells &= cells - 1) {
        const uint32_t from = word << 6 | wend__ctz64(cells);
        const uint32_t y = (from >> 4) + (uint32_t)j->step[1], x = from + (uint32_t)j->step[0];
        const uint32_t to = layer | (y & 15) << 4 | (x & 15);
        if (!(c->b->in_chunk->open->rows[to >> 6] >> (to & 63) & 1) || !joins(j, from, to)) continue;
        const uint32_t a = number(c->a, from), b = number(c->b, to);
        if (wend__set_unite(c->parents, a, b) && c->found)
            c->found[c->count++] = (wend__touching){(uint16_t)(a - c->a->base), (uint16_t)(b - c->b->base)};
    }
}

static void unite_cells(joining *j) {
    int32_t x0, x1, y0, y1, z0, z1;
    range(j->contact.offset[0], j->step[0], &x0, &x1);
    range(j->contact.offset[1], j->step[1], &y0, &y1);
    range(j->contact.offset[2], j->step[2], &z0, &z1);
    const uint64_t columns =
        UINT64_C(0x0001000100010001) * (wend__low_bits((unsigned)x1 + 1) & ~wend__low_bits((unsigned)x0));
    for (int32_t part = y0 >> 2; part <= y1 >> 2; part++) {
        const int32_t first = wend__most(0, y0 - part * 4), last = wend__least(3, y1 - part * 4);
        const uint64_t rows = wend__low_bits(16 * (unsigned)(last + 1)) & ~wend__low_bits(16 * (unsigned)first);
        for (int32_t z = z0; z <= z1; z++) unite_part(j, z, part, columns & rows);
    }
}

/* Visits all steps with an offset in x and y, as many levels up or down as a walker goes. */
static void unite_levels(joining *j, int32_t dx, int32_t dy, int32_t levels) {
    for (int32_t k = -levels; k <= levels; k++) {
        const int32_t direction = wend__space_direction(dx, dy, k);
        j->step[0] = dx, j->step[1] = dy, j->step[2] = k;
        if (!may_lead_there(j)) continue;
        if (direction >= 0) {
            j->contact.direction = (unsigned)direction;
            j->contact.opposite = (unsigned)wend__space_direction(-dx, -dy, -k);
        }
        unite_cells(j);
    }
}

uint32_t wend__sides_touch_walker(const wend__version *view, uint32_t *parents, const wend__side *a,
                                  const wend__side *b, const int8_t offset[3], wend__touching *found) {
    joining j = {.contact = {.parents = parents, .a = a, .b = b, .offset = offset, .found = found}};
    const int32_t levels = wend__most(view->walker.step_up, view->walker.drop);
    const bool diagonal = wend__contact_directions(&view->rules, WEND_KIND_VOXEL) > WEND__SPACE_FLAT;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx && dy && diagonal) unite_levels(&j, dx, dy, 0);
            if (!dx && !dy) unite_levels(&j, 0, 0, 1);
            if (!dx != !dy) unite_levels(&j, dx, dy, levels);
        }
    return j.contact.count;
}

/* The contacts of a block's chunks while they are collected. */
typedef struct finding {
    const wend__version *version;
    const wend__regions *regions, *old;
    size_t block;
    unsigned directions;
    const wend__contact *next, *end; ///< the old contacts still to be copied
    wend__contact *of;
    uint32_t count, room;
    uint64_t led_to[WEND__SPACE_DIRECTIONS]; ///< from one whole block's region to another's: their numbers, and 1
} finding;

static size_t bytes_of(uint32_t count) {
    return sizeof(wend__contacts) + count * sizeof(wend__contact);
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

static wend_error add(finding *f, unsigned chunk, unsigned direction, const wend__touching *found, uint32_t count) {
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
    const uint32_t count = wend__is_walker(f->version)
                               ? wend__sides_touch_walker(f->version, parents, &here, &there, offset, found)
                               : wend__sides_touch(parents, &here, &there, offset, f->directions, found);
    return add(f, chunk, direction, found, count);
}

static wend_error keep_old(finding *f, const wend__contact *first) {
    const uint32_t count = (uint32_t)(f->next - first);
    if (count == 0) return WEND_OK;
    if (make_room(f, count)) return WEND_OUT_OF_MEMORY;
    memcpy(&f->of[f->count], first, count * sizeof *first);
    f->count += count;
    return WEND_OK;
}

/* Goes past the old contacts of this chunk and direction, which are sorted so, and keeps or drops them. */
static wend_error pass_old(finding *f, unsigned chunk, unsigned direction, bool keep) {
    const wend__contact *first = f->next;
    while (f->next < f->end && f->next->chunk == chunk && f->next->direction == direction) f->next++;
    return keep ? keep_old(f, first) : WEND_OK;
}

static wend_error keep_chunk(finding *f, unsigned chunk) {
    const wend__contact *first = f->next;
    while (f->next < f->end && f->next->chunk == chunk) f->next++;
    return keep_old(f, first);
}

/* Whole blocks have other region numbers: contacts with them are found again. */
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
    if (pass_old(f, chunk, direction, keep)) return WEND_OUT_OF_MEMORY;
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
        int32_t to_column = column + dx, to_y = y + dy, to_layer = layer + dz;
        if (!wend__leads_forward(d) || to_column < 0 || to_column >= v->chunk_columns || to_y < 0 || to_y >= v->chunk_y)
            continue;
        if (to_layer >= layers) continue;
        int32_t to_row = to_layer * v->chunk_y + to_y;
        size_t to_block = wend__block_index(v, to_column, to_row);
        if (meet(f, chunk, d, to_block, wend__chunk_index(to_column, to_row))) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

static wend_error store(finding *f, wend__contacts **out) {
    wend_map *map = f->version->map;
    wend__contacts *contacts = wend__shared_create(map, bytes_of(f->count));
    if (!contacts) return WEND_OUT_OF_MEMORY;
    *contacts = (wend__contacts){.shared = contacts->shared, .count = f->count};
    if (f->count) memcpy(contacts->of, f->of, f->count * sizeof *f->of);
    *out = contacts;
    return WEND_OK;
}

wend_error wend__contacts_create(const wend__version *version, const wend__regions *regions, const wend__regions *old,
                                 const uint64_t stale[WEND__BLOCK_WORDS], size_t block, wend__contacts **out) {
    finding f = {.version = version,
                 .regions = regions,
                 .old = old,
                 .block = block,
                 .directions = wend__contact_directions(&version->rules, WEND_KIND_VOXEL)};
    if (wend__is_walker(version)) f.directions = WEND__SPACE_SPACE; /* no step leads along three axes */
    if (old) f.next = old->of[block].contacts->of, f.end = f.next + old->of[block].contacts->count;
    wend_error error = WEND_OK;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !error; i++) {
        const wend__place p = wend__chunk_place(version, block, i);
        if (old && !(stale[i >> 6] >> (i & 63) & 1))
            error = keep_chunk(&f, i);
        else if (wend__on_table(version, p.column, p.row))
            error = meet_around(&f, i, p.column, p.row);
    }
    if (!error) error = store(&f, out);
    wend__map_free(version->map, f.of, f.room * sizeof *f.of);
    return error;
}

/* ---- components of all chunks ---- */

/* Returns the number of a region that touches its chunk's rim. */
static uint32_t place_of(const wend__regions *regions, const uint32_t *base, size_t block, unsigned chunk) {
    return base[block] + regions->of[block].regions->first[chunk];
}

static void join_block(const wend__version *v, const wend__regions *regions, const uint32_t *base, uint32_t *parents,
                       size_t block) {
    const wend__contacts *contacts = regions->of[block].contacts;
    for (uint32_t i = 0; i < contacts->count; i++) {
        const wend__contact *m = &contacts->of[i];
        const wend__place here = wend__chunk_place(v, block, m->chunk);
        int32_t column = here.column + wend__sx[m->direction];
        int32_t row = here.row + wend__sy[m->direction] + wend__sz[m->direction] * v->chunk_y;
        uint32_t from = place_of(regions, base, block, m->chunk) + m->a;
        size_t to_block = wend__block_index(v, column, row);
        wend__set_unite(parents, from, place_of(regions, base, to_block, wend__chunk_index(column, row)) + m->b);
    }
}

/* Parents have lower indices, and so have their number already. */
static uint32_t number_components(uint32_t *parents, uint32_t regions) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < regions; i++) parents[i] = parents[i] == i ? count++ : parents[parents[i]];
    return count;
}

wend_error wend__rim_components_create(const wend__version *version, const wend__regions *regions,
                                       wend__rim_components **out) {
    size_t count = regions->blocks, rim_regions = 0;
    for (size_t b = 0; b < count; b++) rim_regions += regions->of[b].regions->rim;
    size_t bytes = sizeof(wend__rim_components) + (count + rim_regions) * sizeof(uint32_t);
    wend__rim_components *rims = wend__shared_create(version->map, bytes);
    if (!rims) return WEND_OUT_OF_MEMORY;
    uint32_t *base = (uint32_t *)(rims + 1), *component = base + count, next = 0;
    for (size_t b = 0; b < count; b++) {
        base[b] = next;
        next += regions->of[b].regions->rim;
    }
    for (uint32_t i = 0; i < next; i++) component[i] = i;
    for (size_t b = 0; b < count; b++) join_block(version, regions, base, component, b);
    *rims = (wend__rim_components){.shared = rims->shared, .base = base, .component = component};
    rims->count = number_components(component, next);
    *out = rims;
    return WEND_OK;
}
