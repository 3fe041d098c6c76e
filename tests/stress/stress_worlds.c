/* SPDX-License-Identifier: MIT */
/* A soak, a plain program: worlds of every kind that change each frame, under services with little of everything.
 * What is handed over is compared with an independent model as it is at that moment. Exits non-zero where a promise
 * is broken, and where nothing was searched again, cut to a piece or retired, so that nothing was shown.
 *
 *   stress_worlds [DELIVERIES [SEED]]     20,000 and 1 by default */
#define MORE_SLOTS 262144 /* requests wait while many thousands come */
#include "stress/soak.h"
#include "stress/soak_flight.h"

#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"
#include "models/options.h"
#include <inttypes.h>
#include <string.h>
#include <wend/control.h>

enum { ASKED = 96, FRAMES = 120, LONGEST = 4096, PLANE = 4096 };

static oracle_random dice;
static soak_world soaked;
static wend_service *service;
static wend_service_def limits;
static soak_asked asked[ASKED];
static bool closing;
static uint64_t accepted, busy, delivered, last_number, last_retired;
static struct {
    uint64_t worlds, frames, publishes, retired, checks, outdated, evictions, refused, moves, bytes, fresh_bytes;
} seen;

static int below(int n) {
    return oracle_below(&dice, n);
}

static bool chance(int percent) {
    return below(100) < percent;
}

/* ---- changes ---- */

/* Versions are retired from the oldest on, so an epoch tells the order. */
static void note_retired(void) {
    wend__version *newest = wend__map_acquire(soaked.map, false);
    uint64_t latest = last_retired;
    for (const wend__version *v = newest; v; v = v->older) {
        if (!wend__version_retired(v) || v->epoch <= last_retired) continue;
        seen.retired++;
        if (v->epoch > latest) latest = v->epoch;
    }
    last_retired = latest;
    wend__map_release(newest, false);
}

static void change_world(void) {
    if (chance(80)) {
        uint64_t before = soaked.epoch;
        soak_edit(&soaked, &dice);
        seen.publishes += soaked.epoch > before;
        note_retired();
    }
    if (chance(15)) soak_move(&soaked, &dice);
}

/* ---- requests ---- */

static void on_done(void *context, const wend_completion *completion);

static soak_asked *free_place(void) {
    for (int i = 0; i < ASKED; i++)
        if (!asked[i].pending) return &asked[i];
    return NULL;
}

/* A cell where the mover can stand, if a few looks show one: else most requests would be refused at once. */
static wend_cell standing_cell(int mover, wend_cell cell) {
    for (int looks = 0; looks < 3 && world_factor(&soaked.now, mover, cell) == 0; looks++)
        cell = world_cell(&soaked.now, below(soaked.now.cells));
    return cell;
}

static void submit(void) {
    soak_asked *own = free_place();
    if (!own) return;
    *own = (soak_asked){.epoch = soaked.epoch, .unit_moves = soaked.unit_moves};
    wend_request *request = &own->request;
    *request = world_request(&soaked.now, &dice, chance(70), own->goals);
    request->start = standing_cell(request->mover, request->start);
    request->goal = standing_cell(request->mover, request->goal), request->map = soaked.map;
    request->context = own, request->urgency = below(3);
    options_of(request)->on_stale = chance(60) ? WEND_ON_STALE_RESTART : WEND_ON_STALE_DELIVER;
    if (chance(15)) options_of(request)->weight_milli = 1000 + below(2000);
    if (chance(15)) request->deadline_frames = 1 + (uint64_t)below(12);
    if (chance(15)) options_of(request)->max_expansions = (uint64_t)below(200);
    request->on_done = on_done;
    wend_error error = wend_service_submit(service, request, &own->ticket);
    PROMISE(error == WEND_OK || error == WEND_BUSY || (error == WEND_CLOSED && closing));
    own->pending = error == WEND_OK;
    accepted += own->pending;
    busy += error == WEND_BUSY;
}

