/* SPDX-License-Identifier: MIT */
/* Brings a field to the newest version of its map: finds the cells to recheck. */

/* Tried: to go over all cells to find those whose worth changed: 0.04 to 0.15 of the making; over chunks in which a
 * distance changed 0.0003 to 0.0024. */
#include "field/field_queue.h"
#include "field/field_service.h"
#include "field/field_ways.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "map/version/version.h"

/* More changed cells than this share of the map: the field is made again. */
enum { SHARE = 8 };
/* Cells processed in the time of an expansion. */
enum { SCAN = 32, CELLS = 4096 };

static void recheck_leap(void *context, uint32_t from, uint32_t cost) {
    (void)cost;
    wend__field_recheck(context, from);
}

static void recheck_cell(wend_field *f, wend_cell cell) {
    const uint32_t id = wend__field_id(f, cell);
    wend__field_recheck(f, id);
    if (wend__field_may_leap_into(f, id)) f->owed += wend__field_leaps_into(f, id, recheck_leap, f) / 4;
}

/* A seam depends on cells next to both its ends, in another sheet, too. */
static void recheck_seam(void *context, wend_cell from) {
    recheck_cell(context, from);
}

/* A step depends on the cells next to it, and on all that the mover covers: right of its own cell, below and above it.
 * A walker's step depends on open or solid cells some levels up and down. The box may go on over the rim. */
static wend_box widen(const wend_field *f, wend_box box) {
    const int32_t less = f->view->kind == WEND_KIND_GRAPH ? 0 : f->size, more = less > 0;
    const wend__version *v = f->view;
    const int32_t levels = wend__most(v->walker.step_up, v->walker.drop), up = more + levels,
                  down = less + v->walker.headroom + 2 * levels;
    wend_box wide = {{box.min.x - less, box.min.y - less, wend__most(box.min.z - down, 0)},
                     {box.max.x + more, box.max.y + more, wend__least(box.max.z + up, v->depth - 1)}};
    if (wide.max.x - wide.min.x >= v->around_x)
        wide.min.x = wend__most(wide.min.x, 0), wide.max.x = wend__least(wide.max.x, v->width - 1);
    if (wide.max.y - wide.min.y >= v->around_y)
        wide.min.y = wend__most(wide.min.y, 0), wide.max.y = wend__least(wide.max.y, v->height - 1);
    return wide;
}

static uint64_t cells_of(wend_box box) {
    WEND__DEBUG_ASSERT(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
    return ((uint64_t)(box.max.x - box.min.x) + 1) * ((uint64_t)(box.max.y - box.min.y) + 1) *
           ((uint64_t)(box.max.z - box.min.z) + 1);
}

static void recheck_box(wend_field *f, wend_box box) {
    wend_cell c;
    for (c.z = box.min.z; c.z <= box.max.z; c.z++)
        for (c.y = box.min.y; c.y <= box.max.y; c.y++)
            for (c.x = box.min.x; c.x <= box.max.x; c.x++) {
                const bool seams = f->view->sheets && wend__on_map(f->view, c.x, c.y);
                recheck_cell(f, wend__wrapped_cell(f->view, c));
                if (seams && wend__field_may_leap_into(f, wend__field_id(f, c)))
                    wend__seams_into(f->version, c, recheck_seam, f);
            }
}

/* Opens settled cells with successors that a cheapest way may have bypassed: an edit may have taken that way. */
static void begin_reopening(wend_field *f) {
    f->rim = f->key;
    f->cursor = 0;
    f->phase = WEND__FIELD_REOPENING;
    f->touched = true;
}

void wend__field_reopen(wend_field *f) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_REOPENING && f->cursor < f->chunks);
    const uint32_t first = f->cursor++ << 12;
    const uint64_t key = (uint64_t)f->rim << f->shift;
    for (uint32_t id = first; id < first + CELLS; id++)
        if (f->costs[id] != WEND__FIELD_FAR && f->costs[id] + (uint64_t)f->steps[WEND__NE] >= key)
            f->ways[id] |= WEND__FIELD_OPEN;
    f->owed += CELLS / SCAN;
    if (f->cursor == f->chunks) f->phase = WEND__FIELD_DOUBTING;
}

