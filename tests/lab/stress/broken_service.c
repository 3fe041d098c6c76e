/* SPDX-License-Identifier: MIT */
/* A service broken on purpose, in the way that WEND_BROKEN names: the real one, with a liar between it and the program.
   `wend stress` linked against it must find out. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/host.h>
#include <wend/query.h>
#include <wend/search.h>
#include <wend/versions.h>
#include <wend/ways.h>

#include "cli/shared/options.h"

wend_error __real_wend_service_create(const wend_service_def *def, wend_service **out);
wend_error __wrap_wend_service_create(const wend_service_def *def, wend_service **out);
wend_error __real_wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out);
wend_error __wrap_wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out);
wend_error __real_wend_service_cancel(wend_service *service, wend_ticket ticket);
wend_error __wrap_wend_service_cancel(wend_service *service, wend_ticket ticket);
wend_error __real_wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal);
wend_error __wrap_wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal);
wend_error __real_wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame);
wend_error __wrap_wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame);
wend_error __real_wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain);
wend_error __wrap_wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain);
wend_error __real_wend_edit_add_link(wend_edit *edit, const wend_link *link);
wend_error __wrap_wend_edit_add_link(wend_edit *edit, const wend_link *link);
wend_error __real_wend_edit_publish(wend_edit *edit, uint64_t *epoch);
wend_error __wrap_wend_edit_publish(wend_edit *edit, uint64_t *epoch);

/* X(mode): what is broken. A mode that needs a path of some shape waits for the first such path. */
#define MODES(X)                                                                                                       \
    X(none)           /* an honest service */                                                                          \
    X(twice)          /* a completion comes twice */                                                                   \
    X(lost)           /* a completion never comes */                                                                   \
    X(stranger)       /* a completion with an unknown context */                                                       \
    X(ticket)         /* a completion under another ticket */                                                          \
    X(number)         /* a completion under another submission number */                                               \
    X(order)          /* two completions of a frame change places */                                                   \
    X(wall)           /* a path straight through a wall */                                                             \
    X(corner)         /* a path that cuts a blocked corner */                                                          \
    X(jump)           /* a path that leaves a cell out */                                                              \
    X(short_of_goal)  /* a path that ends before its goal */                                                           \
    X(cost)           /* a path with a cost one too high */                                                            \
    X(detour)         /* paths that go a step back and forth first, at the right cost */                               \
    X(no_path)        /* a path is kept back: no_path */                                                               \
    X(not_exact)      /* a path reported as not the best without a request for less */                                 \
    X(overspend)      /* frames over budget, by their figures, too */                                                  \
    X(overspend_hush) /* frames over budget, with false figures */                                                     \
    X(idle)           /* frames that leave half of their budget unspent */                                             \
    X(unbooked)       /* a completion with a cost of 0 */                                                              \
    X(busy)           /* a request refused although there is room */                                                   \
    X(urgency)        /* the least urgent go first */                                                                  \
    X(late)           /* a completion with a frame less than it took */                                                \
    X(deaf)           /* cancelling is accepted without effect */                                                      \
    X(stubborn)       /* a newer request of an agent leaves the older one alone */                                     \
    X(gloomy)         /* a request ends as cancelled without a call */                                                 \
    X(boast)          /* a frame counts one completion more than came */                                               \
    X(unchecked)      /* a path that was good when it was found, after an edit that blocked it */                      \
    X(old_no_path)    /* "no path" that was true when it was found, after an edit that opened one */                   \
    X(in_vain)        /* "no path" that was searched for */                                                            \
    X(old_cost)       /* a path with its cost of when it was found */                                                  \
    X(old_epoch)      /* a completion that was checked on an older version */                                          \
    X(false_epoch)    /* a path with an epoch older than its request */                                                \
    X(gives_up)       /* a path that can be walked comes as a stale piece */                                           \
    X(overrun)        /* a stale piece that leads into the blocked cell */                                             \
    X(lost_edit)      /* an edit is not made */                                                                        \
    X(lost_seam)      /* seams between sheets, once removed, stay removed */                                           \
    X(two_epochs)     /* a batch makes two epochs */                                                                   \
    X(hoard)          /* no version is ever given back */                                                              \
    X(allocate)       /* a frame calls the allocator */                                                                \
    X(swell)          /* a frame takes memory and keeps it */                                                          \
    X(starve)         /* no lane serves the oldest */                                                                  \
    X(alone)          /* requests share no search */                                                                   \
    X(again)          /* a completion with nine repeated searches more */                                              \
    X(lag)            /* completions with nine more frames of waiting */                                               \
    X(rooted)         /* a goal cannot be moved */                                                                     \
    X(stay)           /* moving a goal returns OK and does nothing */

