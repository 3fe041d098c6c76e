/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: four threads, each of which submits, cancels, moves goals and urgencies, edits the
 * one map, makes and prunes its jump tables, makes landmarks, and forks it (and edits the forks, asks for ways on
 * them, forks them again, hands them to the others and drops them), while a fifth runs frames with workers. Answers
 * are walked, and some searched again by Dijkstra, on the version that they were checked on; every other round
 * runs unwatched, so that the watchers' locks order nothing. Build it with --enable-sanitizer=thread. Exits
 * non-zero where a promise is broken, or memory is left.
 *
 *   stress_storm [SECONDS [WORKERS [SEED]]]     2, 2 and 1 by default */
#define _POSIX_C_SOURCE 200809L
#include "models/worlds.h"
#include "models/defaults.h"
#include "models/options.h"

#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stress/promise.h"
#include <wend/control.h>
#include <wend/host.h>

enum { THREADS = 4, SIDE = 140, CELLS = SIDE * SIDE, PLACES = 1024, SWAPS = 6, MAIN_KEPT = 256, FORK_KEPT = 16 };

/* Contents of a version. */
typedef struct picture {
    uint64_t epoch;
    uint8_t terrain[CELLS];
} picture;

/* A map and the contents of its last versions. `terrain` and `epoch` belong to the thread that has the open batch. */
typedef struct realm {
    wend_map *map;
    atomic_int references; ///< held by the owner, and by each pending request on it
    uint64_t epoch;
    uint8_t terrain[CELLS];
    pthread_mutex_t lock; ///< guards kept
    int kept_count;
    picture *kept;
} realm;

/* A request; written again only after it was answered. */
typedef struct asked {
    realm *where;
    wend_cell start, goal;
    bool plain;
    atomic_bool pending, cancelled, moved; ///< cancelled: cancel returned OK; moved: its goal may be another by now
    atomic_bool replaced;                  ///< a newer request of its agent was submitted, or is about to be
    _Atomic uint64_t ticket;               ///< for others to meddle with
} asked;

static struct {
    int32_t corners, neighbours;
    bool slow, watched;
    bool doors; ///< edits open and close the same few cells, so that landmarks outlive them
} rules;        ///< rules of the round
static wend_service *service;
static realm *shared;                 ///< the one map
static _Atomic(realm *) swaps[SWAPS]; ///< forks that the next thread takes over
static asked all[THREADS][PLACES];
static atomic_bool stop;
static pthread_t owner;
static oracle_random dice; ///< the owner's
static _Atomic int64_t bytes_held;
static _Atomic uint64_t accepted, busy, closed, cancels, moves, publishes, batches_refused, forks, stale_tickets,
    tables_asked, outlived, mended;
static uint64_t completed, statuses[WEND_STATUS_COUNT], by_jumps, walked, floods, optima, too_old, on_forks, rounds;

/* ---- memory, counted ---- */

static void *take(void *context, size_t bytes, size_t alignment) {
    wend_allocator plain = wend_allocator_default();
    (void)context;
    atomic_fetch_add_explicit(&bytes_held, (int64_t)bytes, memory_order_relaxed);
    return plain.alloc(plain.context, bytes, alignment);
}

static void give_back(void *context, void *pointer, size_t bytes) {
    wend_allocator plain = wend_allocator_default();
    (void)context;
    atomic_fetch_sub_explicit(&bytes_held, (int64_t)bytes, memory_order_relaxed);
    plain.free(plain.context, pointer, bytes);
}

/* ---- realms ---- */

static realm *realm_of(wend_map *map, int kept) {
    realm *r = calloc(1, sizeof *r);
    PROMISE(r);
    r->map = map;
    atomic_init(&r->references, 1);
    PROMISE(pthread_mutex_init(&r->lock, NULL) == 0);
    r->kept_count = rules.watched ? kept : 0;
    if (rules.watched) PROMISE((r->kept = calloc((size_t)kept, sizeof *r->kept)) != NULL);
    return r;
}

