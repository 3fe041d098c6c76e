/* SPDX-License-Identifier: MIT */
/* Compares an answer with the terrain: at hand-over, and at the epoch that was searched. */
#include <inttypes.h>

#include "promises/checker_state.h"

/* Returns true if the cells of a request were open at an epoch, or if the epoch is too old. */
static bool were(checker *watch, const known_request *known, uint64_t epoch, bool start_open, bool goal_open) {
    terrain_copy *land = watch->def.land;
    if (!terrain_go_to(land, epoch)) return true;
    bool start = terrain_factor(land, known->start) != 0;
    bool goal = terrain_factor(land, known->goal) != 0;
    terrain_go_to(land, land->epoch);
    return start == start_open && goal == goal_open;
}

/* Statuses that the terrain allows. Blocked ends and goals in another part are found before a search begins, or begins
   again. Where steps, links or edges lead one way only, a search may have to find that no path exists. */
static bool plausible(checker *watch, const known_request *known, const wend_completion *completion) {
    bool unsearched = completion->expansions == 0 || completion->restarts > 0 || known->moved;
    uint64_t epoch = completion->epoch, checked = completion->checked;
    switch (completion->status) {
    case WEND_STATUS_FOUND: return completion->exact == 1;
    case WEND_STATUS_NO_PATH: return unsearched || watch->def.land->one_way; /* see check_no_way() */
    case WEND_STATUS_STALE: return true;                                     /* see check_piece() */
    case WEND_STATUS_START_BLOCKED:
        return were(watch, known, checked, false, true) || were(watch, known, checked, false, false);
    case WEND_STATUS_GOAL_BLOCKED: return unsearched && were(watch, known, epoch, true, false);
    case WEND_STATUS_CANCELLED:
    case WEND_STATUS_REPLACED: return true; /* see check_cancelling() */
    case WEND_STATUS_OUT_OF_NODES: return !watch->def.nodes_suffice && were(watch, known, epoch, true, true);
    case WEND_STATUS_TOO_LONG: return completion->cell_count == watch->def.max_path_cells;
    default: return false; /* no request here can end with any other status */
    }
}

/* The connected parts of the newest terrain; NULL where finding them would exceed the work allowed. */
static const terrain_parts *parts_today(checker *watch) {
    const terrain_copy *land = watch->def.land;
    if (land->home.epoch == land->epoch) return &land->home;
    if (watch->parts.labels && watch->parts.epoch == land->epoch) return &watch->parts;
    if (watch->flooded >= watch->def.flood_work) return NULL;
    watch->flooded += land->cells;
    if (terrain_find_parts(land, &watch->parts)) return &watch->parts;
    terrain_free_parts(&watch->parts);
    return NULL;
}

/* The cost of the cheapest path between two places of one part; −1: there is none. Without one-way steps there always
   is one. −2 where finding it would exceed the work allowed. */
static int64_t cost_within_part(checker *watch, const known_request *known) {
    if (!watch->def.land->one_way) return 0;
    if (watch->flooded >= watch->def.flood_work) return -2;
    const uint64_t before = dijkstra_closed(watch->oracle);
    const int64_t cost = dijkstra_cost(watch->oracle, known->start, known->goal);
    watch->closed_for_no_path += dijkstra_closed(watch->oracle) - before;
    watch->flooded += dijkstra_closed(watch->oracle) - before;
    return cost;
}

static void check_no_way(checker *watch, const known_request *known, const wend_completion *completion) {
    if (completion->status != WEND_STATUS_NO_PATH) return;
    const terrain_parts *parts = parts_today(watch);
    if (!parts) return;
    uint32_t start = parts->labels[terrain_index(watch->def.land, known->start)];
    uint32_t goal = parts->labels[terrain_index(watch->def.land, known->goal)];
    const int64_t cost = start != 0 && start == goal ? cost_within_part(watch, known) : -1;
    if (cost == -2) return;
    EXPECT(watch, CHECKER_no_way, start != 0 && goal != 0 && cost == -1,
           "number %" PRIu64 " from (%s) to (%s) says that there is no path: %s", completion->number,
           TERRAIN_NAME(watch->def.land, known->start), TERRAIN_NAME(watch->def.land, known->goal),
           start == 0 || goal == 0 ? "an end is blocked" : "there is one");
}