enum {
#define X(mode) MODE_##mode,
    MODES(X)
#undef X
        MODE_COUNT
};

static const char *const mode_names[MODE_COUNT] = {
#define X(mode) #mode,
    MODES(X)
#undef X
};

/* The real callback, context and places of a request. */
typedef struct veiled {
    wend_done_fn *on_done;
    void *context;
    wend_map *map;
    wend_cell start, goal;
} veiled;

/* A completion that is held back until it is wrong. */
typedef struct aging {
    veiled request;
    wend_completion completion;
    wend_cell *cells;
} aging;

enum { AGING_MAX = 64, HOARD_MAX = 256 };

enum { VICTIM = 20 }; /* the completion (or request) to falsify, in modes that need only one */

static struct {
    int mode;
    wend_service *service; /* the first; a second one is the checker's own, and honest */
    wend_allocator allocator;
    void *swelling;
    uint64_t submitted, completed;
    bool done;
    /* order: the completion held back */
    bool holding;
    veiled held;
    wend_completion held_completion;
    wend_cell *held_cells;
    wend_cell *cells; /* a falsified path */
    aging aged[AGING_MAX];
    int aged_count;
    wend_map *map; /* map of the requests */
    wend_search *hoard[HOARD_MAX];
    int hoarded;
} state = {.mode = -1};

static int mode(void) {
    const char *name = getenv("WEND_BROKEN");
    if (state.mode >= 0) return state.mode;
    for (int i = 0; i < MODE_COUNT; i++) {
        if (name != NULL && strcmp(name, mode_names[i]) == 0) return state.mode = i;
    }
    fprintf(stderr, "WEND_BROKEN names no mode; there are:");
    for (int i = 0; i < MODE_COUNT; i++) fprintf(stderr, " %s", mode_names[i]);
    fprintf(stderr, "\n");
    exit(99);
}

/* True once: for the first completion from VICTIM on for which `fits`. */
static bool strike(bool fits) {
    if (state.done || !fits || state.completed < VICTIM) return false;
    state.done = true;
    return true;
}

static wend_cell *copy_cells(const wend_completion *c, size_t extra) {
    wend_cell *cells = malloc((c->cell_count + extra + 1) * sizeof *cells);
    if (cells == NULL) abort();
    if (c->cell_count > 0) memcpy(cells, c->cells, c->cell_count * sizeof *cells);
    return cells;
}

static void replace_path(wend_completion *c, wend_cell *cells, size_t count) {
    free(state.cells);
    state.cells = cells;
    c->cells = cells, c->cell_count = count;
}

static int32_t toward(int32_t from, int32_t to) {
    return (to > from) - (to < from);
}

static wend_map_rules rules_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules;
}

static bool blocked(const wend_map *map, int32_t x, int32_t y) {
    uint8_t terrain = WEND_CLASS_BLOCKED;
    wend_map_get_terrain(map, (wend_cell){x, y, 0}, &terrain);
    return rules_of(map).factors[terrain] == 0;
}

/* As the crow flies, priced as if all were open; false where the crow meets no wall. */
static bool through_wall(const wend_map *map, wend_completion *c) {
    wend_cell at = c->cells[0], goal = c->cells[c->cell_count - 1];
    wend_cell *cells = copy_cells(c, 0); /* a straight way has no more cells than any */
    wend_map_rules rules = rules_of(map);
    size_t count = 1, walls = 0;
    int64_t cost = 0;
    while (at.x != goal.x || at.y != goal.y) {
        int32_t dx = toward(at.x, goal.x), dy = toward(at.y, goal.y);
        cost += dx != 0 && dy != 0 ? rules.cost_diagonal : rules.cost_straight;
        at = (wend_cell){at.x + dx, at.y + dy, 0};
        walls += blocked(map, at.x, at.y);
        cells[count++] = at;
    }
    if (walls == 0) {
        free(cells);
        return false;
    }
    replace_path(c, cells, count);
    c->cost = cost;
    return true;
}