/* Rechecks all cells near changes. If any has another cost now, the phases begin again with the doubts. */
static void recheck_boxes(wend_field *f, const wend_box *boxes, size_t count) {
    WEND__DEBUG_ASSERT(f->phase != WEND__FIELD_CLEARING);
    const bool complete = f->phase == WEND__FIELD_COMPLETE;
    f->touched = !complete && f->distances;
    if (f->fresh && !complete) begin_reopening(f);
    f->fresh = false;
    f->repaired = true;
    for (size_t i = 0; i < count; i++) recheck_box(f, widen(f, boxes[i]));
    if (!f->touched) return;
    if (!complete) wend__field_scatter(f, 0);
    wend__field_recall(f);
    if (f->phase != WEND__FIELD_REOPENING) f->phase = WEND__FIELD_DOUBTING;
}

/* Rechecks its distances first: their worth is compared later. */
static void repair_away(wend_field *f, const wend_box *boxes, size_t count) {
    wend_field *d = f->distances;
    if (d->phase == WEND__FIELD_CLEARING)
        wend__field_begin(d);
    else
        recheck_boxes(d, boxes, count);
    if (f->has_costs) recheck_boxes(f, boxes, count);
    f->phase = WEND__FIELD_MEASURING;
}

static void adopt_version(wend_field *f, wend__version *now) {
    WEND__DEBUG_ASSERT(now != f->version);
    const bool links = now->links != f->version->links;
    if (links) wend__field_mark_link_ends(f, f->version, false);
    f->version = now;
    f->view = wend__version_view(now, f->def.mover);
    if (links) wend__field_mark_link_ends(f, now, true);
}

/// Identifies a version, also after it is released.
typedef struct version_name {
    uint64_t epoch, serial;
} version_name;

static version_name name_of(const wend__version *version) {
    return (version_name){version->epoch, version->serial};
}

/* Takes over the newest version. Returns the previous one. */
static version_name change_version(wend_field *f) {
    wend__version *before = f->version;
    const version_name name = name_of(before);
    adopt_version(f, wend__map_acquire(f->def.map, true));
    if (f->distances) adopt_version(f->distances, f->version);
    wend__map_release(before, true);
    return name;
}

enum { REPAIR_NOTHING, REPAIR_BOXES, REPAIR_ALL };

/* Returns the kind of work required by the edits since a version; writes the boxes that they changed. */
static int look_up_changes(const wend_field *f, version_name since, wend_box *boxes, size_t *count) {
    uint64_t cells = 0;
    bool all = false;
    const bool minds_walls = wend__field_with_layers(f)->minds_walls;
    if (wend__map_changes_since(f->def.map, since.epoch, since.serial, boxes, count, &all)) return REPAIR_ALL;
    if (*count == 0 && !all) return REPAIR_NOTHING;
    for (size_t i = 0; !all && i < *count; i++) cells += cells_of(widen(f, boxes[i]));
    const uint64_t most = ((uint64_t)f->chunks << 12) / SHARE;
    all = all || cells > most || f->phase == WEND__FIELD_CLEARING || minds_walls;
    return all ? REPAIR_ALL : REPAIR_BOXES;
}

static void take_over_layers(wend_field *f) {
    if (wend__map_serial(f->def.map) != f->version->serial) change_version(f);
    wend__field_freeze_layers(wend__field_with_layers(f));
    wend__field_begin(f);
}

wend_error wend_field_repair(wend_field *f, bool layers) {
    WEND__ALIVE(f, "the field");
    if (layers) return take_over_layers(f), WEND_OK;
    if (wend__map_serial(f->def.map) == f->version->serial) return WEND_OK;
    wend_box boxes[WEND_MAX_CHANGES];
    size_t count;
    const version_name since = change_version(f);
    const int what = look_up_changes(f, since, boxes, &count);
    if (what == REPAIR_NOTHING) return WEND_OK;
    wend_field *own = wend__field_with_layers(f);
    if (own->minds_walls) wend__field_freeze_layers(own);
    if (what == REPAIR_ALL)
        wend__field_begin(f);
    else if (f->distances)
        repair_away(f, boxes, count);
    else
        recheck_boxes(f, boxes, count);
    return WEND_OK;
}

bool wend__field_becomes_repaired(const wend_field *f) {
    wend_box boxes[WEND_MAX_CHANGES];
    size_t count;
    if (wend__map_serial(f->def.map) == f->version->serial) return f->repaired;
    const int what = look_up_changes(f, name_of(f->version), boxes, &count);
    return what == REPAIR_NOTHING ? f->repaired : what == REPAIR_BOXES;
}