static void meddle(void) {
    soak_asked *other = &asked[below(ASKED)];
    if (!other->pending) return;
    if (chance(20)) {
        wend_error error = wend_service_cancel(service, other->ticket);
        PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
        other->cancelled = other->cancelled || error == WEND_OK;
        return;
    }
    wend_cell goal = world_cell(&soaked.now, below(soaked.now.cells));
    wend_error error = wend_service_set_goal(service, other->ticket, goal);
    PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
    if (error) return;
    other->next_goal = goal, other->moves = true;
    seen.moves++;
}

/* Before a frame. What was put out meanwhile has the goal it had. */
static void move_goals(void) {
    for (int i = 0; i < ASKED; i++) {
        soak_asked *one = &asked[i];
        if (!one->pending || !one->moves) continue;
        one->moves = false;
        if (wend_service_set_urgency(service, one->ticket, below(3)) == WEND_STALE_TICKET) continue;
        const wend_cell goal = one->request.goal, next = one->next_goal;
        bool same = goal.x == next.x && goal.y == next.y && goal.z == next.z;
        one->moved = one->moved || !same || read_options(&one->request).more_goal_count > 0;
        one->request.goal = next;
        options_of(&one->request)->more_goal_count = 0;
    }
}

/* ---- completions ---- */

static void finish(soak_asked *own, const wend_completion *completion, const wend_cell *cells) {
    PROMISE(own->pending);
    own->pending = false;
    delivered++;
    PROMISE(completion->ticket.index == own->ticket.index && completion->ticket.generation == own->ticket.generation);
    PROMISE(wend_service_cancel(service, own->ticket) == WEND_STALE_TICKET);
    soak_check(&soaked, &limits, own, completion, cells);
}

static void on_done(void *context, const wend_completion *completion) {
    PROMISE(last_number == UINT64_MAX || completion->number > last_number);
    last_number = completion->number;
    finish(context, completion, completion->cells);
    if (chance(10)) change_world();
    if (chance(20)) submit();
    if (chance(10)) meddle();
}

/* ---- worlds ---- */

static wend_service_def any_limits(void) {
    wend_service_def def = default_service();
    static wend_service_tuning tuning;
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning, def.queue = (uint32_t)(4 + below(60));
    tuning.lanes = (uint32_t)(1 + below(4)), tuning.searches = tuning.lanes + (uint32_t)below(10);
    tuning.list = (uint32_t)(1 + below(8)), tuning.fair = (uint32_t)below(5);
    tuning.evictions = (uint32_t)below(5), tuning.restarts = (uint32_t)below(4);
    tuning.goals = (uint32_t)(8 + below(80));
    tuning.horizon = (uint32_t)(chance(60) ? 8 : below(30));
    tuning.slice = (uint64_t)(1 + below(100)), tuning.quantum = (uint64_t)(1 + below(1000));
    def.nodes = (uint64_t)(tuning.lanes + (uint32_t)below(20)) * WEND_PAGE_NODES;
    def.max_path_cells = (uint64_t)(chance(80) ? LONGEST : 1 + below(20));
    def.path_bytes = (uint64_t)(chance(50) ? 1 << 16 : 1);
    return def;
}

static void frame(int expansions) {
    wend_budget budget = default_budget();
    budget.expansions = (uint64_t)below(expansions);
    if (chance(20)) limits_of(&budget)->deliveries = (uint64_t)below(5);
    if (chance(20)) limits_of(&budget)->intakes = (uint64_t)below(5);
    wend_frame figures = {.struct_bytes = sizeof figures};
    move_goals();
    last_number = UINT64_MAX;
    PROMISE(wend_service_tick(service, &budget, &figures) == WEND_OK);
    PROMISE(figures.expansions <= budget.expansions);
    seen.frames++;
}

/* Destroys the service, at times with pending requests, which end as cancelled. */
static void end_service(void) {
    for (int i = 0; chance(99) && wend_service_get_pending(service) > 0; i++) {
        PROMISE(i < 100000);
        change_world();
        frame(2000);
    }
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    seen.checks += stats.checks;
    seen.outdated += stats.outdated;
    seen.evictions += stats.evictions;
    seen.refused += stats.refused_busy;
    for (int i = 0; i < ASKED; i++) asked[i].cancelled = true;
    last_number = UINT64_MAX;
    closing = true;
    PROMISE(wend_service_destroy(service) == WEND_OK);
    closing = false;
    for (int i = 0; i < ASKED; i++) PROMISE(!asked[i].pending);
    PROMISE(accepted == delivered && seen.refused == busy);
}