static void realm_drop(realm *r) {
    if (!r || atomic_fetch_sub(&r->references, 1) > 1) return;
    wend_map_release(r->map);
    pthread_mutex_destroy(&r->lock);
    free(r->kept);
    free(r);
}

static void note(realm *r, uint64_t epoch) {
    if (!r->kept) return;
    pthread_mutex_lock(&r->lock);
    picture *to = &r->kept[epoch % (uint64_t)r->kept_count];
    to->epoch = epoch;
    memcpy(to->terrain, r->terrain, CELLS);
    pthread_mutex_unlock(&r->lock);
}

static bool recall(realm *r, uint64_t epoch, uint8_t *out) {
    if (!r->kept) return false;
    pthread_mutex_lock(&r->lock);
    const picture *from = &r->kept[epoch % (uint64_t)r->kept_count];
    bool there = from->epoch == epoch;
    if (there) memcpy(out, from->terrain, CELLS);
    pthread_mutex_unlock(&r->lock);
    return there;
}

static uint8_t any_class(oracle_random *random) {
    if (oracle_below(random, 5) < 2) return WEND_CLASS_BLOCKED;
    return rules.slow ? (uint8_t)(1 + oracle_below(random, 3)) : WEND_CLASS_OPEN;
}

/* Landmarks are kept at any price, as far as is usual, hardly or never. */
static void choose_effort(wend_map *map, oracle_random *random) {
    static const uint64_t efforts[] = {0, 20, 400, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT};
    wend__map_set_landmark_effort(map, efforts[oracle_below(random, 5)]);
}

/* Publishes, and counts mended landmarks. Only on forks is this certain: no other thread makes landmarks there. */
static void publish(realm *r, wend_edit *batch, uint64_t *epoch) {
    wend__version *before = wend__map_acquire(r->map, false);
    PROMISE(wend_edit_publish(batch, epoch) == WEND_OK);
    wend__version *now = wend__map_acquire(r->map, false);
    const bool others = now->landmarks && now->landmarks != before->landmarks;
    atomic_fetch_add_explicit(&mended, r != shared && others, memory_order_relaxed);
    wend__map_release(now, false);
    wend__map_release(before, false);
}

/* Edits a few cells, or a box. Another thread may have a batch open. */
static void edit(realm *r, oracle_random *random, int cells) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(r->map, &batch);
    PROMISE(error == WEND_OK || (error == WEND_IN_USE && r == shared));
    if (error) {
        atomic_fetch_add_explicit(&batches_refused, 1, memory_order_relaxed);
        return;
    }
    for (int i = 0; i < cells; i++) {
        wend_cell at = {oracle_below(random, SIDE), oracle_below(random, SIDE), 0};
        if (rules.doors) at.x |= 15, at.y |= 15;
        if (at.x >= SIDE || at.y >= SIDE) continue;
        r->terrain[at.y * SIDE + at.x] = any_class(random);
        PROMISE(wend_edit_set_cell(batch, at, r->terrain[at.y * SIDE + at.x]) == WEND_OK);
    }
    if (!rules.doors && oracle_below(random, 8) == 0) {
        int x = oracle_below(random, SIDE - 9), y = oracle_below(random, SIDE - 9), class = oracle_below(random, 2);
        for (int row = y; row < y + 9; row++) memset(&r->terrain[row * SIDE + x], class, 9);
        wend_box box = {{x, y, 0}, {x + 8, y + 8, 0}};
        PROMISE(wend_edit_fill_box(batch, box, (uint8_t)class) == WEND_OK);
    }
    uint64_t published, epoch = ++r->epoch;
    note(r, epoch); /* before other threads can see it */
    publish(r, batch, &published);
    PROMISE(published == epoch);
    atomic_fetch_add_explicit(&publishes, 1, memory_order_relaxed);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(r->map, &info);
    atomic_fetch_add_explicit(&outlived, info.landmarks > 0 && info.landmark_age > 0, memory_order_relaxed);
}

