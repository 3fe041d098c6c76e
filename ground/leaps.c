/* SPDX-License-Identifier: MIT */
/* A leap goes straight ahead from the rim of the ground, through free room as high as the agent, over ground that is
 * lower by more than a step: down to it, or across to ground at about the same height. Ground that is merely too near a
 * wall is no gap. */
#include "leaps.h"

#include <math.h>

enum { KEPT_OF = 4, EDGES = 3 }; /* columns of an edge itself: one on the ledge, two of rounding */

ground_leaper wend__ground_leaper(const wend_ground_def *def, const ground_spans *spans) {
    const float forgiven = 1e-4f;
    return (ground_leaper){.spans = spans,
                           .drop = (int32_t)floorf(def->drop / def->level + forgiven),
                           .jump = (int32_t)floorf(def->jump / def->cell + forgiven),
                           .rim = 2 * spans->radius + EDGES};
}

static int32_t farthest(const ground_leaper *l) {
    return l->jump > l->rim ? l->jump : l->rim;
}

int32_t wend__ground_leap_reach(const ground_leaper *leaper) {
    return leaper->drop > 0 || leaper->jump > 0 ? farthest(leaper) + 1 : 0;
}

/* The room of a column that an agent at that height passes; NULL: it does not. */
static const ground_room *find_room(const ground_spans *g, int32_t x, int32_t y, int32_t floor) {
    static const ground_room bottomless = {.floor = -1, .ceiling = INT32_MAX, .span = -1};
    if (!ground_has_column(g, x, y)) return NULL;
    const size_t column = ground_column(g, x, y);
    if (g->room_columns[column] == g->room_columns[column + 1]) return &bottomless;
    for (uint32_t i = g->room_columns[column]; i < g->room_columns[column + 1]; i++) {
        const ground_room *room = &g->rooms[i];
        if (room->floor <= floor + g->climb && room->ceiling - floor >= g->tall) return room;
    }
    return NULL;
}

static int32_t find_leap(const ground_leaper *l, int32_t span, int32_t d, int32_t *columns) {
    const ground_span *from = &l->spans->spans[span];
    const int32_t far = farthest(l);
    bool over_gap = false;
    if (from->next[d] >= 0) return -1;
    for (int32_t k = 1; k <= far + 1; k++) {
        const ground_room *room =
            find_room(l->spans, from->x + k * ground_dx[d], from->y + k * ground_dy[d], from->floor);
        if (!room) return -1;
        const int32_t down = from->floor - room->floor;
        const bool lower = down > l->spans->climb;
        over_gap = over_gap || lower || room->floor < 0;
        if (room->span < 0) continue;
        *columns = k;
        if (lower) return down <= l->drop && (k <= l->rim || k - 1 <= l->jump) ? room->span : -1;
        return over_gap && k - 1 <= l->jump ? room->span : -1;
    }
    return -1;
}

int32_t wend__ground_leap(const ground_leaper *leaper, int32_t span, int32_t d, int32_t *columns) {
    const int32_t to = find_leap(leaper, span, d, columns);
    if (to < 0) return -1;
    const ground_span *from = &leaper->spans->spans[span];
    const int32_t before = from->next[(d + 1) % GROUND_DIRECTIONS];
    int32_t ignored;
    const bool first = before < 0 || find_leap(leaper, before, d, &ignored) < 0;
    return first || (from->x + from->y) % KEPT_OF == 0 ? to : -1;
}
