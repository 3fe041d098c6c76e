/* SPDX-License-Identifier: MIT */
/* Watches a service from outside: an own table of pending requests, own sums, and no trust in any number. */
#include <inttypes.h>
#include <stdlib.h>

#include "promises/checker_state.h"
#include <wend/search_options.h>

uint64_t checker_late(const checker *watch) {
    return watch->late;
}

/* ---- life ---- */

checker *checker_create(const checker_def *def) {
    checker *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    watch->def = *def;
    watch->ledger = def->ledger;
    watch->frame = 1;
    watch->next_sample = 1;
    watch->requests = calloc(def->agents, sizeof *watch->requests);
    watch->latest = calloc(def->agents, sizeof *watch->latest);
    watch->oracle = dijkstra_create(def->land);
    if (watch->requests && watch->latest && watch->oracle) return watch;
    checker_free(watch);
    return NULL;
}

void checker_free(checker *watch) {
    if (!watch) return;
    dijkstra_free(watch->oracle);
    terrain_free_parts(&watch->parts);
    free(watch->requests);
    free(watch->latest);
    free(watch);
}

/* ---- asking ---- */

static void withdraw(checker *watch, known_request *known, wend_status status) {
    if (!known->pending || known->withdrawn != 0) return; /* of cancel and replace the earlier wins */
    known->withdrawn = watch->frame;
    known->ends_as = status;
}

static void replace_older(checker *watch, uint32_t agent, uint64_t number) {
    if (number >= watch->def.agents) return;
    if (watch->latest[number] > 0) withdraw(watch, &watch->requests[watch->latest[number] - 1], WEND_STATUS_REPLACED);
    watch->latest[number] = agent + 1;
}

void checker_submitted(checker *watch, uint32_t agent, const wend_request *request, wend_error error,
                       wend_ticket ticket) {
    EXPECT(watch, CHECKER_accepting, error == WEND_OK || (error == WEND_BUSY && watch->pending >= watch->def.queue),
           "submit said %s with %" PRIu64 " pending and a queue of %" PRIu32, wend_error_name(error), watch->pending,
           watch->def.queue);
    if (error != WEND_OK) return;
    replace_older(watch, agent, request->agent);
    int32_t urgency = request->urgency - WEND_URGENCY_MIN;
    watch->requests[agent] =
        (known_request){.start = request->start,
                        .goal = request->goal,
                        .ticket = ticket,
                        .index = watch->accepted++,
                        .asked = watch->frame,
                        .epoch = watch->def.land->epoch,
                        .urgency = urgency,
                        .takes_what_is_left = request->options && request->options->on_stale == WEND_ON_STALE_DELIVER,
                        .pending = true};
    watch->pending++;
    watch->submitted_now++;
    watch->at_urgency[urgency]++;
    watch->agents_at_urgency[urgency] ^= agent;
    if (urgency > watch->top) watch->top = urgency;
}

void checker_cancelled(checker *watch, uint32_t agent, wend_error error) {
    known_request *known = &watch->requests[agent];
    const bool replaced = known->withdrawn != 0 && known->ends_as == WEND_STATUS_REPLACED;
    EXPECT(watch, CHECKER_cancelling, error == (replaced ? WEND_STALE_TICKET : WEND_OK),
           "cancelling agent %" PRIu32 "'s pending request gave %s", agent, wend_error_name(error));
    if (error == WEND_OK) withdraw(watch, known, WEND_STATUS_CANCELLED);
}

void checker_moved(checker *watch, uint32_t agent, wend_cell goal) {
    watch->requests[agent].goal = goal;
    watch->requests[agent].moved = true;
    watch->restarts++; /* at most: the search may keep what it has */
}

