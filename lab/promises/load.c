/* SPDX-License-Identifier: MIT */
/* Compares what a service does under load with what its scenario promises. Shares nothing with the service. */
#include <inttypes.h>
#include <stdlib.h>
#include <wend/service_tuning.h>
#include <wend/search.h>

#include "promises/checker_state.h"
#include "promises/load.h"
#include "shared/array.h"

/* ---- lone searches ---- */

typedef struct lone_answer {
    bool known;
    wend_cell start;
    uint64_t expansions;
    int64_t cost;
} lone_answer;

/* Compares what requests with one goal took together with what lone searches take for them. */
typedef struct horde {
    wend_search *search;
    lone_answer *answers; /* by agent */
    uint64_t flood;
    uint64_t frame, frame_lone; /* the last frame in which they asked, and the lone searches for those */
    horde_sums taken, now;      /* `now` without those of that frame in `best` */
} horde;

static void horde_free(horde *all) {
    if (!all) return;
    wend_search_destroy(all->search);
    free(all->answers);
    free(all);
}

static horde *horde_create(uint32_t agents, uint64_t flood, uint64_t nodes) {
    horde *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = nodes;
    all->flood = flood;
    all->answers = calloc(agents, sizeof *all->answers);
    if (all->answers && wend_search_create(&def, &all->search) == WEND_OK) return all;
    horde_free(all);
    return NULL;
}

