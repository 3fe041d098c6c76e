/* SPDX-License-Identifier: MIT */
/* A completion against the model as it is at hand-over. */
#define MORE_SLOTS 262144 /* requests wait while many thousands come */
#include "stress/soak.h"
#include "models/options.h"

#include <inttypes.h>
#include <string.h>
#include <wend/service_tuning.h>

soak_tally soak_total;

/* A check of a completion. */
typedef struct look {
    soak_world *s;
    const wend_service_def *def;
    const soak_asked *asked;
    const wend_request *request;
    const wend_completion *c;
    const wend_cell *cells;
    bool calm;  ///< no unit has moved since it was submitted
    bool fresh; ///< searched, or refused, on the newest version
} look;

static void say(const look *l, const char *what, int line) {
    const wend_request *r = l->request;
    const wend_completion *c = l->c;
    if (soak_total.illegal++ >= 20) return;
    fprintf(stderr,
            "soak_check.c:%d: request %" PRIu64 ": %s\n  %s, cost %" PRId64 ", %zu cells, epochs %" PRIu64 " %" PRIu64
            " of %" PRIu64
            ", restarts %d\n  kind %d, %d x %d x %d, neighbours %d, corners %d, (%d %d %d) to (%d %d %d), "
            "mover %d, mode %d, reach %d, occupied %d, goals %" PRIu32 ", flags %" PRIu32 ", heuristic %d, weight %d, "
            "calm %d, moved %d, today %" PRId64 "\n",
            line, c->number, what, wend_status_name(c->status), c->cost, c->cell_count, c->epoch, c->checked,
            l->s->epoch, c->restarts, l->s->now.kind, l->s->now.width, l->s->now.height, l->s->now.depth,
            l->s->now.rules.neighbours, l->s->now.rules.corners, r->start.x, r->start.y, r->start.z, r->goal.x,
            r->goal.y, r->goal.z, r->mover, r->mode, r->reach, read_options(r).occupied,
            read_options(r).more_goal_count, read_options(r).leave_blocked_start, read_options(r).heuristic,
            read_options(r).weight_milli, l->calm, l->asked->moved, world_walk(&l->s->now, r, l->cells, c->cell_count));
}

#define EXPECT(look, condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) say(look, #condition, __LINE__);                                                             \
    } while (0)

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool near(wend_cell a, wend_cell b, int reach) {
    return abs(a.x - b.x) <= reach && abs(a.y - b.y) <= reach && abs(a.z - b.z) <= reach;
}

static bool is_goal(const wend_request *request, wend_cell cell) {
    bool is = near(cell, request->goal, request->reach);
    for (uint32_t i = 0; i < read_options(request).more_goal_count; i++)
        is = is || near(cell, read_options(request).more_goals[i], request->reach);
    return is;
}

/* ---- paths ---- */

static void check_cost(const look *l, int64_t ground) {
    const wend_completion *c = l->c;
    int64_t price = read_options(l->request).occupied;
    if (price <= 0) {
        EXPECT(l, c->cost == ground);
        return;
    }
    int64_t today = world_walk(&l->s->now, l->request, l->cells, c->cell_count);
    if (l->calm || !l->fresh) EXPECT(l, c->cost == today);
    EXPECT(l, c->cost >= ground && c->cost <= ground + price * (int64_t)(c->cell_count - 1));
}

/* Into no unit, as far as the service looks ahead. */
static void check_units(const look *l) {
    uint64_t near_by = l->def->tuning->horizon + UINT64_C(1);
    size_t count = l->c->cell_count < near_by ? l->c->cell_count : (size_t)near_by;
    if (read_options(l->request).occupied != WEND_OCCUPIED_BLOCK) return;
    EXPECT(l, world_walk(&l->s->now, l->request, l->cells, count) >= 0);
    if (l->calm && l->fresh) EXPECT(l, world_walk(&l->s->now, l->request, l->cells, l->c->cell_count) >= 0);
}

static void check_path(const look *l) {
    const wend_completion *c = l->c;
    wend_request plain = *l->request;
    options_of(&plain)->occupied = WEND_OCCUPIED_IGNORE;
    int64_t ground = world_walk(&l->s->now, &plain, l->cells, c->cell_count);
    bool leaves = read_options(&plain).leave_blocked_start;
    EXPECT(l, c->checked == l->s->epoch);
    EXPECT(l, same(l->cells[0], plain.start));
    EXPECT(l, leaves || world_factor(&l->s->now, plain.mover, plain.start) > 0);
    EXPECT(l, c->cell_count <= l->def->max_path_cells);
    EXPECT(l, ground >= 0);
    check_cost(l, ground);
    check_units(l);
    wend_cell end = l->cells[c->cell_count - 1];
    if (c->status == WEND_STATUS_FOUND) EXPECT(l, is_goal(l->request, end));
    if (c->status == WEND_STATUS_PARTIAL) EXPECT(l, !is_goal(l->request, end));
    soak_total.walked += c->cell_count > 1;
    soak_total.pieces += c->status == WEND_STATUS_STALE && c->cell_count > 1;
    soak_total.cut += c->status == WEND_STATUS_LIMIT || c->status == WEND_STATUS_EXPIRED ||
                      c->status == WEND_STATUS_OUT_OF_NODES || c->status == WEND_STATUS_TOO_LONG;
}

