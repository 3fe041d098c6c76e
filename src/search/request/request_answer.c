/* SPDX-License-Identifier: MIT */
/* Answers requests that need no search: blocked ends, equal ends, goals that cannot be reached. */
#include "map/ground/within.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/request/request.h"
#include "search/request/request_land.h"

typedef struct question {
    const wend__version *version, *view; ///< the version as the mover sees it
    const wend__request *request;
    bool start_stands;
    wend__unit_range seen; ///< set if units block
} question;

static bool can_stand(const question *a, wend_cell cell) {
    if (wend__cell_factor(a->view, cell) == 0) return false;
    if (a->request->occupied != WEND_OCCUPIED_BLOCK) return true;
    int32_t size = wend__version_mover_size(a->version, a->request->mover);
    return !wend__map_occupied_in(a->request->map, cell, size, &a->seen);
}

static bool are_connected(const question *a, wend_cell from, wend_cell to) {
    return wend__cell_factor(a->view, from) > 0 && wend__version_connected(a->version, a->request->mover, from, to);
}

/* A blocked start belongs to no component, but its steps may lead into some. */
static bool neighbour_leads_to(const question *a, wend_cell goal) {
    const wend_cell at = a->request->start;
    if (a->view->kind == WEND_KIND_GRID)
        for (uint32_t steps = wend__version_steps(a->view, at.x, at.y); steps; steps &= steps - 1) {
            unsigned d = wend__ctz32(steps);
            if (are_connected(a, (wend_cell){at.x + wend__dx[d], at.y + wend__dy[d], 0}, goal)) return true;
        }
    if (a->view->kind == WEND_KIND_VOXEL)
        for (uint32_t steps = wend__voxel_steps(a->view, at); steps; steps &= steps - 1) {
            unsigned d = wend__ctz32(steps);
            const wend_cell to = {at.x + wend__sx[d], at.y + wend__sy[d], at.z + wend__sz[d]};
            if (are_connected(a, to, goal)) return true;
        }
    wend__level_step levels[WEND__LEVEL_STEPS];
    for (uint32_t i = 0, count = wend__level_steps(a->view, at, false, levels); i < count; i++)
        if (are_connected(a, levels[i].cell, goal)) return true;
    return false;
}

/* With links and on graphs a blocked start may lead anywhere, so its component gives no answer. */
static bool start_leads_to(const question *a, wend_cell goal) {
    if (a->start_stands) return are_connected(a, a->request->start, goal);
    if (a->view->kind == WEND_KIND_GRAPH || a->version->links) return true;
    return neighbour_leads_to(a, goal);
}

/* Checks the cells within reach of a goal: the mover can stand on none (goal_blocked), none of the others
 * is reachable (no_path), or one is reachable. The search must find out instead after MOST_LOOKS
 * cells where the mover can stand that are not reachable, or after an effort of MOST_EFFORT, where a
 * skipped chunk counts 1 and a cell CELL. (That covers all cells within 63 of a goal on a plane,
 * within 12 in space.) */
enum { MOST_LOOKS = 1024, CELL = 4, MOST_EFFORT = 65536 };

typedef struct outlook {
    bool open, reachable;
    uint32_t looks, effort;
} outlook;

static void spend_effort(outlook *p, uint32_t effort) {
    p->effort += effort;
    if (p->effort > MOST_EFFORT) p->reachable = true;
}

static void look_at_cell(const question *a, outlook *p, wend_cell cell) {
    spend_effort(p, CELL);
    if (p->reachable || !can_stand(a, cell)) return;
    p->open = true;
    p->reachable = ++p->looks > MOST_LOOKS || start_leads_to(a, cell);
}

static void look_in_box(const question *a, outlook *p, wend_cell low, wend_cell high) {
    for (int32_t z = low.z; z <= high.z && !p->reachable; z++)
        for (int32_t y = low.y; y <= high.y && !p->reachable; y++)
            for (int32_t x = low.x; x <= high.x && !p->reachable; x++) look_at_cell(a, p, (wend_cell){x, y, z});
}

/* Checks chunk by chunk, and skips chunks where the mover cannot stand at all.
 * @param sheet   the box's, as in wend__sheet_part; 0 if the map has none */
static void look_in_chunks(const question *a, outlook *p, wend_box box, uint32_t sheet) {
    const wend__version *v = a->view;
    const int32_t last = (v->kind == WEND_KIND_VOXEL ? WEND__VOXEL_SIDE : WEND__CHUNK_SIDE) - 1;
    const wend_cell low = box.min, high = box.max;
    for (int32_t z = low.z; z <= high.z && !p->reachable; z = (z | last) + 1)
        for (int32_t y = low.y; y <= high.y && !p->reachable; y = (y | last) + 1)
            for (int32_t x = low.x; x <= high.x && !p->reachable; x = (x | last) + 1) {
                const wend_cell from = {x, y, z};
                const wend_cell to = {wend__least(x | last, high.x), wend__least(y | last, high.y),
                                      wend__least(z | last, high.z)};
                const wend__place place = wend__place_of(v, from);
                const bool other = v->sheets && wend__sheet_part_of(v, from)->sheet != sheet;
                if (other || wend__version_chunk(v, place.column, place.row)->max_factor == 0)
                    spend_effort(p, 1);
                else
                    look_in_box(a, p, from, to);
            }
}

