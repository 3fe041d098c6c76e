/* SPDX-License-Identifier: MIT */
/* Frames of a service against a plain model of its schedule: in each frame the same requests get the same expansions,
 * and end. The model has the cost of each search alone; docs/design/scheduling.md has its slices, lanes and turns.
 * No memory is short, no request is alike or changes, and no frame has a limit of time. */
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIDE = 48, JOBS = 40, FRAMES = 400, SEEDS = 150, MOST_LANES = 5 };

typedef struct job {
    wend_request request;
    wend_ticket ticket;
    uint64_t need, spent, submitted, first_frame, end_frame; ///< frames are 0 until they come
    bool ends_late;                                          ///< the last expansion does not end it
    bool came, postponed, ended, dealt;
} job;

typedef struct lane {
    job *list[JOBS];
    uint32_t count, reached;
    uint64_t grant, used;
    bool fair;
} lane;

typedef struct model {
    job jobs[JOBS]; ///< by submission number
    lane lanes[MOST_LANES];
    uint64_t frame, slice, quantum, usual, left, rounds, turn, lanes_dealt, list, mean_count, mean_spent;
    uint32_t dealt; ///< lanes of the round
    int64_t lack;   ///< deficit of the fair lanes
    bool open_ended;
} model;

static model m;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* ---- which requests a round gets ---- */

static bool is_before(const job *a, const job *b, bool by_age) {
    if (by_age) return a < b;
    if (a->request.urgency != b->request.urgency) return a->request.urgency > b->request.urgency;
    return a->postponed != b->postponed ? b->postponed : a < b;
}

/* Returns the first request that waits and is in no lane of this round; NULL: none. */
static job *first_waiting(bool by_age) {
    job *first = NULL;
    for (job *j = m.jobs; j < m.jobs + JOBS; j++)
        if (j->came && !j->ended && !j->dealt && (!first || is_before(j, first, by_age))) first = j;
    return first;
}

static bool does_rush(const job *j) {
    return tuning.rush > 0 && j && j->request.urgency >= (int32_t)tuning.rush;
}

/* Returns whether a lane is fair: one in `fair` lanes; after a deficit, only each round's first one. */
static bool model_is_fair(bool lacking) {
    if (tuning.fair == 0) return false;
    if (lacking && m.dealt == 0) return true;
    if (lacking && tuning.lanes <= tuning.fair) return false;
    return (m.lanes_dealt + 1) % tuning.fair == 0;
}

static void deal_round(void) {
    const bool lacking = tuning.fair > 0 && m.lack > 2 * (int64_t)m.turn;
    bool rushed = false;
    m.dealt = 0;
    for (job *j = m.jobs; j < m.jobs + JOBS; j++) j->dealt = false;
    while (m.dealt < least(tuning.lanes, m.left)) {
        const bool fair = model_is_fair(lacking);
        job *head = first_waiting(fair);
        if (!head || (rushed && !fair && !does_rush(head))) break;
        rushed |= does_rush(head);
        head->dealt = true;
        m.lanes[m.dealt++] = (lane){.list = {head}, .count = 1, .fair = fair};
        m.lanes_dealt++;
    }
    for (int fair = 0; fair < 2; fair++) /* then more requests for each lane in turn, fair lanes last */
        for (uint64_t place = 1; place < m.list; place++)
            for (lane *l = m.lanes; l < m.lanes + m.dealt; l++) {
                job *next = l->fair == fair ? first_waiting(fair) : NULL;
                if (!next) continue;
                next->dealt = true;
                l->list[l->count++] = next;
            }
    for (uint32_t i = 0; i < m.dealt; i++) m.lanes[i].grant = least(m.slice, m.left / m.dealt + (i < m.left % m.dealt));
}

/* ---- a round ---- */

static bool is_over(const job *j, uint64_t grant_left) {
    return j->spent == j->need && (!j->ends_late || grant_left > 0);
}

static void run_lane(lane *l, uint64_t *count, uint64_t *spent) {
    while (l->used < l->grant && l->reached < l->count) {
        job *j = l->list[l->reached++];
        const uint64_t before = l->grant - l->used, used = least(before, j->need - j->spent);
        j->spent += used, l->used += used;
        if (!is_over(j, before - used)) continue;
        j->ended = true, j->end_frame = m.frame;
        ++*count, *spent += j->spent;
    }
}