/* Two straight steps round a blocked cell become one diagonal step; false where there are none. */
static bool cut_corner(const wend_map *map, wend_completion *c) {
    wend_map_rules rules = rules_of(map);
    for (size_t i = 1; i + 1 < c->cell_count; i++) {
        wend_cell a = c->cells[i - 1], b = c->cells[i], d = c->cells[i + 1];
        bool bends = abs(a.x - d.x) == 1 && abs(a.y - d.y) == 1 && (a.x == b.x) != (a.y == b.y);
        if (!bends || !blocked(map, a.x + d.x - b.x, a.y + d.y - b.y)) continue;
        wend_cell *cells = copy_cells(c, 0);
        memmove(cells + i, cells + i + 1, (c->cell_count - i - 1) * sizeof *cells);
        replace_path(c, cells, c->cell_count - 1);
        c->cost += rules.cost_diagonal - 2 * rules.cost_straight;
        return true;
    }
    return false;
}

/* Start, next, start, next, goal … : walkable, and rightly priced. */
static void add_detour(const wend_map *map, wend_completion *c) {
    wend_cell *cells = copy_cells(c, 2);
    memmove(cells + 2, cells, c->cell_count * sizeof *cells);
    cells[1] = c->cells[1];
    cells[0] = c->cells[0];
    size_t count = c->cell_count + 2;
    replace_path(c, cells, count);
    uint64_t cost = 0;
    wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, count, NULL, &cost);
    c->cost = (int64_t)cost;
}

static void drop_path(wend_completion *c, wend_status status) {
    c->status = status, c->cells = NULL, c->cell_count = 0;
    c->cost = -1;
}

/* The false paths. */
static void tamper_with_path(const wend_map *map, wend_completion *c) {
    bool found = c->status == WEND_STATUS_FOUND && c->cell_count >= 4;
    if (!found || state.completed < VICTIM) return;
    if (mode() == MODE_detour) add_detour(map, c); /* all of them: the sample is small */
    if (mode() == MODE_wall && !state.done) state.done = through_wall(map, c);
    if (mode() == MODE_corner && !state.done) state.done = cut_corner(map, c);
    if (mode() == MODE_jump && strike(true)) {
        wend_cell *cells = copy_cells(c, 0);
        cells[1] = cells[3];
        replace_path(c, cells, c->cell_count);
    }
    if (mode() == MODE_short_of_goal && strike(true)) {
        uint64_t cost = 0;
        c->cell_count--;
        wend_map_path_cost(map, WEND_MOVER_DEFAULT, c->cells, c->cell_count, NULL, &cost);
        c->cost = (int64_t)cost;
    }
    if (mode() == MODE_cost && strike(true)) c->cost++;
    if (mode() == MODE_no_path && strike(true)) drop_path(c, WEND_STATUS_NO_PATH);
    if (mode() == MODE_not_exact && strike(true)) c->exact = 0;
    if (mode() == MODE_gloomy && strike(true)) drop_path(c, WEND_STATUS_CANCELLED);
}

/* The first steps, honestly priced, as if the map had changed behind them. */
static void give_up(const wend_map *map, wend_completion *c) {
    uint64_t cost = 0;
    c->status = WEND_STATUS_STALE, c->cell_count = 2;
    wend_map_path_cost(map, WEND_MOVER_DEFAULT, c->cells, 2, NULL, &cost);
    c->cost = (int64_t)cost;
}

/* Extends the piece by a blocked cell next to its end; returns false if there is no such cell. */
static bool overrun(const wend_map *map, wend_completion *c) {
    wend_cell end = c->cells[c->cell_count - 1];
    for (int32_t i = 0; i < 4; i++) {
        wend_cell next = {end.x + (i == 0) - (i == 1), end.y + (i == 2) - (i == 3), 0};
        if (next.x < 0 || next.y < 0 || !blocked(map, next.x, next.y)) continue;
        wend_cell *cells = copy_cells(c, 1);
        cells[c->cell_count] = next;
        replace_path(c, cells, c->cell_count + 1);
        c->cost += rules_of(map).cost_straight;
        return true;
    }
    return false;
}

static void tamper_with_epochs(const wend_map *map, wend_completion *c) {
    bool found = c->status == WEND_STATUS_FOUND && c->cell_count >= 4;
    if (mode() == MODE_old_epoch && strike(c->checked > 2)) c->checked = --c->epoch;
    if (mode() == MODE_false_epoch && strike(c->epoch > 20 && c->frames < 10)) c->epoch -= 15;
    if (mode() == MODE_gives_up && strike(found)) give_up(map, c);
    if (mode() == MODE_overrun && c->status == WEND_STATUS_STALE && c->cell_count > 0 && !state.done)
        state.done = overrun(map, c);
}