/* Checks that a search on the newest map, with units as they are, is as good as its completion claims. */
static void check_optimum(const look *l) {
    const wend_completion *c = l->c;
    if (!l->fresh || (!l->calm && read_options(l->request).occupied != WEND_OCCUPIED_IGNORE)) return;
    world_answer answer = world_ask(&l->s->now, l->request);
    EXPECT(l, answer.status == c->status);
    EXPECT(l, c->cost >= answer.cost && c->cost <= (answer.cost * c->bound_milli + 999) / 1000);
    if (c->exact) EXPECT(l, c->bound_milli == 1000);
    if (c->status == WEND_STATUS_PARTIAL) EXPECT(l, same(l->cells[c->cell_count - 1], answer.end));
    soak_total.optima++;
}

/* ---- refusals ---- */

/* Checks that a refusal for a blocked end is true of the checked version. */
static void check_blocked(const look *l) {
    static world then;
    if (!soak_at(l->s, l->c->checked, &then)) return;
    memcpy(then.occupants, l->s->now.occupants, (size_t)then.cells);
    world_answer answer = world_ask(&then, l->request);
    EXPECT(l, answer.status == l->c->status);
    if (world_ask(&l->s->now, l->request).status != l->c->status) soak_total.overtaken++;
    soak_total.refusals++;
}

static void check_refusal(const look *l) {
    wend_request request = *l->request;
    if (l->c->status == WEND_STATUS_NO_PATH) EXPECT(l, l->fresh);
    bool units = read_options(&request).occupied == WEND_OCCUPIED_BLOCK && l->c->status != WEND_STATUS_START_BLOCKED;
    if (units && !l->calm) {
        soak_total.unjudged++;
        return;
    }
    if (l->c->status != WEND_STATUS_NO_PATH) {
        check_blocked(l);
        return;
    }
    EXPECT(l, world_ask(&l->s->now, &request).status == WEND_STATUS_NO_PATH);
    soak_total.refusals++;
}

/* ---- all outcomes ---- */

static bool has_reason(const look *l) {
    const wend_request *r = l->request;
    const wend_completion *c = l->c;
    switch (c->status) {
    case WEND_STATUS_FOUND: return c->cell_count > 0;
    case WEND_STATUS_PARTIAL: return c->cell_count > 0 && r->mode == WEND_MODE_NEAREST;
    case WEND_STATUS_NO_PATH:
    case WEND_STATUS_GOAL_BLOCKED: return c->cell_count == 0 && r->mode == WEND_MODE_EXACT;
    case WEND_STATUS_START_BLOCKED: return c->cell_count == 0 && !read_options(r).leave_blocked_start;
    case WEND_STATUS_CANCELLED: return c->cell_count == 0 && l->asked->cancelled;
    case WEND_STATUS_EXPIRED: return r->deadline_frames != WEND_NO_LIMIT;
    case WEND_STATUS_LIMIT: return c->expansions >= read_options(r).max_expansions;
    case WEND_STATUS_OUT_OF_NODES: return l->def->nodes < 64 * WEND_PAGE_NODES;
    case WEND_STATUS_STALE: return l->asked->epoch != l->s->epoch || !l->calm;
    case WEND_STATUS_TOO_LONG: return c->cell_count == l->def->max_path_cells;
    default: return false;
    }
}

void soak_check(soak_world *s, const wend_service_def *def, const soak_asked *asked, const wend_completion *completion,
                const wend_cell *cells) {
    const look l = {s,
                    def,
                    asked,
                    &asked->request,
                    completion,
                    cells,
                    asked->unit_moves == s->unit_moves,
                    completion->epoch == s->epoch};
    int status = completion->status;
    soak_total.deliveries++;
    soak_total.statuses[status]++;
    soak_total.moved += asked->moved;
    soak_total.jumps += completion->engine == WEND_ENGINE_JUMP && completion->cell_count > 1;
    EXPECT(&l, has_reason(&l));
    EXPECT(&l, (completion->cost >= 0) == (completion->cell_count > 0));
    EXPECT(&l, completion->epoch <= completion->checked && completion->checked <= s->epoch);
    EXPECT(&l, !asked->cancelled || status == WEND_STATUS_CANCELLED);
    EXPECT(&l, completion->expansions <= read_options(&asked->request).max_expansions);
    if (completion->cell_count > 0) check_path(&l);
    bool arrives = status == WEND_STATUS_FOUND || status == WEND_STATUS_PARTIAL;
    soak_total.outlived += arrives && !l.fresh;
    if (arrives && completion->number % 8 == 0) check_optimum(&l);
    if (status == WEND_STATUS_NO_PATH || status == WEND_STATUS_GOAL_BLOCKED || status == WEND_STATUS_START_BLOCKED)
        check_refusal(&l);
}