/* A search goes behind its peers after a quantum and four times the mean, or one quantum if the mean is four. */
static void model_postpone(job *j) {
    const uint64_t mean = m.mean_count > 0 ? m.mean_spent / m.mean_count : 0;
    if (j->spent >= m.quantum && (j->spent / 4 >= mean || mean / 4 >= m.quantum)) j->postponed = true;
}

static void end_model_round(void) {
    uint64_t ended = 0, turns = 8 * m.turn;
    for (lane *l = m.lanes; l < m.lanes + m.dealt; l++) {
        uint64_t count = 0, spent = 0;
        run_lane(l, &count, &spent);
        ended += count, m.left -= l->used;
        m.mean_count += count, m.mean_spent += spent;
        for (; m.mean_count >= 64; m.mean_count /= 2) m.mean_spent /= 2;
        m.lack += l->fair ? -(int64_t)(l->used * (tuning.fair - 1)) : (int64_t)l->used;
    }
    m.lack = m.lack > (int64_t)turns ? (int64_t)turns : m.lack < -(int64_t)turns ? -(int64_t)turns : m.lack;
    for (uint32_t i = 0; i < m.dealt; i++)
        for (uint32_t k = 0; k < m.lanes[i].count; k++) {
            job *j = m.lanes[i].list[k];
            if (k < m.lanes[i].reached && j->spent > 0 && j->first_frame == 0) j->first_frame = m.frame;
            if (!j->ended) model_postpone(j);
        }
    m.list = least(1 + 2 * ended / tuning.lanes, tuning.list);
}

/* ---- a frame ---- */

static void begin_model_frame(const wend_budget *budget) {
    const uint64_t share = budget->expansions / tuning.lanes, sixteenth = share / 16;
    m.frame++, m.rounds = 0, m.left = budget->expansions;
    m.open_ended = read_limits(budget).rounds != WEND_NO_LIMIT;
    m.slice = m.open_ended ? tuning.slice : most(tuning.slice, least(sixteenth, 8 * tuning.slice));
    const uint64_t expected = m.open_ended && m.usual > 0 ? least(m.usual, budget->expansions) : budget->expansions;
    const uint64_t part = expected / tuning.lanes;
    m.quantum = least(most(part / 4, least(most(part / 2, 16), 128)), 32768);
    if (tuning.quantum > 0)
        m.quantum = tuning.quantum;
    else
        m.slice = least(m.slice, m.quantum);
    m.turn = least(share, m.slice) * (tuning.fair > 0 ? tuning.fair - 1 : 0);
}

/* In a frame with a limit of rounds, slices get shorter near the usual expansions of a frame. */
static void begin_model_round(uint64_t expansions) {
    if (tuning.quantum > 0 || m.usual == 0 || !m.open_ended) return;
    const uint64_t spent = expansions - m.left, whole = least(tuning.slice, m.quantum);
    const uint64_t part = m.usual > spent ? (m.usual - spent) / tuning.lanes / 2 : 0;
    m.slice = least(most(part, least(whole, 32)), whole);
}

static void model_frame(const wend_budget *budget) {
    begin_model_frame(budget);
    while (m.left > 0 && m.rounds < read_limits(budget).rounds) {
        begin_model_round(budget->expansions);
        deal_round();
        if (m.dealt == 0) break;
        end_model_round();
        m.rounds++;
    }
    for (job *j = m.jobs; j < m.jobs + JOBS; j++) j->dealt = false;
    const uint64_t spent = budget->expansions - m.left;
    if (m.rounds == 0) return;
    if (m.usual == 0)
        m.usual = spent;
    else if (first_waiting(true) && spent > 0)
        m.usual = m.usual - m.usual / 8 + spent / 8;
    else
        m.usual = most(m.usual, spent);
}

/* ---- the service next to it ---- */

static wend_service_def model_def(uint64_t *seed) {
    static const uint64_t slices[] = {20, 100, 1000}, quanta[] = {0, 0, 50, 400};
    static const uint32_t fairs[] = {0, 2, 3, 8}, lists[] = {1, 3, 16}, rushes[] = {0, 0, 2};
    wend_service_def def = small_def();
    tuning.lanes = 1 + draw(seed, MOST_LANES), tuning.searches = 64;
    tuning.slice = slices[draw(seed, 3)], tuning.quantum = quanta[draw(seed, 4)];
    tuning.fair = fairs[draw(seed, 4)], tuning.list = lists[draw(seed, 3)], tuning.rush = rushes[draw(seed, 3)];
    def.nodes = 1024 * WEND_PAGE_NODES, def.path_bytes = 1 << 20;
    return def;
}