static void look_around(const question *a, outlook *p, wend_cell goal) {
    const int32_t reach = a->request->reach;
    const wend__version *v = a->view;
    const wend_cell low = {wend__most(goal.x - reach, 0), wend__most(goal.y - reach, 0), wend__most(goal.z - reach, 0)};
    const wend_cell high = {wend__least(goal.x + reach, v->width - 1), wend__least(goal.y + reach, v->height - 1),
                            wend__least(goal.z + reach, v->depth - 1)};
    look_in_chunks(a, p, (wend_box){low, high}, 0);
}

/// The cells of a sheet to check.
typedef struct part_look {
    const question *question;
    outlook *outlook;
} part_look;

static bool look_in_part(void *context, wend_box box, uint32_t sheet) {
    const part_look *look = context;
    look_in_chunks(look->question, look->outlook, box, sheet);
    return !look->outlook->reachable;
}

/* The same around the goal, with the parts over the rim, or over seams. */
static void look_within_reach(const question *a, outlook *p, wend_cell goal) {
    look_at_cell(a, p, goal);
    if (a->request->reach == 0) return;
    if (a->view->sheets) {
        wend__parts_within(a->version, goal, a->request->reach, look_in_part, &(part_look){a, p});
        return;
    }
    look_around(a, p, goal);
    const int32_t around_x = a->view->around_x, around_y = a->view->around_y;
    for (int32_t y = around_y ? -1 : 0; y <= (around_y ? 1 : 0); y++)
        for (int32_t x = around_x ? -1 : 0; x <= (around_x ? 1 : 0); x++)
            if (x || y) look_around(a, p, (wend_cell){goal.x + x * around_x, goal.y + y * around_y, goal.z});
}

/* Checks all goals. *here: the start is within reach of one. */
static outlook look_ahead(const question *a, bool *here) {
    const wend__request *request = a->request;
    outlook p = {false, false, 0, 0};
    *here = false;
    for (uint32_t i = 0; i <= request->more_goal_count && !*here; i++) {
        const wend_cell goal = i == 0 ? request->goal : request->more_goals[i - 1];
        bool near = wend__lies_within(a->version, goal, request->reach, request->start);
        *here = near && a->start_stands;
        if (!*here && !p.reachable) look_within_reach(a, &p, goal);
    }
    return p;
}

static void set_question(question *a, const wend__version *version, const wend__request *request) {
    a->version = version, a->view = wend__version_view(version, request->mover), a->request = request;
    a->start_stands = wend__cell_factor(a->view, request->start) > 0;
    if (request->occupied == WEND_OCCUPIED_BLOCK)
        wend__unit_range_set(&a->seen, version, request->start, request->occupied_within);
}

wend_status wend__request_answer(const wend__version *version, const wend__request *request) {
    question a;
    set_question(&a, version, request);
    bool here;
    if (!a.start_stands && !(request->flags & WEND__REQUEST_LEAVES_START)) return WEND_STATUS_START_BLOCKED;
    const outlook p = look_ahead(&a, &here);
    if (here) return WEND_STATUS_FOUND;
    if (request->mode == WEND_MODE_NEAREST || p.reachable) return WEND_STATUS_PENDING;
    if (wend__request_passes_known(a.view, request)) return WEND_STATUS_PENDING;
    return p.open ? WEND_STATUS_NO_PATH : WEND_STATUS_GOAL_BLOCKED;
}

bool wend__request_may_arrive(const wend__version *version, const wend__request *request) {
    question a;
    set_question(&a, version, request);
    bool here;
    return look_ahead(&a, &here).reachable;
}

/* Units that stand in the way do not drive a mover into what it shuns, so they are not looked at. */
static bool may_reach(const wend__version *version, const wend__request *request, int32_t mover) {
    wend__request as = *request;
    question a;
    bool here;
    as.mover = mover;
    as.occupied = WEND_OCCUPIED_IGNORE;
    set_question(&a, version, &as);
    if (!a.start_stands && !(as.flags & WEND__REQUEST_LEAVES_START)) return false;
    const outlook p = look_ahead(&a, &here);
    return here || p.reachable;
}

bool wend__request_may_dare(const wend__version *version, const wend__request *request) {
    const int32_t bolder = wend__version_bolder(version, request->mover);
    return bolder >= 0 && may_reach(version, request, bolder);
}

int32_t wend__request_mover(const wend__version *version, const wend__request *request) {
    const int32_t bolder = wend__version_bolder(version, request->mover);
    if (WEND__LIKELY(bolder < 0) || may_reach(version, request, request->mover)) return request->mover;
    return may_reach(version, request, bolder) ? bolder : request->mover;
}