static void check_piece(checker *watch, const known_request *known, const wend_completion *completion) {
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

static void check_path(checker *watch, const known_request *known, const wend_completion *completion) {
    size_t count = completion->cells != NULL ? completion->cell_count : 0;
    bool whole = completion->status == WEND_STATUS_FOUND, stale = completion->status == WEND_STATUS_STALE;
    bool piece = completion->status == WEND_STATUS_TOO_LONG || (stale && completion->cell_count > 0);
    if (!whole && !piece) {
        check_no_cells(watch, completion);
        return;
    }
    uint64_t cost;
    size_t walked = terrain_walk(watch->def.land, completion->cells, count, &cost);
    EXPECT(watch, CHECKER_walkable, count > 0 && walked == count,
           "number %" PRIu64 " (%s): cell %zu of %zu cannot be entered from the one before", completion->number,
           wend_status_name(completion->status), walked + 1, completion->cell_count);
    if (count == 0) return;
    EXPECT(watch, CHECKER_walkable,
           same_cell(completion->cells[0], known->start) &&
               (piece || same_cell(completion->cells[count - 1], known->goal)),
           "number %" PRIu64 " does not lead from (%s) to (%s)", completion->number,
           TERRAIN_NAME(watch->def.land, known->start), TERRAIN_NAME(watch->def.land, known->goal));
    EXPECT(watch, CHECKER_cost, walked < count || completion->cost == (int64_t)cost,
           "number %" PRIu64 " costs %" PRIu64 ", it says %" PRId64, completion->number, cost, completion->cost);
}

/* The path must be the cheapest on the map that was searched; its cost there is computed here. */
static void check_optimum_there(checker *watch, const known_request *known, const wend_completion *completion) {
    const terrain_copy *land = watch->def.land;
    uint64_t cost;
    size_t count = completion->cells != NULL ? completion->cell_count : 0;
    size_t walked = terrain_walk(land, completion->cells, count, &cost);
    int64_t best = dijkstra_cost(watch->oracle, known->start, known->goal);
    if (best == -2) return;
    EXPECT(watch, CHECKER_optimum, walked == count && (int64_t)cost == best,
           "number %" PRIu64 " from (%s) to (%s) costs %" PRIu64 " at epoch %" PRIu64 ", Dijkstra finds %" PRId64,
           completion->number, TERRAIN_NAME(watch->def.land, known->start), TERRAIN_NAME(watch->def.land, known->goal),
           cost, completion->epoch, best);
}

/* Samples are taken at growing intervals: early and late paths are compared, and the work stays bounded. */
static void check_optimum(checker *watch, const known_request *known, const wend_completion *completion) {
    if (completion->status != WEND_STATUS_FOUND || ++watch->found < watch->next_sample) return;
    if (dijkstra_closed(watch->oracle) - watch->closed_for_no_path >= watch->def.sample_work) return;
    if (!terrain_go_to(watch->def.land, completion->epoch)) return;
    watch->next_sample = watch->found + watch->found / (watch->def.edits ? 64 : 4) + 1;
    check_optimum_there(watch, known, completion);
    terrain_go_to(watch->def.land, watch->def.land->epoch);
}

void checker_judge(checker *watch, const known_request *known, const wend_completion *completion) {
    EXPECT(watch, CHECKER_status, plausible(watch, known, completion),
           "number %" PRIu64 " from (%s) to (%s) ends as %s after %" PRIu64 " expansions", completion->number,
           TERRAIN_NAME(watch->def.land, known->start), TERRAIN_NAME(watch->def.land, known->goal),
           wend_status_name(completion->status), completion->expansions);
    check_no_way(watch, known, completion);
    check_piece(watch, known, completion);
    check_path(watch, known, completion);
    check_optimum(watch, known, completion);
}