static const wend_box everything = {{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}};

static realm *fork_of(realm *from) {
    static _Thread_local uint8_t then[CELLS];
    wend_map *map;
    PROMISE(wend_map_fork(from->map, &map) == WEND_OK);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    realm *r = realm_of(map, FORK_KEPT);
    PROMISE(wend_map_get_terrain_box(map, everything, r->terrain, SIDE) == WEND_OK);
    if (recall(from, info.epoch, then)) PROMISE(memcmp(then, r->terrain, CELLS) == 0);
    r->epoch = info.epoch;
    note(r, info.epoch);
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
    return r;
}

/* ---- the owner ---- */

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

static const world *grid_of(const uint8_t *terrain) {
    static world grid;
    world_begin(&grid, WEND_KIND_GRID, SIDE, SIDE, 1);
    memcpy(grid.terrain, terrain, CELLS);
    grid.rules.corners = rules.corners, grid.rules.neighbours = rules.neighbours;
    return &grid;
}

static void check_refusal(const asked *own, const uint8_t *terrain) {
    PROMISE(world_cost(grid_of(terrain), own->start, own->goal) < 0);
    floods++;
}

static void check_path(const asked *own, const uint8_t *terrain, const wend_completion *c) {
    const world *grid = grid_of(terrain);
    const wend_cell last = c->cells[c->cell_count - 1];
    PROMISE(same(c->cells[0], own->start));
    PROMISE(world_path(grid, own->start, last, c->cells, c->cell_count) == c->cost);
    walked++;
    on_forks += own->where != shared;
    if (c->status != WEND_STATUS_FOUND || atomic_load(&own->moved) || !own->plain) return;
    PROMISE(same(last, own->goal));
    if (c->epoch != c->checked || (optima > 50 && oracle_below(&dice, 16) > 0)) return;
    PROMISE(world_cost(grid, own->start, own->goal) == c->cost);
    optima++;
}

static void check_answer(const asked *own, const wend_completion *c) {
    static uint8_t terrain[CELLS];
    bool refusal = c->status == WEND_STATUS_NO_PATH && !atomic_load(&own->moved) && own->plain;
    PROMISE(c->epoch <= c->checked);
    if (!rules.watched || (c->cell_count == 0 && !refusal)) return;
    if (refusal && floods > 50 && oracle_below(&dice, 8) > 0) return;
    if (!recall(own->where, c->checked, terrain))
        too_old++;
    else if (refusal)
        check_refusal(own, terrain);
    else
        check_path(own, terrain, c);
}

static void on_done(void *context, const wend_completion *completion) {
    asked *own = context;
    PROMISE(pthread_equal(owner, pthread_self()));
    PROMISE(atomic_load(&own->pending));
    PROMISE(!atomic_load(&own->cancelled) || completion->status == WEND_STATUS_CANCELLED);
    PROMISE(completion->status != WEND_STATUS_REPLACED || atomic_load(&own->replaced));
    completed++;
    statuses[completion->status]++;
    by_jumps += completion->status == WEND_STATUS_FOUND && completion->engine == WEND_ENGINE_JUMP;
    check_answer(own, completion);
    realm_drop(own->where);
    atomic_store(&own->pending, false);
    if (oracle_below(&dice, 200) == 0) edit(shared, &dice, 1); /* a callback may */
}

static void frame(void) {
    wend_budget budget = default_budget();
    budget.expansions = (uint64_t)oracle_below(&dice, 30000);
    wend_frame done = {.struct_bytes = sizeof done};
    PROMISE(wend_service_tick(service, &budget, &done) == WEND_OK);
    PROMISE(done.expansions <= budget.expansions);
    if (wend_service_get_work(service) == 0) sched_yield();
}

/* ---- the four ---- */

