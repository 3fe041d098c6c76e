/* SPDX-License-Identifier: MIT */
/* Watches a service from outside. It keeps its own table of what is pending and its own sums, and believes nothing. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "checker.h"
#include "cli.h"
#include "dijkstra.h"

enum { URGENCIES = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1 };

/* What the checker knows of an agent's request. Frames count from 1; 0: none. */
typedef struct wish {
    wend_cell start, goal;
    wend_ticket ticket;
    uint64_t index;      /* how many were accepted before it */
    uint64_t asked;      /* the first frame that can take it in */
    uint64_t must_begin; /* by that frame its wait is over */
    uint64_t cancelled;  /* the frame that must deliver it as cancelled */
    uint64_t epoch;      /* when it was submitted */
    int32_t urgency;
    bool takes_what_is_left;
    bool pending;
} wish;

struct checker {
    checker_def def;
    uint64_t checked[CHECKER_PROMISE_COUNT], broken[CHECKER_PROMISE_COUNT];
    wish *wishes;
    uint64_t accepted, pending;
    uint64_t frame;                           /* the one that comes next or runs */
    uint64_t frames_spent, completions_spent; /* expansions: as frames and as completions tell it */
    uint64_t first_number;
    bool number_known;

    /* of this frame */
    uint64_t submitted_now, completed_now, late_now, last_number, statuses_now[16];
    bool clogged; /* finished requests were left over: delivery is late, for lack of room */

    /* For each urgency, how many are pending and the exclusive or of their agents: of one alone that is its name. */
    uint32_t at_urgency[URGENCIES], agents_at_urgency[URGENCIES];
    int32_t top;
    bool top_is_alone;

    dijkstra *oracle;
    uint64_t found, next_sample;
    ground_parts parts; /* of the ground of some epoch, once the map has changed */
    uint64_t flooded;

    /* what the map's changes led to */
    uint64_t late, restarts, restarts_told;
};

/* ---- counting ---- */

const char *checker_name(int promise) {
    static const char *const names[] = {
#define CHECKER_X(name, text) #name,
        CHECKER_PROMISES(CHECKER_X)
#undef CHECKER_X
    };
    return names[promise];
}

const char *checker_text(int promise) {
    static const char *const texts[] = {
#define CHECKER_X(name, text) text,
        CHECKER_PROMISES(CHECKER_X)
#undef CHECKER_X
    };
    return texts[promise];
}