/* Measures the expansions of each request alone. */
static void measure_jobs(wend_map *map, uint64_t *seed) {
    wend_service_def def = small_def();
    tuning.slice = tuning.quantum = WEND_NO_LIMIT;
    OWNED_SERVICE *alone = service_of(&def);
    for (job *j = m.jobs; j < m.jobs + JOBS;) {
        const wend_cell from = at((int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE));
        const int32_t far = draw(seed, 3) ? 6 : SIDE; /* more are short */
        const wend_cell to = at((from.x + (int32_t)draw(seed, (uint32_t)far)) % SIDE, (int32_t)draw(seed, SIDE));
        *j = (job){.request = request_on(alone, map, from, to)};
        j->request.urgency = (int32_t)draw(seed, 6) - 2;
        submit(alone, &j->request);
        frame_of(alone, WEND_NO_LIMIT);
        j->need = seen_log[seen_count - 1].completion.expansions;
        if (j->need == 0) continue;
        submit(alone, &j->request);
        const size_t before = seen_count;
        frame_of(alone, j->need);
        j->ends_late = seen_count == before;
        frame_of(alone, WEND_NO_LIMIT);
        j++;
    }
    seen_clear();
}

static void expect_same(wend_service *service, const wend_frame *frame, const wend_budget *budget, uint64_t seed) {
    cr_assert_eq(frame->expansions, budget->expansions - m.left, "seed %zu, frame %zu: %zu expansions, not %zu",
                 (size_t)seed, (size_t)m.frame, (size_t)frame->expansions, (size_t)(budget->expansions - m.left));
    cr_assert_eq(frame->rounds, m.rounds, "seed %zu, frame %zu: %zu rounds, not %zu", (size_t)seed, (size_t)m.frame,
                 (size_t)frame->rounds, (size_t)m.rounds);
    for (size_t i = 0; i < JOBS; i++) {
        const job *j = &m.jobs[i];
        if (!j->came) continue;
        const seen *done = seen_number(i);
        cr_assert_eq(done ? done->frame : 0, j->end_frame, "seed %zu, request %zu", (size_t)seed, i);
        if (!done)
            cr_assert_eq(entry_of(service, j->ticket)->spent, j->spent, "seed %zu, frame %zu, request %zu",
                         (size_t)seed, (size_t)m.frame, i);
    }
}

static void compare_frames(uint64_t seed) {
    uint64_t chance = seed;
    memset(&m, 0, sizeof m);
    wend_map *map = rough_map(SIDE, SIDE, 25, seed);
    measure_jobs(map, &chance);
    const wend_service_def def = model_def(&chance);
    wend_service *service = service_of(&def);
    const uint32_t largest = draw(&chance, 2) ? 400 : 20000;
    uint32_t came = 0;
    m.list = service->list_length;
    for (int frame = 0; frame < FRAMES && (came < JOBS || wend_service_get_pending(service) > 0); frame++) {
        for (uint32_t k = draw(&chance, 6); k > 0 && came < JOBS; k--, came++) {
            job *j = &m.jobs[came];
            j->request.context = service, j->came = true, j->submitted = m.frame;
            j->ticket = submit(service, &j->request);
        }
        wend_budget budget = budget_of(draw(&chance, largest));
        if (draw(&chance, 4) == 0) limits_of(&budget)->rounds = 1 + draw(&chance, 4);
        model_frame(&budget);
        const wend_frame got = frame_with(service, &budget);
        expect_same(service, &got, &budget, seed);
    }
    cr_assert_eq(seen_count, JOBS, "seed %zu: all end", (size_t)seed);
    for (size_t i = 0; i < JOBS; i++)
        cr_assert_eq(seen_number(i)->completion.wait_frames, m.jobs[i].first_frame - m.jobs[i].submitted,
                     "seed %zu, request %zu", (size_t)seed, i);
    end_service(service, map, NULL);
}

Test(schedule_model, frames_give_each_request_what_the_model_does) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) compare_frames(seed);
}