static uint64_t bytes_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.bytes;
}

/* Checks that all older versions are freed, and that the rest takes about as much as a new world: only planes once
 * needed for units or uneven ground stay. */
static void check_memory(void) {
    PROMISE(wend__map_drop_jumps(soaked.map) == WEND_OK);
    if (soaked.now.kind == WEND_KIND_GRID) PROMISE(wend__map_prepare_landmarks(soaked.map, 0) == WEND_OK);
    wend__version *newest = wend__map_acquire(soaked.map, false);
    PROMISE(!newest->older);
    wend__map_release(newest, false);
    OWNED_MAP *fresh = world_map(&soaked.now);
    uint64_t bytes = bytes_of(soaked.map), fresh_bytes = bytes_of(fresh);
    PROMISE(bytes <= fresh_bytes + fresh_bytes / 2 + UINT64_C(3) * PLANE);
    seen.bytes += bytes;
    seen.fresh_bytes += fresh_bytes;
}

static void live(int kind) {
    soak_open(&soaked, &dice, kind);
    limits = any_limits();
    last_retired = 0;
    PROMISE(wend_service_create(&limits, &service) == WEND_OK);
    memset(asked, 0, sizeof asked);
    int expansions = 2 + below(chance(50) ? 60 : 1500);
    for (int i = 0; i < FRAMES; i++) {
        for (int many = below(9); many > 0; many--) submit();
        for (int many = below(4); many > 0; many--) meddle();
        change_world();
        frame(expansions);
    }
    end_service();
    check_memory();
    soak_close(&soaked);
    seen.worlds++;
}

static void report(void) {
    const soak_tally *t = &soak_total;
    printf("%" PRIu64 " deliveries in %" PRIu64 " worlds, %" PRIu64 " frames, %" PRIu64 " publishes:", t->deliveries,
           seen.worlds, seen.frames, seen.publishes);
    for (int i = 0; i < WEND_STATUS_COUNT; i++)
        if (t->statuses[i]) printf(" %" PRIu64 " %s", t->statuses[i], wend_status_name(i));
    printf("\n%" PRIu64 " paths walked, %" PRIu64 " of an older version and good, %" PRIu64 " stale pieces, %" PRIu64
           " cut short, %" PRIu64 " costs and %" PRIu64 " refusals compared (%" PRIu64 " blocked ends were so, %" PRIu64
           " depend on units that moved)\n",
           t->walked, t->outlived, t->pieces, t->cut, t->optima, t->refusals, t->overtaken, t->unjudged);
    printf("%" PRIu64 " checks, %" PRIu64 " started again as outdated, %" PRIu64 " retired versions, %" PRIu64
           " evictions, %" PRIu64 " goals moved (%" PRIu64 " requests), %" PRIu64 " refused busy, %" PRIu64
           " bytes in maps at their ends (%" PRIu64 " new)\n",
           seen.checks, seen.outdated, seen.retired, seen.evictions, seen.moves, t->moved, seen.refused, seen.bytes,
           seen.fresh_bytes);
    printf("%" PRIu64 " by jump search, %" PRIu64 " illegal\n", t->jumps, t->illegal);
}

int main(int argc, char **argv) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    dice.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int i = 0; delivered < wanted; i++) live(kinds[i % 3]);
    report();
    const soak_tally *t = &soak_total;
    PROMISE(t->illegal == 0);
    PROMISE(t->deliveries == accepted && t->walked > 0 && t->optima > 0 && t->refusals > 0);
    PROMISE(t->outlived > 0 && t->pieces > 0 && t->cut > 0 && t->moved > 0 && t->jumps > 0);
    PROMISE(seen.outdated > 0 && seen.retired > 0 && seen.evictions > 0 && seen.refused > 0);
    soak_flights();
    return 0;
}