static void tell(const checker *watch, int promise, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void tell(const checker *watch, int promise, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cli_progress_end();
    fprintf(stderr, "wend: promise broken: %s (%s): frame %" PRIu64 ": ", checker_name(promise), checker_text(promise),
            watch->frame);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* Only the first break of each promise is told; all are counted. */
#define EXPECT(watch, promise, condition, ...)                                                                         \
    do {                                                                                                               \
        (watch)->checked[promise]++;                                                                                   \
        if (!(condition) && (watch)->broken[promise]++ == 0) tell(watch, promise, __VA_ARGS__);                        \
    } while (0)

uint64_t checker_checked(const checker *watch, int promise) {
    return watch->checked[promise];
}

uint64_t checker_broken(const checker *watch, int promise) {
    return watch->broken[promise];
}

static uint64_t sum(const uint64_t *counts) {
    uint64_t total = 0;
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++) total += counts[i];
    return total;
}

uint64_t checker_checked_total(const checker *watch) {
    return sum(watch->checked);
}

uint64_t checker_broken_total(const checker *watch) {
    return sum(watch->broken);
}

uint64_t checker_pending(const checker *watch) {
    return watch->pending;
}

uint64_t checker_late(const checker *watch) {
    return watch->late;
}

/* ---- life ---- */

checker *checker_create(const checker_def *def) {
    checker *watch = calloc(1, sizeof *watch);
    if (watch == NULL) return NULL;
    watch->def = *def;
    watch->frame = 1;
    watch->next_sample = 1;
    watch->wishes = calloc(def->agents, sizeof *watch->wishes);
    watch->oracle = dijkstra_create(def->land);
    if (watch->wishes != NULL && watch->oracle != NULL) return watch;
    checker_free(watch);
    return NULL;
}

void checker_free(checker *watch) {
    if (watch == NULL) return;
    dijkstra_free(watch->oracle);
    ground_free_parts(&watch->parts);
    free(watch->wishes);
    free(watch);
}

/* ---- asking ---- */

void checker_submitted(checker *watch, uint32_t agent, const wend_request *request, int32_t error, wend_ticket ticket) {
    EXPECT(watch, CHECKER_accepting, error == WEND_OK || (error == WEND_BUSY && watch->pending >= watch->def.queue),
           "submit said %s with %" PRIu64 " pending and a queue of %" PRIu32, wend_error_name(error), watch->pending,
           watch->def.queue);
    if (error != WEND_OK) return;
    int32_t urgency = request->urgency - WEND_URGENCY_MIN;
    watch->wishes[agent] = (wish){.start = request->start,
                                  .goal = request->goal,
                                  .ticket = ticket,
                                  .index = watch->accepted++,
                                  .asked = watch->frame,
                                  .epoch = watch->def.land->epoch,
                                  .urgency = urgency,
                                  .takes_what_is_left = request->on_stale == WEND_ON_STALE_DELIVER,
                                  .pending = true};
    watch->pending++;
    watch->submitted_now++;
    watch->at_urgency[urgency]++;
    watch->agents_at_urgency[urgency] ^= agent;
    if (urgency > watch->top) watch->top = urgency;
}

void checker_cancelled(checker *watch, uint32_t agent, int32_t error) {
    EXPECT(watch, CHECKER_cancelling, error == WEND_OK, "cancelling agent %" PRIu32 "'s pending request gave %s", agent,
           wend_error_name(error));
    if (error == WEND_OK && watch->wishes[agent].cancelled == 0) watch->wishes[agent].cancelled = watch->frame;
}

static void forget(checker *watch, uint32_t agent) {
    wish *known = &watch->wishes[agent];
    known->pending = false;
    watch->pending--;
    watch->at_urgency[known->urgency]--;
    watch->agents_at_urgency[known->urgency] ^= agent;
}

/* ---- edits ---- */

void checker_edited(checker *watch, uint64_t before) {
    uint64_t epoch = watch->def.land->epoch;
    EXPECT(watch, CHECKER_editing, epoch == before + 1, "epoch %" PRIu64 " after epoch %" PRIu64, epoch, before);
}

void checker_compared(checker *watch, uint64_t differing) {
    EXPECT(watch, CHECKER_editing, differing == 0, "%" PRIu64 " cells are not what the edits made of them", differing);
}

/* ---- frames ---- */

void checker_frame_begins(checker *watch) {
    while (watch->top > 0 && watch->at_urgency[watch->top] == 0) watch->top--;
    watch->top_is_alone = watch->at_urgency[watch->top] == 1;
    watch->completed_now = watch->late_now = 0;
    watch->last_number = 0;
    for (int i = 0; i < 16; i++) watch->statuses_now[i] = 0;
}

/* A request that alone has the highest urgency of all pending ones is first in the order, so it is dealt a lane in a
   frame's first round, or in the second where a single lane was the fair one. Pages may take a round more. Where a frame
   has room for three rounds, it must have begun by its end. (Among several of one urgency the order hangs on quanta,
   which cannot be seen from outside. In a pool that one search can fill, the oldest may hold it all, and keeps it.) */
static void mark_the_most_urgent(checker *watch, const wend_frame *frame) {
    uint64_t three_rounds = 3 * watch->def.lanes * watch->def.slice;
    bool room = watch->def.budget == WEND_NO_LIMIT ? frame->rounds >= 3 : watch->def.budget >= three_rounds;
    if (!watch->top_is_alone || !room || !watch->def.nodes_suffice) return;
    wish *first = &watch->wishes[watch->agents_at_urgency[watch->top]];
    if (first->must_begin == 0) first->must_begin = watch->frame;
}

void checker_frame_ran(checker *watch, const wend_frame *frame) {
    mark_the_most_urgent(watch, frame);
    watch->clogged = watch->clogged || frame->finished > 0;
    watch->frames_spent += frame->expansions;
    watch->restarts += frame->outdated + frame->evictions;
    EXPECT(watch, CHECKER_budget, frame->expansions <= watch->def.budget,
           "%" PRIu64 " expansions of a budget of %" PRIu64, frame->expansions, watch->def.budget);
}

/* What was found outdated at delivery is left too, and could not be searched any more in this frame. */
static void check_spending(checker *watch, const wend_frame *frame) {
    uint64_t left = frame->waiting + frame->running; /* believed here: check_figures() compares it */
    if (watch->def.budget == WEND_NO_LIMIT || left <= frame->outdated || frame->finished > 0) return;
    EXPECT(watch, CHECKER_spending, frame->expansions + watch->def.lanes >= watch->def.budget,
           "%" PRIu64 " expansions of a budget of %" PRIu64 " with %" PRIu64 " requests left", frame->expansions,
           watch->def.budget, left);
}

static void check_figures(checker *watch, const wend_frame *frame) {
    EXPECT(watch, CHECKER_figures, frame->frame == watch->frame, "it is called number %" PRIu64, frame->frame);
    EXPECT(watch, CHECKER_figures, frame->submitted == watch->submitted_now,
           "%" PRIu64 " submitted since the last one, it says %" PRIu64, watch->submitted_now, frame->submitted);
    EXPECT(watch, CHECKER_figures, frame->deliveries == watch->completed_now,
           "%" PRIu64 " completions came, it says %" PRIu64, watch->completed_now, frame->deliveries);
    uint64_t left = frame->waiting + frame->running + frame->finished;
    EXPECT(watch, CHECKER_figures, left == watch->pending, "%" PRIu64 " requests are left, it says %" PRIu64,
           watch->pending, left);
    int differs = 0;
    for (int i = 0; i < 16; i++) differs += frame->statuses[i] != watch->statuses_now[i];
    EXPECT(watch, CHECKER_figures, differs == 0, "%d of its counts by status are not what came", differs);
    EXPECT(watch, CHECKER_figures, frame->checks >= watch->late_now,
           "%" PRIu64 " answers came from older maps, it says %" PRIu64 " were checked", watch->late_now,
           frame->checks);
}

static void check_accounts(checker *watch) {
    EXPECT(watch, CHECKER_accounts, watch->completions_spent <= watch->frames_spent,
           "the frames so far spent %" PRIu64 " expansions, the completed requests alone %" PRIu64, watch->frames_spent,
           watch->completions_spent);
    EXPECT(watch, CHECKER_accounts, watch->restarts_told <= watch->restarts,
           "searches were started again %" PRIu64 " times, the completed requests alone say %" PRIu64, watch->restarts,
           watch->restarts_told);
}

/* Each version that lives may differ from the others in all its cells, and while a batch is published there is one
   more. Without edits nothing may change at all. */
static void check_memory(checker *watch, const wend_map_info *map, uint32_t versions) {
    if (!watch->def.edits) {
        EXPECT(watch, CHECKER_memory, map->bytes == watch->def.map_bytes,
               "the map holds %" PRIu64 " bytes, not %" PRIu64, map->bytes, watch->def.map_bytes);
        return;
    }
    uint64_t most = versions * watch->def.version_bytes, peak = (watch->def.versions + 1) * watch->def.version_bytes;
    EXPECT(watch, CHECKER_memory, map->bytes <= most,
           "the map holds %" PRIu64 " bytes, which is more than %" PRIu32 " versions", map->bytes, versions);
    EXPECT(watch, CHECKER_memory, map->bytes_peak <= peak,
           "the map held %" PRIu64 " bytes, which is more than %" PRIu32 " versions", map->bytes_peak,
           watch->def.versions + 1);
}

void checker_frame_ends(checker *watch, const wend_frame *frame, uint64_t allocations, const wend_map_info *map) {
    check_spending(watch, frame);
    check_figures(watch, frame);
    check_accounts(watch);
    EXPECT(watch, CHECKER_memory, allocations == 0, "%" PRIu64 " allocations since creation", allocations);
    check_memory(watch, map, watch->def.versions);
    watch->submitted_now = 0;
    watch->clogged = frame->finished > 0;
    watch->frame++;
}

void checker_finish(checker *watch, uint64_t service_pending, const wend_map_info *map) {
    EXPECT(watch, CHECKER_one_completion, watch->pending == 0, "%" PRIu64 " accepted requests were never completed",
           watch->pending);
    EXPECT(watch, CHECKER_figures, service_pending == watch->pending,
           "%" PRIu64 " requests are pending, the service says %" PRIu64, watch->pending, service_pending);
    EXPECT(watch, CHECKER_accounts, watch->completions_spent == watch->frames_spent,
           "all frames spent %" PRIu64 " expansions, all requests %" PRIu64, watch->frames_spent,
           watch->completions_spent);
    if (watch->pending == 0) check_memory(watch, map, 1); /* nobody holds any other than the newest */
}

/* ---- completions ---- */

/* Submission numbers go up by one for each accepted request; whether from 0 or 1 is the service's choice. */
static void check_number(checker *watch, const wish *known, const wend_completion *completion) {
    uint64_t first = completion->number - known->index;
    if (!watch->number_known) {
        watch->number_known = first <= 1;
        watch->first_number = first;
    }
    EXPECT(watch, CHECKER_one_completion, watch->number_known && first == watch->first_number,
           "submission number %" PRIu64 " for the request accepted as number %" PRIu64, completion->number,
           known->index + 1);
}

static wish *check_identity(checker *watch, uint32_t agent, const wend_completion *completion) {
    bool known = agent < watch->def.agents;
    EXPECT(watch, CHECKER_one_completion, known, "a completion with a context that no request carried");
    if (!known) return NULL;
    wish *expected = &watch->wishes[agent];
    EXPECT(watch, CHECKER_one_completion, expected->pending,
           "a completion (number %" PRIu64 ") for agent %" PRIu32 ", which waits for none", completion->number, agent);
    if (!expected->pending) return NULL;
    EXPECT(watch, CHECKER_one_completion,
           completion->ticket.index == expected->ticket.index &&
               completion->ticket.generation == expected->ticket.generation,
           "agent %" PRIu32 " has ticket %" PRIu32 ":%" PRIu32 ", its completion %" PRIu32 ":%" PRIu32, agent,
           expected->ticket.index, expected->ticket.generation, completion->ticket.index,
           completion->ticket.generation);
    check_number(watch, expected, completion);
    return expected;
}

static void check_order(checker *watch, const wend_completion *completion) {
    EXPECT(watch, CHECKER_order, watch->completed_now == 0 || completion->number > watch->last_number,
           "number %" PRIu64 " after number %" PRIu64, completion->number, watch->last_number);
    watch->last_number = completion->number;
}

static void check_timing(checker *watch, const wish *known, const wend_completion *completion) {
    uint64_t frames = watch->frame - known->asked + 1, wait = completion->wait_frames;
    EXPECT(watch, CHECKER_timing, completion->frames == frames,
           "number %" PRIu64 " took %" PRIu64 " frames, it says %" PRIu64, completion->number, frames,
           completion->frames);
    EXPECT(watch, CHECKER_timing, wait >= 1 && wait <= frames,
           "number %" PRIu64 " waited %" PRIu64 " of %" PRIu64 " frames", completion->number, wait, frames);
    if (known->must_begin == 0) return;
    uint64_t began = known->asked + wait - 1;
    EXPECT(watch, CHECKER_urgency, began <= known->must_begin,
           "number %" PRIu64 " (urgency %d) was the most urgent in frame %" PRIu64 ", but began in frame %" PRIu64,
           completion->number, (int)(known->urgency + WEND_URGENCY_MIN), known->must_begin, began);
}

static void check_cancelling(checker *watch, const wish *known, const wend_completion *completion) {
    bool cancelled = completion->status == WEND_STATUS_CANCELLED;
    EXPECT(watch, CHECKER_cancelling, cancelled == (known->cancelled != 0), "number %" PRIu64 " was %s, but ends as %s",
           completion->number, known->cancelled != 0 ? "cancelled" : "not cancelled",
           wend_status_name(completion->status));
    if (known->cancelled == 0 || watch->clogged) return;
    EXPECT(watch, CHECKER_cancelling, watch->frame == known->cancelled,
           "number %" PRIu64 " was cancelled before frame %" PRIu64, completion->number, known->cancelled);
}

/* An answer that was ready in an earlier frame and needed no search is not checked again. */
static void check_versions(checker *watch, const wish *known, const wend_completion *completion) {
    uint64_t searched = completion->epoch, checked = completion->checked, today = watch->def.land->epoch;
    EXPECT(watch, CHECKER_versions, known->epoch <= searched && searched <= checked,
           "number %" PRIu64 " was submitted at epoch %" PRIu64 ", searched at %" PRIu64 ", checked at %" PRIu64,
           completion->number, known->epoch, searched, checked);
    bool kept = watch->clogged && checked == searched && completion->expansions == 0 && checked < today;
    EXPECT(watch, CHECKER_versions, checked == today || kept,
           "number %" PRIu64 " (%s) was checked at epoch %" PRIu64 ", the map is at %" PRIu64, completion->number,
           wend_status_name(completion->status), checked, today);
    watch->restarts_told += completion->restarts > 0 ? (uint64_t)completion->restarts : 0;
    if (searched == checked) return;
    /* Others, such as cancelled ones, have no answer that the map could change. */
    bool path = completion->cell_count > 0, stale = completion->status == WEND_STATUS_STALE;
    watch->late_now += path;
    watch->late += path || stale;
}

/* Are the cells of a request open, on the map of some epoch? True where that is too long ago to tell. */
static bool were(checker *watch, const wish *known, uint64_t epoch, bool start_open, bool goal_open) {
    ground *land = watch->def.land;
    if (!ground_go_to(land, epoch)) return true;
    bool start = ground_factor(land, known->start.x, known->start.y) != 0;
    bool goal = ground_factor(land, known->goal.x, known->goal.y) != 0;
    ground_go_to(land, land->epoch);
    return start == start_open && goal == goal_open;
}

/* Which endings the terrain leaves. A blocked end is known before any search, the first or one that began anew. */
static bool plausible(checker *watch, const wish *known, const wend_completion *completion) {
    bool unsearched = completion->expansions == 0 || completion->restarts > 0;
    uint64_t epoch = completion->epoch, checked = completion->checked;
    switch (completion->status) {
    case WEND_STATUS_FOUND: return completion->exact == 1;
    case WEND_STATUS_NO_PATH: return true; /* see check_no_way() */
    case WEND_STATUS_STALE: return true;   /* see check_piece() */
    case WEND_STATUS_START_BLOCKED:
        return were(watch, known, checked, false, true) || were(watch, known, checked, false, false);
    case WEND_STATUS_GOAL_BLOCKED: return unsearched && were(watch, known, epoch, true, false);
    case WEND_STATUS_CANCELLED: return true; /* see check_cancelling() */
    case WEND_STATUS_OUT_OF_NODES: return !watch->def.nodes_suffice && were(watch, known, epoch, true, true);
    case WEND_STATUS_TOO_LONG: return completion->cell_count == watch->def.max_path_cells;
    default: return false; /* nobody here asks for anything that could end so */
    }
}

/* The parts of the ground as it is now; NULL where that would be more work than is meant for it. */
static const ground_parts *parts_today(checker *watch) {
    const ground *land = watch->def.land;
    if (land->home.epoch == land->epoch) return &land->home;
    if (watch->parts.labels != NULL && watch->parts.epoch == land->epoch) return &watch->parts;
    if (watch->flooded >= watch->def.flood_work) return NULL;
    watch->flooded += land->cells;
    if (ground_find_parts(land, &watch->parts)) return &watch->parts;
    ground_free_parts(&watch->parts);
    return NULL;
}

static void check_no_way(checker *watch, const wish *known, const wend_completion *completion) {
    if (completion->status != WEND_STATUS_NO_PATH) return;
    const ground_parts *parts = parts_today(watch);
    if (parts == NULL) return;
    uint32_t start = parts->labels[ground_index(watch->def.land, known->start)];
    uint32_t goal = parts->labels[ground_index(watch->def.land, known->goal)];
    EXPECT(watch, CHECKER_no_way, start != 0 && goal != 0 && start != goal,
           "number %" PRIu64 " from (%d,%d) to (%d,%d) says that there is no path: %s", completion->number,
           known->start.x, known->start.y, known->goal.x, known->goal.y,
           start == 0 || goal == 0 ? "an end is blocked" : "there is one");
}

static bool same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_piece(checker *watch, const wish *known, const wend_completion *completion) {
    if (completion->status != WEND_STATUS_STALE) return;
    EXPECT(watch, CHECKER_pieces, completion->epoch < completion->checked,
           "number %" PRIu64 " was searched on the map that it was checked on", completion->number);
    bool used_up = completion->restarts >= 0 && (uint32_t)completion->restarts >= watch->def.restarts;
    EXPECT(watch, CHECKER_pieces, used_up || known->takes_what_is_left,
           "number %" PRIu64 " was started again %" PRId32 " times of %" PRIu32, completion->number,
           completion->restarts, watch->def.restarts);
    bool whole = completion->cells != NULL && completion->cell_count > 0 &&
                 same_cell(completion->cells[completion->cell_count - 1], known->goal);
    EXPECT(watch, CHECKER_pieces, !whole, "number %" PRIu64 " leads to its goal", completion->number);
}

static void check_no_cells(checker *watch, const wend_completion *completion) {
    EXPECT(watch, CHECKER_walkable, completion->cell_count == 0, "number %" PRIu64 " (%s) comes with %zu cells",
           completion->number, wend_status_name(completion->status), completion->cell_count);
    EXPECT(watch, CHECKER_cost, completion->cost == -1, "number %" PRIu64 " (%s) has a cost of %" PRId64,
           completion->number, wend_status_name(completion->status), completion->cost);
}

static void check_path(checker *watch, const wish *known, const wend_completion *completion) {
    size_t count = completion->cells != NULL ? completion->cell_count : 0;
    bool whole = completion->status == WEND_STATUS_FOUND, stale = completion->status == WEND_STATUS_STALE;
    bool piece = completion->status == WEND_STATUS_TOO_LONG || (stale && completion->cell_count > 0);
    if (!whole && !piece) {
        check_no_cells(watch, completion);
        return;
    }
    uint64_t cost;
    size_t walked = ground_walk(watch->def.land, completion->cells, count, &cost);
    EXPECT(watch, CHECKER_walkable, count > 0 && walked == count,
           "number %" PRIu64 " (%s): cell %zu of %zu cannot be entered from the one before", completion->number,
           wend_status_name(completion->status), walked + 1, completion->cell_count);
    if (count == 0) return;
    EXPECT(watch, CHECKER_walkable,
           same_cell(completion->cells[0], known->start) &&
               (piece || same_cell(completion->cells[count - 1], known->goal)),
           "number %" PRIu64 " does not lead from (%d,%d) to (%d,%d)", completion->number, known->start.x,
           known->start.y, known->goal.x, known->goal.y);
    EXPECT(watch, CHECKER_cost, walked < count || completion->cost == (int64_t)cost,
           "number %" PRIu64 " costs %" PRIu64 ", it says %" PRId64, completion->number, cost, completion->cost);
}

/* On the map that was searched: there the path was the best. What it cost there is worked out here. */
static void check_optimum_there(checker *watch, const wish *known, const wend_completion *completion) {
    const ground *land = watch->def.land;
    uint64_t cost;
    size_t count = completion->cells != NULL ? completion->cell_count : 0;
    size_t walked = ground_walk(land, completion->cells, count, &cost);
    int64_t best = dijkstra_cost(watch->oracle, known->start, known->goal);
    if (best == -2) return;
    EXPECT(watch, CHECKER_optimum, walked == count && (int64_t)cost == best,
           "number %" PRIu64 " from (%d,%d) to (%d,%d) costs %" PRIu64 " at epoch %" PRIu64 ", Dijkstra finds %" PRId64,
           completion->number, known->start.x, known->start.y, known->goal.x, known->goal.y, cost, completion->epoch,
           best);
}

/* The sample is taken at growing distances, so that early and late paths are in it and its cost stays bounded. */
static void check_optimum(checker *watch, const wish *known, const wend_completion *completion) {
    if (completion->status != WEND_STATUS_FOUND || ++watch->found < watch->next_sample) return;
    if (dijkstra_settled(watch->oracle) >= watch->def.sample_work) return;
    if (!ground_go_to(watch->def.land, completion->epoch)) return;
    watch->next_sample = watch->found + watch->found / (watch->def.edits ? 64 : 4) + 1;
    check_optimum_there(watch, known, completion);
    ground_go_to(watch->def.land, watch->def.land->epoch);
}

bool checker_completed(checker *watch, uint32_t agent, const wend_completion *completion) {
    check_order(watch, completion);
    watch->completed_now++;
    watch->completions_spent += completion->expansions;
    if (completion->status >= 0 && completion->status < 16) watch->statuses_now[completion->status]++;
    const wish *known = check_identity(watch, agent, completion);
    if (known == NULL) return false;
    check_timing(watch, known, completion);
    check_cancelling(watch, known, completion);
    check_versions(watch, known, completion);
    EXPECT(watch, CHECKER_status, plausible(watch, known, completion),
           "number %" PRIu64 " from (%d,%d) to (%d,%d) ends as %s after %" PRIu64 " expansions", completion->number,
           known->start.x, known->start.y, known->goal.x, known->goal.y, wend_status_name(completion->status),
           completion->expansions);
    check_no_way(watch, known, completion);
    check_piece(watch, known, completion);
    check_path(watch, known, completion);
    check_optimum(watch, known, completion);
    forget(watch, agent);
    return true;
}