static void tamper(const veiled *request, wend_completion *c) {
    tamper_with_epochs(request->map, c);
    tamper_with_path(request->map, c);
    if (mode() == MODE_ticket && strike(true)) c->ticket.generation++;
    if (mode() == MODE_number && strike(true)) c->number += 1000000;
    if (mode() == MODE_late && strike(c->frames > 1)) c->frames--;
    if (mode() == MODE_in_vain && strike(c->status == WEND_STATUS_NO_PATH && c->restarts == 0)) c->expansions++;
    if (mode() == MODE_again && strike(true)) c->restarts += 9;
    if (mode() == MODE_lag && strike(true)) c->wait_frames += 9;
    if (mode() == MODE_unbooked && strike(c->expansions > 0)) c->expansions = 0;
}

static void hand_over(const veiled *request, wend_completion *c) {
    c->context = request->context;
    request->on_done(request->context, c);
}

static void hold(const veiled *request, const wend_completion *c) {
    state.holding = true, state.held = *request, state.held_completion = *c;
    state.held_cells = copy_cells(c, 0);
    if (c->cells != NULL) state.held_completion.cells = state.held_cells;
}

static void release(void) {
    if (!state.holding) return;
    state.holding = false;
    hand_over(&state.held, &state.held_completion);
    free(state.held_cells);
}

/* ---- answers that grow old ---- */

static bool grows_old(const wend_completion *c) {
    bool path = c->status == WEND_STATUS_FOUND && c->cell_count >= 10;
    if (mode() == MODE_unchecked || mode() == MODE_old_cost) return path;
    return mode() == MODE_old_no_path && c->status == WEND_STATUS_NO_PATH;
}

static bool leads_somewhere(const aging *old) {
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    wend_request request;
    wend_request_init(&request, sizeof request);
    wend_search *search;
    if (wend_search_create(&def, &search) != WEND_OK) abort();
    request.map = old->request.map, request.start = old->request.start;
    request.goal = old->request.goal;
    bool found = wend_search_begin(search, &request) == WEND_OK &&
                 wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_FOUND;
    wend_search_destroy(search);
    return found;
}

static bool has_become_a_lie(const aging *old) {
    const wend_completion *c = &old->completion;
    if (mode() == MODE_old_no_path) return leads_somewhere(old);
    size_t walkable = 0;
    uint64_t cost = 0;
    wend_map_path_cost(old->request.map, WEND_MOVER_DEFAULT, old->cells, c->cell_count, &walkable, &cost);
    if (mode() == MODE_unchecked) return walkable < c->cell_count;
    return walkable == c->cell_count && cost != (uint64_t)c->cost;
}

static void keep_aging(const veiled *request, const wend_completion *c) {
    state.aged[state.aged_count++] = (aging){*request, *c, copy_cells(c, 0)};
}

/* Delivered as if it had been checked just now. */
static void hand_over_lies(void) {
    for (int i = 0; i < state.aged_count; i++) {
        aging *old = &state.aged[i];
        old->completion.frames++;
        if (!has_become_a_lie(old)) continue;
        wend_map_info info = {.struct_bytes = sizeof info};
        wend_map_get_info(old->request.map, &info);
        if (old->completion.cells != NULL) old->completion.cells = old->cells;
        old->completion.checked = info.epoch;
        hand_over(&old->request, &old->completion);
        free(old->cells);
        *old = state.aged[--state.aged_count];
        i--;
    }
}

/* Comes between the service and the program. */
static void pass_on(void *context, const wend_completion *completion) {
    veiled request = *(veiled *)context;
    wend_completion c = *completion;
    free(context);
    state.completed++;
    tamper(&request, &c);
    if (grows_old(&c) && state.aged_count < AGING_MAX) {
        keep_aging(&request, &c);
        return;
    }
    if (mode() == MODE_lost && strike(true)) return;
    if (mode() == MODE_stranger && strike(true)) request.context = &state;
    if (mode() == MODE_twice && strike(true)) hand_over(&request, &c);
    if (mode() == MODE_order && !state.holding && strike(true)) {
        hold(&request, &c);
        return;
    }
    hand_over(&request, &c);
    release();
}