static wend_request any_request(oracle_random *random, asked *own) {
    wend_request request = default_request();
    request.map = own->where->map;
    request.start = own->start = (wend_cell){oracle_below(random, SIDE), oracle_below(random, SIDE), 0};
    request.goal = own->goal = (wend_cell){oracle_below(random, SIDE), oracle_below(random, SIDE), 0};
    options_of(&request)->engine = oracle_below(random, 3);
    request.urgency = oracle_below(random, 10);
    options_of(&request)->on_stale = oracle_below(random, 2);
    if (oracle_below(random, 5) == 0) request.deadline_frames = 1 + (uint64_t)oracle_below(random, 20);
    own->plain = oracle_below(random, 4) > 0;
    if (!own->plain) {
        request.reach = oracle_below(random, 3), request.mode = oracle_below(random, 2);
    }
    request.on_done = on_done, request.context = own;
    return request;
}

/* Draws an agent of this thread, so that the thread can tell which of its requests a new one may replace. */
static uint64_t any_agent(oracle_random *random, asked *own) {
    enum { AGENTS = 64 };
    static _Thread_local asked *latest[AGENTS];
    if (oracle_below(random, 3) > 0) return WEND_NO_AGENT;
    const uint32_t which = (uint32_t)oracle_below(random, AGENTS);
    if (latest[which] && latest[which] != own) atomic_store(&latest[which]->replaced, true);
    latest[which] = own;
    return (uint64_t)((own - &all[0][0]) / PLACES) << 32 | which;
}

static void ask(oracle_random *random, asked *own, realm *where) {
    wend_ticket ticket;
    if (atomic_load(&own->pending)) return;
    own->where = where;
    wend_request request = any_request(random, own);
    request.agent = any_agent(random, own);
    atomic_store(&own->cancelled, false);
    atomic_store(&own->replaced, false);
    atomic_store(&own->moved, false);
    atomic_fetch_add(&where->references, 1);
    atomic_store(&own->pending, true);
    wend_error error = wend_service_submit(service, &request, &ticket);
    PROMISE(error == WEND_OK || error == WEND_BUSY || error == WEND_CLOSED);
    atomic_fetch_add_explicit(error == WEND_OK     ? &accepted
                              : error == WEND_BUSY ? &busy
                                                   : &closed,
                              1, memory_order_relaxed);
    if (error == WEND_OK) {
        atomic_store_explicit(&own->ticket, (uint64_t)ticket.generation << 32 | ticket.index, memory_order_relaxed);
        return;
    }
    realm_drop(where);
    atomic_store(&own->pending, false);
    sched_yield();
}

static wend_ticket ticket_of(const asked *a) {
    uint64_t both = atomic_load_explicit(&a->ticket, memory_order_relaxed);
    return (wend_ticket){(uint32_t)both, (uint32_t)(both >> 32)};
}

static void count_ticket(wend_error error, _Atomic uint64_t *count) {
    PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
    atomic_fetch_add_explicit(error == WEND_OK ? count : &stale_tickets, 1, memory_order_relaxed);
}

/* With a request of its own; and with any thread's. */
static void meddle(oracle_random *random, asked *own, const asked *other) {
    wend_cell goal = {oracle_below(random, SIDE), oracle_below(random, SIDE), 0};
    switch (oracle_below(random, 8)) {
    case 0:
    case 1: {
        wend_error error = wend_service_cancel(service, ticket_of(own));
        count_ticket(error, &cancels);
        if (error == WEND_OK) atomic_store(&own->cancelled, true);
        return;
    }
    case 2:
        atomic_store(&own->moved, true);
        count_ticket(wend_service_set_goal(service, ticket_of(own), goal), &moves);
        return;
    case 3: count_ticket(wend_service_cancel(service, ticket_of(other)), &cancels); return;
    case 4: wend_service_get_pending(service), wend_service_get_work(service); return;
    default: wend_service_set_urgency(service, ticket_of(other), oracle_below(random, 10));
    }
}

