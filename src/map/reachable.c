/* SPDX-License-Identifier: MIT */
/* Questions that the labels answer: is there a way, and would a batch close it? */
#include "map/labels.h"
#include "map/regions.h"

uint64_t wend__component_of(const wend__version *ground, wend_cell cell) {
    if (ground->kind != WEND_KIND_GRID) return wend__regions_of(ground, cell);
    wend__component c = wend__version_component(ground, cell.x, cell.y);
    /* A tree has 11 levels; an area has fewer than 2^32 components, and there are fewer areas of a level than chunks. So
       the three make a number: level, area, label. */
    uint64_t area = (uint64_t)c.row * (uint64_t)ground->chunk_columns + (uint64_t)c.column;
    return (uint64_t)c.level << 60 | area << 32 | c.label;
}

bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b) {
    const wend__version *ground = wend__version_ground(version, mover);
    uint64_t from = wend__component_of(ground, a), to = wend__component_of(ground, b);
    if (from == to || !ground->joined) return from == to;
    return wend__joined_component(ground, from) == wend__joined_component(ground, to);
}

static bool connected(const wend__version *v, int32_t mover, wend_cell a, wend_cell b) {
    const wend__version *ground = wend__version_ground(v, mover);
    return wend__cell_factor(ground, a) && wend__cell_factor(ground, b) && wend__version_connected(v, mover, a, b);
}

static int32_t check(const wend_map *map, int32_t mover, wend_cell a, wend_cell b) {
    if (mover < 0 || mover >= wend__map_movers((wend_map *)map)) return WEND_BAD_ARGUMENT;
    return wend__cell_on_map(map, a) && wend__cell_on_map(map, b) ? WEND_OK : WEND_OUT_OF_RANGE;
}

int32_t wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b, int32_t *reachable) {
    int32_t error = check(map, mover, a, b);
    if (error) return error;
    wend__version *v = wend__map_look(map);
    *reachable = connected(v, mover, a, b);
    wend__map_release(v, false);
    return WEND_OK;
}

/* The draft as publishing would make it, for the moment: with labels of its own, and with the map's rules, which may have
 * changed since the batch began. */
static int32_t connected_in_draft(const wend_edit *edit, const wend_map_rules *rules, wend_cell a, wend_cell b,
                                  bool *result) {
    wend__version *draft = edit->draft;
    const wend_map_rules own = draft->rules;
    bool anew = memcmp(own.factors, rules->factors, sizeof own.factors) != 0 ||
                wend__labels_diagonal(&own) != wend__labels_diagonal(rules);
    wend__area *before = draft->labels, *after;
    draft->rules = *rules;
    int32_t error = wend__labels_renew(draft, anew ? NULL : before, anew ? NULL : edit->marks, &after);
    if (!error) {
        draft->labels = after;
        *result = connected(draft, WEND_MOVER_DEFAULT, a, b);
        draft->labels = before;
        wend__area_release(edit->map, after);
    }
    draft->rules = own;
    return error;
}

int32_t wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                   int32_t *disconnects) {
    if (edit->error) return edit->error;
    int32_t error = check(edit->map, mover, a, b);
    if (error) return error;
    wend__version *now = wend__map_look(edit->map);
    bool before = connected(now, mover, a, b), after = true;
    if (before) error = connected_in_draft(edit, &now->rules, a, b, &after);
    wend__map_release(now, false);
    if (!error) *disconnects = before && !after;
    return error;
}