wend_error __wrap_wend_service_create(const wend_service_def *def, wend_service **out) {
    if (state.service != NULL) return __real_wend_service_create(def, out);
    wend_service_def other = *def;
    wend_service_tuning tuning = *def->tuning;
    state.allocator = def->allocator;
    other.tuning = &tuning;
    if (mode() == MODE_starve) tuning.fair = 0;
    if (mode() == MODE_alone) other.share = 0;
    wend_error error = __real_wend_service_create(&other, out);
    if (error == WEND_OK) state.service = *out;
    return error;
}

wend_error __wrap_wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    if (service != state.service) return __real_wend_service_submit(service, request, out);
    if (mode() == MODE_busy && ++state.submitted == VICTIM) return WEND_BUSY;
    wend_request other = *request;
    veiled *veil = malloc(sizeof *veil);
    if (veil == NULL) abort();
    *veil = (veiled){request->on_done, request->context, request->map, request->start, request->goal};
    state.map = request->map;
    other.on_done = pass_on, other.context = veil;
    if (mode() == MODE_urgency) other.urgency = -request->urgency;
    if (mode() == MODE_stubborn) other.agent = WEND_NO_AGENT;
    wend_error error = __real_wend_service_submit(service, &other, out);
    if (error != WEND_OK) free(veil);
    return error;
}

wend_error __wrap_wend_service_cancel(wend_service *service, wend_ticket ticket) {
    return mode() == MODE_deaf ? WEND_OK : __real_wend_service_cancel(service, ticket);
}

wend_error __wrap_wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal) {
    if (mode() == MODE_rooted && strike(true)) return WEND_STALE_TICKET;
    return mode() == MODE_stay ? WEND_OK : __real_wend_service_set_goal(service, ticket, goal);
}

wend_error __wrap_wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame) {
    if (service != state.service) return __real_wend_service_tick(service, budget, frame);
    wend_budget other = *budget;
    if (mode() == MODE_overspend || mode() == MODE_overspend_hush) other.expansions *= 2;
    if (mode() == MODE_idle) other.expansions /= 2;
    wend_error error = __real_wend_service_tick(service, &other, frame);
    if (state.holding) state.done = false; /* no completion followed it: try again */
    release();
    hand_over_lies();
    if (mode() == MODE_overspend_hush && frame->expansions > budget->expansions) frame->expansions = budget->expansions;
    if (mode() == MODE_boast) frame->deliveries++;
    if (mode() == MODE_allocate) {
        void *block = state.allocator.alloc(state.allocator.context, 64, 8);
        if (block != NULL) state.allocator.free(state.allocator.context, block, 64);
    }
    if (mode() == MODE_swell && state.swelling == NULL && state.completed >= VICTIM)
        state.swelling = state.allocator.alloc(state.allocator.context, 64, 8);
    return error;
}

wend_error __wrap_wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain) {
    if (mode() == MODE_lost_edit && strike(true)) return WEND_OK;
    return __real_wend_edit_set_cell(edit, cell, terrain);
}

wend_error __wrap_wend_edit_add_link(wend_edit *edit, const wend_link *link) {
    if (mode() == MODE_lost_seam && link->cost == WEND_LINK_SEAM && state.service != NULL) return WEND_OK;
    return __real_wend_edit_add_link(edit, link);
}

/* A search that has begun holds the newest version. */
static void hoard(void) {
    if (state.map == NULL || state.hoarded == HOARD_MAX) return;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = state.map;
    if (wend_search_create(&def, &state.hoard[state.hoarded]) != WEND_OK) abort();
    wend_search_begin(state.hoard[state.hoarded++], &request);
}

wend_error __wrap_wend_edit_publish(wend_edit *edit, uint64_t *epoch) {
    wend_error error = __real_wend_edit_publish(edit, epoch);
    if (mode() == MODE_hoard) hoard();
    wend_edit *second;
    if (mode() == MODE_two_epochs && state.map != NULL && wend_edit_begin(state.map, &second) == WEND_OK)
        __real_wend_edit_publish(second, epoch);
    return error;
}

static void let_go(void) {
    wend_allocator plain = wend_allocator_default();
    plain.free(plain.context, state.swelling, 64);
    while (state.hoarded > 0) wend_search_destroy(state.hoard[--state.hoarded]);
    while (state.aged_count > 0) free(state.aged[--state.aged_count].cells);
}

int main(int argc, char **argv) {
    int status = cli_stress.run(argc, argv);
    let_go();
    return status;
}
