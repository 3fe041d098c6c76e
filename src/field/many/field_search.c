/* SPDX-License-Identifier: MIT */
/* The search that makes a field in slices, as any search of a service. */
#include "field/many/field_search.h"

#include "field/field_ways.h"

static void begin(wend__search *s, const wend__request *request) {
    (void)s;
    (void)request;
}

static uint64_t step(wend__search *s, wend__stock *stock, uint64_t budget) {
    uint64_t used;
    (void)stock;
    if (wend_field_step(((wend__field_search *)s)->field, budget, &used)) s->status = WEND_STATUS_NO_PATH;
    return used;
}

static void conclude(wend__search *s, wend__stock *stock) {
    (void)s;
    (void)stock;
}

static bool compact(wend__search *s) {
    (void)s;
    return false;
}

static void cells(const wend__search *s, wend_cell *out, uint64_t count) {
    WEND__DEBUG_ASSERT(count > 0);
    wend__field_walk(((const wend__field_search *)s)->field, s->start, count - 1, out);
}

static void expanded(const wend__search *s, wend__cell_list *list) {
    (void)s;
    (void)list;
}

static const wend__engine engine = {.name = WEND_ENGINE_ASTAR,
                                    .work = WEND_WORK_FIELD,
                                    .begin = begin,
                                    .step = step,
                                    .conclude = conclude,
                                    .compact = compact,
                                    .cells = cells,
                                    .expanded = expanded};

void wend__field_search_begin(wend__search *s, wend_field *field) {
    _Static_assert(sizeof(wend__field_search) <= sizeof(wend__search_memory), "it has room in every slot");
    WEND__DEBUG_ASSERT(!s->layers);
    s->version = field->version;
    s->view = field->view;
    s->engine = &engine;
    s->request = wend__request_default();
    s->price = 1;
    s->status = s->ended = WEND_STATUS_PENDING;
    s->starved = s->begun = s->outgrown = false;
    s->cost = s->steps = s->expansions = s->owed = 0;
    s->enclosure.state = WEND__ENCLOSURE_DONE;
    s->enclosure.aimed = false;
    ((wend__field_search *)s)->field = field;
}

bool wend__field_search_is(const wend__search *search) {
    return search->engine == &engine;
}

/* Returns the cell that a step leads to. */
static uint32_t step_from(const wend_field *f, bool flat, uint32_t id, unsigned way) {
    return WEND__LIKELY(wend__field_inside(flat, id)) ? id + (uint32_t)f->offsets[way]
                                                      : wend__field_beyond(f, flat, id, way);
}

uint64_t wend__field_walk(const wend_field *f, wend_cell start, uint64_t most, wend_cell *out) {
    const bool flat = f->view->kind == WEND_KIND_GRID;
    uint32_t id = wend__field_id(f, start);
    wend_cell at = start;
    if (out) out[0] = start;
    for (uint64_t steps = 0; steps < most; steps++) {
        const unsigned way = f->ways[id] & WEND__FIELD_WAY;
        if (way == WEND__FIELD_SOURCE) return steps;
        WEND__DEBUG_ASSERT(way < WEND__SPACE_DIRECTIONS || way == WEND__FIELD_LEAP);
        id = way == WEND__FIELD_LEAP ? wend__field_find_leap(f, id) : step_from(f, flat, id, way);
        if (!out) continue;
        if (way == WEND__FIELD_LEAP)
            at = wend__field_cell(f, id);
        else if (flat)
            at.x += wend__dx[way], at.y += wend__dy[way];
        else
            at.x += wend__sx[way], at.y += wend__sy[way], at.z += wend__sz[way];
        out[steps + 1] = at;
    }
    return most;
}