/* Makes, prunes or drops jump tables, or landmarks. Another thread may have a batch open. */
static void tables(realm *r, oracle_random *random) {
    uint32_t left;
    int what = oracle_below(random, 16);
    wend_error error = what == 0   ? wend__map_drop_jumps(r->map)
                       : what <= 4 ? wend__map_prepare_jumps(r->map)
                       : what <= 7 ? wend__map_prepare_landmarks(r->map, oracle_below(random, 9))
                       : what <= 9 ? wend__map_continue_landmarks(r->map, (uint64_t)oracle_below(random, 300))
                                   : wend__map_prune_jumps(r->map, (uint32_t)oracle_below(random, 4), &left);
    PROMISE(error == WEND_OK || (error == WEND_IN_USE && r == shared));
    atomic_fetch_add_explicit(&tables_asked, error == WEND_OK, memory_order_relaxed);
}

/* Edit, fork, swap and drop. `mine` is a fork of its own, or NULL. */
static realm *change(oracle_random *random, realm *mine) {
    int what = oracle_below(random, 16);
    if (what < 5) edit(shared, random, 1 + oracle_below(random, 6));
    if (what >= 5 && what < 10 && mine) edit(mine, random, 1 + oracle_below(random, 6));
    if (what == 10 || !mine) {
        realm *fork = fork_of(mine && oracle_below(random, 2) ? mine : shared);
        realm_drop(mine);
        mine = fork;
    }
    if (what == 11 || what == 12) mine = atomic_exchange(&swaps[oracle_below(random, SWAPS)], mine);
    if (what == 13) {
        realm *of = mine && oracle_below(random, 2) ? mine : shared;
        PROMISE(wend_map_set_max_versions(of->map, 1 + oracle_below(random, 5)) == WEND_OK);
    }
    if (what == 12) choose_effort(mine && oracle_below(random, 2) ? mine->map : shared->map, random);
    if (what == 15) tables(mine && oracle_below(random, 2) ? mine : shared, random);
    if (what == 14 && oracle_below(random, 4) == 0) {
        struct timespec pause = {0, oracle_below(random, 20) * 50000L};
        nanosleep(&pause, NULL);
    }
    return mine;
}

static void *storm(void *argument) {
    uintptr_t self = (uintptr_t)argument & 3;
    oracle_random random = {(uint64_t)(uintptr_t)argument};
    realm *mine = NULL;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        asked *own = &all[self][oracle_below(&random, PLACES)];
        const asked *other = &all[oracle_below(&random, THREADS)][oracle_below(&random, PLACES)];
        ask(&random, own, mine && oracle_below(&random, 2) ? mine : shared);
        if (oracle_below(&random, 2)) meddle(&random, &all[self][oracle_below(&random, PLACES)], other);
        if (oracle_below(&random, 4) == 0) mine = change(&random, mine);
    }
    realm_drop(mine);
    return NULL;
}

/* ---- rounds ---- */