static bool search_alone(horde *all, lone_answer *answer, const wend_request *request) {
    wend_completion done = {.struct_bytes = sizeof done};
    if (wend_search_begin(all->search, request) != WEND_OK) return false;
    while (wend_search_step(all->search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
    if (wend_search_get_result(all->search, &done) != WEND_OK || done.status == WEND_STATUS_OUT_OF_NODES) return false;
    *answer = (lone_answer){.known = true,
                            .start = request->start,
                            .expansions = done.expansions,
                            .cost = done.status == WEND_STATUS_FOUND ? done.cost : -1};
    return true;
}

static void close_frame(horde *all) {
    all->now.best += all->frame_lone < all->flood ? all->frame_lone : all->flood;
    all->frame_lone = 0;
}

/* Counts a request that an agent submitted before that frame. One from the same cell again is not searched again: the
 * map does not change. @return false if memory ran out */
static bool horde_asked(horde *all, uint32_t agent, uint64_t frame, const wend_request *request) {
    lone_answer *answer = &all->answers[agent];
    const bool again = answer->known && same_cell(answer->start, request->start);
    if (!again && !search_alone(all, answer, request)) return false;
    if (frame != all->frame) close_frame(all);
    all->frame = frame;
    all->frame_lone += answer->expansions;
    all->now.lone += answer->expansions;
    all->now.asked++;
    return true;
}

/* The agent was answered. @return the cost by the lone search; −1: it found no path */
static int64_t horde_answered(horde *all, uint32_t agent, const wend_completion *completion) {
    all->now.spent += completion->expansions;
    return all->answers[agent].cost;
}

static horde_sums horde_total(const horde *all) {
    return (horde_sums){.asked = all->taken.asked + all->now.asked,
                        .lone = all->taken.lone + all->now.lone,
                        .best = all->taken.best + all->now.best,
                        .spent = all->taken.spent + all->now.spent};
}

/* Takes the sums since the last call. */
static horde_sums horde_sums_since(horde *all) {
    close_frame(all);
    const horde_sums sums = all->now;
    all->taken = horde_total(all);
    all->now = (horde_sums){0};
    return sums;
}

/* ---- the twin ---- */

typedef struct pair {
    uint64_t number;
    uint64_t waits[2]; /* frames until the search began: in the service, in the twin; 0: not answered */
} pair;

/* A second service that gets the same requests except for the impossible ones, frame by frame. */
typedef struct twin {
    wend_service *service;
    pair *pairs; /* pairs; those before `front` are compared */
    size_t capacity;
    uint64_t front, count;
    uint64_t *index_of; /* by number: the index of the pair plus 1; 0: none */
    size_t number_capacity;
} twin;

static twin *twin_create(const wend_service_def *def) {
    twin *other = calloc(1, sizeof *other);
    if (!other) return NULL;
    wend_service_def alike = *def;
    alike.allocator = (wend_allocator){0};
    if (wend_service_create(&alike, &other->service) == WEND_OK) return other;
    free(other);
    return NULL;
}

static void twin_free(twin *other) {
    if (!other) return;
    wend_service_destroy(other->service);
    free(other->pairs);
    free(other->index_of);
    free(other);
}

static bool make_room(twin *other, uint64_t number) {
    return ARRAY_ROOM(other->index_of, other->number_capacity, (size_t)number + 1) &&
           ARRAY_ROOM(other->pairs, other->capacity, (size_t)other->count + 1);
}

/* A request that the twin refused, or that one of both cancelled, counts as having waited as long in both. */
static void remember(twin *other, uint64_t number, int which, uint64_t wait, wend_status status) {
    if (number >= other->number_capacity || other->index_of[number] == 0) return;
    pair *both = &other->pairs[other->index_of[number] - 1];
    both->waits[which] = wait;
    if (status == WEND_STATUS_CANCELLED) both->waits[0] = both->waits[1] = wait;
}

/* The twin of the one run; a completion's context is only a number. */
static twin *ticking;

static void count_completion(void *context, const wend_completion *completion) {
    if (!ticking) return; /* the end: nothing is compared any more */
    remember(ticking, (uint64_t)(uintptr_t)context, 1, completion->wait_frames, completion->status);
}

/* The service accepted a possible request as its `number`: the twin gets it too. */
static bool twin_submit(twin *other, uint64_t number, const wend_request *request) {
    if (!make_room(other, number)) return false;
    wend_request alike = *request;
    alike.on_done = count_completion;
    alike.context = (void *)(uintptr_t)number;
    other->pairs[other->count++] = (pair){.number = number};
    other->index_of[number] = other->count;
    if (wend_service_submit(other->service, &alike, NULL) != WEND_OK)
        remember(other, number, 1, 1, WEND_STATUS_CANCELLED);
    return true;
}

static void twin_tick(twin *other, const wend_budget *budget) {
    ticking = other;
    wend_service_tick(other->service, budget, NULL);
    ticking = NULL;
}

static void twin_answered(twin *other, uint64_t number, const wend_completion *completion) {
    remember(other, number, 0, completion->wait_frames, completion->status);
}

/* Takes a request that both have answered. @return false where there is none */
static bool twin_compare(twin *other, uint64_t *number, uint64_t *wait, uint64_t *twin_wait) {
    if (other->front == other->count) return false;
    const pair *both = &other->pairs[other->front];
    if (both->waits[0] == 0 || both->waits[1] == 0) return false;
    *number = both->number;
    *wait = both->waits[0], *twin_wait = both->waits[1];
    other->front++;
    return true;
}

/* ---- the longest that a request may take: one lane in this many serves the oldest ---- */

/// A request by its place among the accepted ones.
typedef struct fair_record {
    uint64_t asked, ended; ///< frames; ended 0: pending
    uint64_t spent;        ///< its expansions
    uint64_t spent_before; ///< expansions of all frames before it was accepted
    bool joint;            ///< its expansions may have been for others too
} fair_record;

/// Requests wait for their turn to be judged until all older ones have ended: then their expansions are known. Where
/// requests share searches, a younger one may pay for an older one: they wait until none is pending.
typedef struct fair_bound {
    fair_record *list; ///< by number; those before `front` are judged
    size_t capacity;
    uint64_t front, accepted; ///< numbers of the oldest not judged, and of the next accepted
    uint64_t spent;           ///< expansions of all requests before `front`
    uint64_t pending;         ///< accepted ones that have not ended
    uint64_t joint;           ///< expansions of those from `front` on that have ended and are joint
    bool shares;              ///< requests share searches
    uint64_t budget, share;   ///< budget of a frame; one lane in `share` serves the oldest
    uint64_t lanes;
    uint64_t slice; ///< most expansions of a lane in a round
} fair_bound;

typedef struct urgent_record {
    uint64_t number, asked, ended; ///< frames
    uint64_t spent;
    uint64_t wait; ///< frames until its search began
} urgent_record;

/// Requests are judged when none is pending: then it is known what each of them took.
typedef struct urgent_bound {
    urgent_record *list;
    size_t count, capacity;
    size_t judged;    ///< records before it are judged
    uint64_t pending; ///< urgent requests that have not ended
} urgent_bound;

/* @return false where memory ran out */
static bool fair_bound_accept(fair_bound *bound, uint64_t frame, uint64_t spent_by_frames) {
    if (!ARRAY_ROOM(bound->list, bound->capacity, (size_t)bound->accepted + 1)) return false;
    bound->list[bound->accepted++] = (fair_record){.asked = frame, .spent_before = spent_by_frames};
    bound->pending++;
    return true;
}

/* @param joint   its search may have answered others too */
static void fair_bound_end(fair_bound *bound, uint64_t number, uint64_t frame, uint64_t spent, bool joint) {
    if (number < bound->front || number >= bound->accepted) return;
    fair_record *ended = &bound->list[number];
    ended->ended = frame;
    ended->spent = spent;
    ended->joint = joint;
    bound->pending--;
    if (joint) bound->joint += spent;
}

/* Expansions before the request came went to older requests. The rest of theirs and its own, and of younger ones that
   may have paid for it, come at the fair lane's share; of more lanes than that each has a smaller one. A whole turn of
   lanes may pass before the first of them is fair, and a round may be a frame. Lanes may be unequal for three turns of
   full lanes.

   Takes the oldest request, if it has ended. *most receives the frames that it may have taken.
   @return its number of frames; 0: none has ended */
static uint64_t fair_bound_judge(fair_bound *bound, uint64_t *most) {
    if (bound->front == bound->accepted || bound->list[bound->front].ended == 0) return 0;
    if (bound->shares && bound->pending > 0) return 0;
    const fair_record *oldest = &bound->list[bound->front++];
    bound->spent += oldest->spent;
    if (oldest->joint) bound->joint -= oldest->spent;
    const uint64_t all = bound->spent + bound->joint;
    const uint64_t left = all > oldest->spent_before ? all - oldest->spent_before : 0;
    const uint64_t lanes = bound->lanes < bound->budget ? bound->lanes : bound->budget;
    const uint64_t turn = (bound->share + lanes - 1) / lanes;
    const uint64_t full = bound->budget / lanes < bound->slice ? bound->budget / lanes : bound->slice;
    const uint64_t share = bound->share > lanes ? bound->share : lanes;
    *most = 1 + turn + ((left + 3 * full) * share + bound->budget - 1) / bound->budget;
    return oldest->ended - oldest->asked + 1;
}

static void fair_bound_free(fair_bound *bound) {
    free(bound->list);
    *bound = (fair_bound){0};
}

/* ---- the same of urgent requests: by the expansions of all that are pending at the same time ---- */

static void urgent_bound_accept(urgent_bound *bound) {
    bound->pending++;
}

/* @return false where memory ran out */
static bool urgent_bound_end(urgent_bound *bound, const urgent_record *ended) {
    bound->pending -= bound->pending > 0;
    if (!ARRAY_ROOM(bound->list, bound->capacity, bound->count + 1)) return false;
    bound->list[bound->count++] = *ended;
    return true;
}

/* Takes a request that has ended, while none is pending; *together receives the expansions of all urgent requests that
   were pending in one of its frames, its own with them. @return NULL where there is none: begin again */
static const urgent_record *urgent_bound_judge(urgent_bound *bound, uint64_t *together) {
    if (bound->pending > 0) return NULL;
    if (bound->judged == bound->count) {
        bound->judged = bound->count = 0;
        return NULL;
    }
    const urgent_record *record = &bound->list[bound->judged++];
    *together = 0;
    for (size_t i = 0; i < bound->count; i++) {
        const urgent_record *other = &bound->list[i];
        if (other->asked <= record->ended && record->asked <= other->ended) *together += other->spent;
    }
    return record;
}

static void urgent_bound_free(urgent_bound *bound) {
    free(bound->list);
    *bound = (urgent_bound){0};
}

/* ---- the watch ---- */

struct load_checker {
    load_def def;
    fair_bound fair;
    urgent_bound hurry;
    twin *other;     /* twin of scenario `islands` */
    dijkstra *flood; /* flood of scenario `horde` */
    horde *alone;    /* effort of lone searches in that scenario */
    bool by_engine;  /* requests name their engine, so one search from the goal is not for them */
    uint64_t evictions, frames, full_frames, full_spent, bytes;
    uint64_t urgent, urgent_first; /* urgent requests with room in a frame, and those begun in the next */
    uint64_t burst_from;           /* expansions of all frames before the burst */
    bool silent;                   /* all requests are cancelled before this frame */
};

static bool open_horde(load_checker *all) {
    const load_def *def = &all->def;
    all->flood = dijkstra_create(def->land);
    if (!all->flood || !dijkstra_flood(all->flood, def->shared_goal)) return false;
    all->alone = horde_create(def->agents, dijkstra_closed(all->flood), def->service->nodes);
    return all->alone != NULL;
}

load_checker *load_create(const load_def *def) {
    load_checker *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->def = *def;
    all->fair.budget = def->budget.expansions;
    all->fair.share = def->service->tuning->fair;
    all->fair.lanes = def->service->tuning->lanes;
    all->fair.shares = def->service->share != 0;
    all->fair.slice = def->service->tuning->slice * (def->service->tuning->slice < UINT32_MAX ? 8 : 1);
    bool made = true;
    /* Where edits change ways that lead one way only, what was impossible may cost expansions later. */
    const bool stays_impossible = !def->edits || !def->land->one_way;
    if (def->load == LOAD_ISLANDS && stays_impossible) made = (all->other = twin_create(def->service)) != NULL;
    if (def->load == LOAD_HORDE && !def->edits) made = open_horde(all);
    if (made) return all;
    load_free(all);
    return NULL;
}

void load_free(load_checker *all) {
    if (!all) return;
    fair_bound_free(&all->fair);
    urgent_bound_free(&all->hurry);
    twin_free(all->other);
    dijkstra_free(all->flood);
    horde_free(all->alone);
    free(all);
}

uint64_t load_flood_cells(const load_checker *all) {
    return all->flood != NULL ? dijkstra_closed(all->flood) : 0;
}

horde_sums load_horde(const load_checker *all) {
    return all->alone != NULL ? horde_total(all->alone) : (horde_sums){0};
}

/* ---- asking ---- */

static bool impossible(const load_checker *all, wend_cell start, wend_cell goal) {
    const uint32_t *labels = all->def.land->home.labels;
    const uint32_t from = labels[terrain_index(all->def.land, start)], to = labels[terrain_index(all->def.land, goal)];
    return from == 0 || from != to;
}

static bool is_shared_goal(const load_checker *all, wend_cell goal) {
    return same_cell(goal, all->def.shared_goal);
}

/* Time is no measure for the fair lane's share: how many expansions fit into it is not known from outside. */
static bool is_fair(const load_checker *all) {
    return all->def.load != LOAD_NONE && all->fair.budget != WEND_NO_LIMIT && all->fair.share > 0;
}

bool load_submitted(load_checker *all, uint32_t agent, bool urgent, const wend_request *request, wend_error error) {
    checker *watch = all->def.watch;
    if (error != WEND_OK) return true;
    if (urgent) urgent_bound_accept(&all->hurry);
    if (watch->pending == 1) all->burst_from = watch->frames_spent;
    if (is_fair(all) && !fair_bound_accept(&all->fair, watch->frame, watch->frames_spent)) return false;
    all->by_engine = all->by_engine || (request->options && request->options->engine != WEND_ENGINE_AUTO);
    if (all->alone && is_shared_goal(all, request->goal)) return horde_asked(all->alone, agent, watch->frame, request);
    if (!all->other || impossible(all, request->start, request->goal)) return true;
    return twin_submit(all->other, watch->requests[agent].index, request);
}

void load_moved(load_checker *all, uint32_t agent, wend_error error) {
    EXPECT(all->def.watch, LOAD_pursuit_moves, error == WEND_OK,
           "moving the goal of agent %" PRIu32 "'s pending request gave %s", agent, wend_error_name(error));
}

void load_all_cancelled(load_checker *all) {
    all->silent = true;
}

/* ---- answers ---- */

static void check_burst(load_checker *all, const wend_completion *completion) {
    checker *watch = all->def.watch;
    if (all->def.budget.expansions == WEND_NO_LIMIT) return;
    const uint64_t budget = all->def.budget.expansions;
    const uint64_t filled = (watch->frames_spent - all->burst_from + budget - 1) / budget;
    EXPECT(watch, LOAD_burst_ends, completion->frames <= filled + 1,
           "number %" PRIu64 " took %" PRIu64 " frames, the expansions so far fill %" PRIu64, completion->number,
           completion->frames, filled);
}

static void check_horde(load_checker *all, uint32_t agent, const known_request *known,
                        const wend_completion *completion) {
    if (!all->alone || !is_shared_goal(all, known->goal)) return;
    const int64_t alone = horde_answered(all->alone, agent, completion);
    if (completion->status != WEND_STATUS_FOUND) return;
    const int64_t best = dijkstra_flooded(all->flood, known->start);
    EXPECT(all->def.watch, LOAD_horde_cost, completion->cost == best && completion->cost == alone,
           "number %" PRIu64 " from (%s) costs %" PRId64 ", the flood says %" PRId64 ", a lone search %" PRId64,
           completion->number, TERRAIN_NAME(all->def.land, known->start), completion->cost, best, alone);
}

static void check_siege(load_checker *all, const known_request *known, const wend_completion *completion) {
    const uint64_t falls = completion->checked - known->epoch, restarts = (uint64_t)completion->restarts;
    EXPECT(all->def.watch, LOAD_siege_restarts, completion->restarts >= 0 && restarts <= falls + all->evictions,
           "number %" PRIu64 " was started again %" PRId32 " times, after %" PRIu64 " falls of walls",
           completion->number, completion->restarts, falls);
}

static void check_islands(load_checker *all, const known_request *known, const wend_completion *completion) {
    checker *watch = all->def.watch;
    if (!impossible(all, known->start, known->goal)) {
        if (all->other) twin_answered(all->other, known->index, completion);
        return;
    }
    const bool cancelled = completion->status == WEND_STATUS_CANCELLED;
    if (all->def.edits || cancelled) return;
    const bool timed = all->def.budget.us != WEND_NO_LIMIT; /* the intake may have no time for all */
    const bool told = completion->status == WEND_STATUS_NO_PATH || completion->status == WEND_STATUS_GOAL_BLOCKED;
    EXPECT(watch, LOAD_islands_free, told && completion->expansions == 0 && (completion->frames == 1 || timed),
           "number %" PRIu64 " ends as %s after %" PRIu64 " expansions and %" PRIu64 " frames", completion->number,
           wend_status_name(completion->status), completion->expansions, completion->frames);
}

static bool count_urgent(load_checker *all, const known_request *known, const wend_completion *completion) {
    const urgent_record ended = {completion->number, known->asked, all->def.watch->frame, completion->expansions,
                                 completion->wait_frames};
    return urgent_bound_end(&all->hurry, &ended);
}

bool load_completed(load_checker *all, uint32_t agent, bool urgent, const wend_completion *completion) {
    checker *watch = all->def.watch;
    const known_request *known = &watch->requests[agent];
    const bool joint = completion->shared || (all->fair.shares && is_shared_goal(all, known->goal));
    if (is_fair(all)) fair_bound_end(&all->fair, known->index, watch->frame, completion->expansions, joint);
    switch (all->def.load) {
    case LOAD_BURST: check_burst(all, completion); break;
    case LOAD_HORDE: check_horde(all, agent, known, completion); break;
    case LOAD_SIEGE: check_siege(all, known, completion); break;
    case LOAD_ISLANDS: check_islands(all, known, completion); break;
    case LOAD_OVERLOAD: return !urgent || count_urgent(all, known, completion);
    default: break;
    }
    return true;
}

/* ---- frames ---- */

/* A frame that leaves finished requests undelivered waits for room, not for expansions. */
static void check_fair(load_checker *all) {
    checker *watch = all->def.watch;
    uint64_t frames, most;
    while (is_fair(all) && (frames = fair_bound_judge(&all->fair, &most)) > 0)
        EXPECT(watch, LOAD_fair_wait, frames <= most,
               "accepted request %" PRIu64 " took %" PRIu64 " frames, the fair lane takes at most %" PRIu64,
               all->fair.front, frames, most);
}

/* Expansions of a lane's turn at most: the slice, or in a long frame a sixteenth of the lane's share of it, up to eight
 * slices. */
static uint64_t turn_of(const load_checker *all) {
    enum { ROUNDS = 16 };
    const uint64_t slice = all->def.service->tuning->slice, budget = all->def.budget.expansions;
    const uint64_t share = budget / all->def.service->tuning->lanes / ROUNDS;
    const uint64_t turn = share <= slice ? slice : share < all->fair.slice ? share : all->fair.slice;
    return turn < budget ? turn : budget;
}

/* Urgent requests share what the fair lane leaves of the budget, give or take one turn of a lane. If a frame has no
 * room for all of them, one may begin later. */
static void check_urgent(load_checker *all) {
    checker *watch = all->def.watch;
    const uint64_t budget = all->def.budget.expansions;
    const uint64_t turn = turn_of(all);
    const urgent_record *ended;
    uint64_t together;
    while ((ended = urgent_bound_judge(&all->hurry, &together)) != NULL) {
        const uint64_t frames = ended->ended - ended->asked + 1;
        if (budget == WEND_NO_LIMIT) continue;
        if (8 * (together + turn) <= 7 * budget) all->urgent++, all->urgent_first += ended->wait <= 1;
        EXPECT(watch, LOAD_overload_urgent, (frames - 1) * 7 * budget <= 8 * (together + turn),
               "number %" PRIu64 " took %" PRIu64 " frames; it took %" PRIu64
               " expansions, all urgent requests pending with it %" PRIu64,
               ended->number, frames, ended->spent, together);
    }
}

static void check_twin(load_checker *all, bool over) {
    checker *watch = all->def.watch;
    uint64_t number, wait, twin_wait;
    if (!all->other) return;
    if (!over) twin_tick(all->other, &all->def.budget);
    while (twin_compare(all->other, &number, &wait, &twin_wait))
        EXPECT(watch, LOAD_islands_delay, wait <= twin_wait + 1,
               "accepted request %" PRIu64 " waited %" PRIu64 " frames, without impossible ones %" PRIu64, number + 1,
               wait, twin_wait);
}

/* Searches that begin before it is known that sharing pays: a slice in each lane. And a field clears its chunks. */
static uint64_t spent_besides(const load_checker *all) {
    enum { ROUNDS = 16, LONGER = 8, CHUNK_EXPANSIONS = 64 };
    const uint64_t lanes = all->def.service->tuning->lanes, slice = all->def.service->tuning->slice;
    const uint64_t follows = all->def.budget.expansions / lanes / ROUNDS, longest = slice * LONGER;
    const uint64_t each = follows < slice ? slice : follows < longest ? follows : longest;
    return 2 * lanes * each + CHUNK_EXPANSIONS * terrain_chunks(all->def.land);
}

/* When all are answered. Few requests are no sample that tells what the others take; an evicted search begins again.
 * If time limits the frames, it decides when late comers join. */
static void check_sharing(load_checker *all) {
    enum { MANY = 500 };
    checker *watch = all->def.watch;
    if (!all->alone || watch->pending > 0 || all->by_engine) return;
    const horde_sums sums = horde_sums_since(all->alone);
    if (sums.asked < MANY || all->evictions > 0 || all->def.budget.expansions == WEND_NO_LIMIT) return;
    EXPECT(watch, LOAD_horde_spent, sums.spent <= sums.best + sums.best / 5 + spent_besides(all),
           "%" PRIu64 " requests took %" PRIu64 " expansions, lone searches take %" PRIu64 ", a flood %" PRIu64,
           sums.asked, sums.spent, sums.lone, load_flood_cells(all));
}

static void check_silence(load_checker *all, const wend_frame *frame) {
    checker *watch = all->def.watch;
    EXPECT(watch, LOAD_clicks_stop, frame->expansions == 0 && (watch->pending == 0 || watch->clogged),
           "after all were cancelled it spends %" PRIu64 " expansions and leaves %" PRIu64 " requests",
           frame->expansions, watch->pending);
    all->silent = false;
}

void load_frame_ran(load_checker *all, const wend_frame *frame, uint64_t bytes) {
    checker *watch = all->def.watch;
    all->evictions += frame->evictions;
    if (frame->waiting + frame->running > frame->outdated) {
        all->full_frames++;
        all->full_spent += frame->expansions;
    }
    if (all->silent) check_silence(all, frame);
    check_fair(all);
    check_twin(all, false);
    check_sharing(all);
    if (all->def.load != LOAD_OVERLOAD) return;
    check_urgent(all);
    if (all->frames++ == 0) all->bytes = bytes;
    EXPECT(watch, LOAD_overload_memory, bytes == all->bytes,
           "the service holds %" PRIu64 " bytes, after the first frame it held %" PRIu64, bytes, all->bytes);
}

void load_finish(load_checker *all) {
    checker *watch = all->def.watch;
    check_twin(all, true);
    if (all->def.load != LOAD_OVERLOAD) return;
    const uint64_t budget = all->def.budget.expansions;
    if (budget != WEND_NO_LIMIT && all->full_frames > 0)
        EXPECT(watch, LOAD_overload_spent, all->full_spent / all->full_frames >= budget - budget / 100,
               "%" PRIu64 " frames with work left spent %" PRIu64 " expansions", all->full_frames, all->full_spent);
    if (all->urgent > 0)
        EXPECT(watch, LOAD_overload_first, all->urgent_first * 100 >= all->urgent * 99,
               "%" PRIu64 " of %" PRIu64 " urgent requests began in the next frame", all->urgent_first, all->urgent);
}