static void forget(checker *watch, uint32_t agent) {
    known_request *known = &watch->requests[agent];
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

/* A request that alone has the highest urgency is first in the queue. It gets a lane in a frame's first round, or in
   the second where the only lane served the oldest request; memory may take one round more. So it must have begun by
   the end of a frame with room for three rounds. (Among several requests of one urgency the order depends on which have
   yielded, which cannot be seen from outside. In a small pool the oldest search may hold all memory, and keeps it.) */
static void mark_the_most_urgent(checker *watch, const wend_frame *frame) {
    uint64_t three_rounds = 3 * watch->def.lanes * watch->def.slice;
    bool room = watch->def.budget == WEND_NO_LIMIT ? frame->rounds >= 3 : watch->def.budget >= three_rounds;
    if (!watch->top_is_alone || !room || !watch->def.nodes_suffice) return;
    known_request *first = &watch->requests[watch->agents_at_urgency[watch->top]];
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

/* Requests found stale at delivery are left over, too: this frame could not search them again. */
static void check_spending(checker *watch, const wend_frame *frame) {
    uint64_t left = frame->waiting + frame->running; /* taken from the service: check_figures() checks it */
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

/* Each live version may differ from the others in all its cells. Publishing a batch makes one more version for a
   moment, and so does pruning jump tables before the service has released the version that this retired. Without
   edits the size must not change. */
static void check_memory(checker *watch, const wend_map_info *map, uint32_t versions) {
    if (!watch->def.edits) {
        EXPECT(watch, CHECKER_memory, map->bytes == watch->def.map_bytes,
               "the map holds %" PRIu64 " bytes, not %" PRIu64, map->bytes, watch->def.map_bytes);
        return;
    }
    const uint32_t for_a_moment = watch->def.versions + watch->def.drafts;
    const uint64_t most = versions * watch->def.version_bytes, peak = for_a_moment * watch->def.version_bytes;
    EXPECT(watch, CHECKER_memory, map->bytes <= most,
           "the map holds %" PRIu64 " bytes, which is more than %" PRIu32 " versions", map->bytes, versions);
    EXPECT(watch, CHECKER_memory, map->bytes_peak <= peak,
           "the map held %" PRIu64 " bytes, which is more than %" PRIu32 " versions", map->bytes_peak, for_a_moment);
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
    if (watch->pending == 0) check_memory(watch, map, 1); /* only the newest version is in use */
}

/* ---- completions ---- */

/* Submission numbers increase by one for each accepted request, from 0 or from 1. */
static void check_number(checker *watch, const known_request *known, const wend_completion *completion) {
    uint64_t first = completion->number - known->index;
    if (!watch->number_known) {
        watch->number_known = first <= 1;
        watch->first_number = first;
    }
    EXPECT(watch, CHECKER_one_completion, watch->number_known && first == watch->first_number,
           "submission number %" PRIu64 " for the request accepted as number %" PRIu64, completion->number,
           known->index + 1);
}

static known_request *check_identity(checker *watch, uint32_t agent, const wend_completion *completion) {
    bool known = agent < watch->def.agents;
    EXPECT(watch, CHECKER_one_completion, known, "a completion with a context that no request carried");
    if (!known) return NULL;
    known_request *expected = &watch->requests[agent];
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

static void check_timing(checker *watch, const known_request *known, const wend_completion *completion) {
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

static void check_cancelling(checker *watch, const known_request *known, const wend_completion *completion) {
    const wend_status status = completion->status;
    const bool ends = status == WEND_STATUS_CANCELLED || status == WEND_STATUS_REPLACED, must = known->withdrawn != 0;
    EXPECT(watch, CHECKER_cancelling, ends == must && (!must || status == known->ends_as),
           "number %" PRIu64 " was %s, but ends as %s", completion->number,
           must ? wend_status_name(known->ends_as) : "neither cancelled nor replaced", wend_status_name(status));
    if (!must || watch->clogged) return;
    EXPECT(watch, CHECKER_cancelling, watch->frame == known->withdrawn,
           "number %" PRIu64 " was %s before frame %" PRIu64, completion->number, wend_status_name(known->ends_as),
           known->withdrawn);
}

/* An answer from an earlier frame that needed no search is not checked again, except for no_path. */
static void check_versions(checker *watch, const known_request *known, const wend_completion *completion) {
    uint64_t searched = completion->epoch, checked = completion->checked, today = watch->def.land->epoch;
    EXPECT(watch, CHECKER_versions, known->epoch <= searched && searched <= checked,
           "number %" PRIu64 " was submitted at epoch %" PRIu64 ", searched at %" PRIu64 ", checked at %" PRIu64,
           completion->number, known->epoch, searched, checked);
    /* An answer found as a search begins is kept like one without a search. no_path is checked again. */
    bool judged = completion->cell_count <= 1 && completion->status != WEND_STATUS_NO_PATH;
    bool kept = judged && watch->clogged && checked == searched && checked < today;
    EXPECT(watch, CHECKER_versions, checked == today || kept,
           "number %" PRIu64 " (%s) was checked at epoch %" PRIu64 ", the map is at %" PRIu64, completion->number,
           wend_status_name(completion->status), checked, today);
    watch->restarts_told += completion->restarts > 0 ? (uint64_t)completion->restarts : 0;
    if (searched == checked) return;
    /* Other statuses, such as cancelled, have no answer that a changed map makes wrong. */
    bool path = completion->cell_count > 0, stale = completion->status == WEND_STATUS_STALE;
    watch->late_now += path;
    watch->late += path || stale;
}

bool checker_completed(checker *watch, uint32_t agent, const wend_completion *completion) {
    check_order(watch, completion);
    watch->completed_now++;
    watch->completions_spent += completion->expansions;
    if (completion->status >= 0 && completion->status < 16) watch->statuses_now[completion->status]++;
    const known_request *known = check_identity(watch, agent, completion);
    if (!known) return false;
    check_timing(watch, known, completion);
    check_cancelling(watch, known, completion);
    check_versions(watch, known, completion);
    checker_judge(watch, known, completion);
    forget(watch, agent);
    return true;
}