static void make_round(uint32_t workers) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    wend_service_def limits = default_service();
    wend_service_tuning tuning = default_tuning();
    limits.tuning = &tuning;
    rules.watched = rounds % 2 == 0, rules.slow = oracle_below(&dice, 3) == 0;
    rules.corners = oracle_below(&dice, 2) ? WEND_CORNERS_NEVER : oracle_below(&dice, 3);
    rules.neighbours = oracle_below(&dice, 8) ? 8 : 4;
    def.width = def.height = SIDE;
    def_rules.corners = rules.corners, def_rules.neighbours = rules.neighbours;
    def.allocator = (wend_allocator){.alloc = take, .free = give_back};
    wend_map *map;
    PROMISE(wend_map_create(&def, &map) == WEND_OK);
    shared = realm_of(map, MAIN_KEPT);
    memset(shared->terrain, WEND_CLASS_OPEN, CELLS);
    rules.doors = false;
    edit(shared, &dice, CELLS * oracle_below(&dice, 12) / 10);
    rules.doors = (rounds + 1) / 2 % 2; /* watched and not */
    if (oracle_below(&dice, 4)) PROMISE(wend__map_prepare_jumps(map) == WEND_OK);
    PROMISE(wend__map_prepare_landmarks(map, oracle_below(&dice, 9)) == WEND_OK);
    limits.queue = rounds % 3 == 2 ? 70000 : 600; /* with fewer entries than places, and with as many */
    limits.reserve = oracle_below(&dice, 2) ? 100 : 0, limits.displace = rounds % 2;
    tuning.searches = 16;
    limits.nodes = 24 * WEND_PAGE_NODES;
    tuning.slice = 1 + (uint64_t)oracle_below(&dice, 400);
    limits.workers = workers;
    tuning.restarts = (uint32_t)oracle_below(&dice, 6);
    PROMISE(wend_service_create(&limits, &service) == WEND_OK);
    atomic_store(&stop, false);
    memset(all, 0, sizeof all);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run_round(double seconds, uint32_t workers) {
    pthread_t threads[THREADS];
    double begun = now();
    make_round(workers);
    uintptr_t seed = (uintptr_t)oracle_next(&dice) << 2;
    for (uintptr_t i = 0; i < THREADS; i++) PROMISE(pthread_create(&threads[i], NULL, storm, (void *)(seed | i)) == 0);
    do frame();
    while (now() < begun + 0.9 * seconds);
    wend_service_close(service); /* with the others still at it */
    do frame();
    while (now() < begun + seconds || wend_service_get_pending(service) > 0);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    PROMISE(completed == atomic_load(&accepted));
    PROMISE(wend_service_destroy(service) == WEND_OK);
    for (int i = 0; i < SWAPS; i++) realm_drop(atomic_exchange(&swaps[i], NULL));
    PROMISE(atomic_load(&shared->references) == 1);
    realm_drop(shared);
    PROMISE(atomic_load(&bytes_held) == 0);
    rounds++;
}

static void tell(void) {
    printf("%zu rounds: %zu accepted, %zu busy, %zu closed, %zu cancels, %zu goals moved, %zu stale tickets\n",
           (size_t)rounds, (size_t)accepted, (size_t)busy, (size_t)closed, (size_t)cancels, (size_t)moves,
           (size_t)stale_tickets);
    printf("%zu publishes (%zu batches refused), %zu forks, %zu times jump tables or landmarks made, pruned or "
           "dropped; %zu edits outlived by landmarks, which %zu mended on forks\n",
           (size_t)publishes, (size_t)batches_refused, (size_t)forks, (size_t)tables_asked, (size_t)outlived,
           (size_t)mended);
    for (int i = 0; i < WEND_STATUS_COUNT; i++)
        if (statuses[i]) printf("%zu %s, ", (size_t)statuses[i], wend_status_name(i));
    printf("%zu by jumps; %zu paths walked (%zu on forks), %zu of them and %zu refusals searched again, %zu too old to "
           "be\n",
           (size_t)by_jumps, (size_t)walked, (size_t)on_forks, (size_t)optima, (size_t)floods, (size_t)too_old);
}

/* Checks that all events happened that the rounds are for. */
static bool all_happened(void) {
    return walked > 0 && on_forks > 0 && optima > 0 && forks > 0 && publishes > 0 && by_jumps > 0 && tables_asked > 0 &&
           outlived > 0 && mended > 0 && cancels > 0 && moves > 0 && closed > 0 &&
           statuses[WEND_STATUS_CANCELLED] > 0 && statuses[WEND_STATUS_REPLACED] > 0;
}

/* A busy machine, or a sanitizer's build, may take more time until then: up to 20 times as much. */
int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2, begun = now();
    uint32_t workers = argc > 2 ? (uint32_t)atoi(argv[2]) : 2;
    dice.state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    owner = pthread_self();
    do run_round(seconds < 4 ? seconds / 4 : 1, workers);
    while (now() < begun + seconds || (!all_happened() && now() < begun + 20 * seconds));
    tell();
    PROMISE(all_happened());
    PROMISE(floods > 0 || statuses[WEND_STATUS_NO_PATH] < 50);
    return 0;
}
