/* SPDX-License-Identifier: MIT */
/* Describes one agent as JSON: its goal, its path, the state of its search, and the cells that this search expands. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <wend/figures.h>
#include <wend/geometry.h>
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/search.h>

#include "cli/output/cells.h"
#include "serve/game/serve.h"

/// Most cells of an answer, and most expansions of the search that shows which cells are expanded.
enum { MOST_PATH = 4096, MOST_TRACE = 8192, TRACE_NODES = 1 << 18, TRACE_EXPANSIONS = 50000 };

static void put_cells(FILE *out, int32_t kind, const char *name, const wend_cell *cells, size_t count) {
    fprintf(out, ",\"%s\":", name);
    cli_json_cells(out, kind, cells, count);
}

/* Writes the progress of its search; "none" where the service had no room for it. @return it is pending */
static bool put_progress(FILE *out, const wend_service *service, const wend_agent_state *agent,
                         wend_progress *progress) {
    const bool asked = agent->ticket.generation != 0;
    if (agent->waits == WEND_WAIT_QUEUE) fprintf(out, ",\"search\":\"none\"");
    if (!asked || wend_service_get_progress(service, agent->ticket, progress)) return false;
    fprintf(out, ",\"search\":\"%s\",\"ahead\":%llu,\"peers\":%llu,\"frames\":%llu,\"searched\":%llu",
            wend_constant_name(WEND_NAME_PROGRESS, progress->state), (unsigned long long)progress->ahead,
            (unsigned long long)progress->peers, (unsigned long long)progress->frames,
            (unsigned long long)progress->expansions);
    return progress->state != WEND_PROGRESS_FINISHED;
}

static void put_expanded(FILE *out, int32_t kind, const wend_cell *cells, size_t count, uint64_t expanded, bool live) {
    put_cells(out, kind, "trace", cells, count < MOST_TRACE ? count : MOST_TRACE);
    fprintf(out, ",\"expanded\":%llu,\"live\":%s", (unsigned long long)expanded, live ? "true" : "false");
}

/* Runs a separate search: the cells that it expands, within the bounds. @return expansions */
static uint64_t put_trace(FILE *out, wend_map *map, int32_t kind, const wend_agent_state *agent, wend_cell *cells) {
    wend_search_def def;
    wend_search *search = NULL;
    wend_request request;
    wend_search_options options;
    wend_completion result = {.struct_bytes = sizeof result};
    size_t count = 0;
    wend_search_def_init(&def, sizeof def);
    def.nodes = TRACE_NODES;
    wend_request_init(&request, sizeof request);
    request.map = map;
    wend_search_options_init(&options, sizeof options);
    options.profile = agent->profile;
    request.options = &options;
    request.mover = agent->mover;
    request.start = agent->cell;
    request.goal = agent->goal_cell;
    if (!wend_search_create(&def, &search) && !wend_search_begin(search, &request)) {
        wend_search_step(search, TRACE_EXPANSIONS, NULL);
        wend_search_get_expanded(search, cells, MOST_TRACE, &count);
        wend_search_get_result(search, &result);
        put_expanded(out, kind, cells, count, result.expansions, false);
    }
    wend_search_destroy(search);
    return result.expansions;
}

/* Writes the turns of the line that the path becomes when pulled straight, in place of its cells; a graph has none. */
static void put_line(FILE *out, const wend_map *map, int32_t kind, int32_t mover, wend_cell *cells, size_t count) {
    wend_pull_def def;
    size_t turns_count = 0;
    wend_turn *turns = malloc(count * sizeof *turns);
    wend_pull_def_init(&def, sizeof def);
    def.mover = mover;
    if (turns && !wend_path_pull(map, &def, cells, count, turns, count, &turns_count)) {
        for (size_t i = 0; i < turns_count; i++) cells[i] = turns[i].cell;
        put_cells(out, kind, "line", cells, turns_count);
    }
    free(turns);
}

static bool is_near(wend_cell a, wend_cell b, int32_t reach) {
    return llabs((long long)a.x - b.x) <= reach && llabs((long long)a.y - b.y) <= reach &&
           llabs((long long)a.z - b.z) <= reach;
}

/* If no way leads to its goal, the agent stops at the end of its path. A path that its search is to replace ends
 * elsewhere. */
static void put_stop(FILE *out, const wend_map *map, int32_t kind, const wend_agent_state *agent, wend_cell end) {
    bool reachable;
    if (!agent->has_goal || agent->goal_kind != WEND_CROWD_CELL || agent->ticket.generation != 0) return;
    if (is_near(end, agent->goal_cell, agent->goal_reach)) return;
    if (wend_map_reachable(map, agent->mover, agent->cell, agent->goal_cell, &reachable) || reachable) return;
    fprintf(out, ",\"stops\":");
    cli_json_cell(out, kind, end);
}

static void put_path(FILE *out, const wend_crowd *crowd, const wend_map *map, int32_t kind, wend_agent_id id,
                     const wend_agent_state *agent) {
    size_t count = 0, most = MOST_PATH;
    wend_crowd_get_path(crowd, id, NULL, 0, &count);
    wend_cell *cells = malloc((count + 1) * sizeof *cells);
    if (cells && !wend_crowd_get_path(crowd, id, cells, count, &count)) {
        most = count < most ? count : most;
        put_cells(out, kind, "path", cells, most);
        if (count > 0) put_stop(out, map, kind, agent, cells[count - 1]);
        if (most > 1) put_line(out, map, kind, agent->mover, cells, most);
    }
    free(cells);
}

uint64_t serve_inspect(FILE *out, const wend_service *service, const wend_crowd *crowd, wend_map *map, wend_agent_id id,
                       const wend_agent_state *agent, bool brief) {
    enum { AN_EXPANSION = 16, A_LOOK = 1 << 16 };
    wend_progress progress = {.struct_bytes = sizeof progress};
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    fprintf(out, ",\"cell\":");
    cli_json_cell(out, info.kind, agent->cell);
    fprintf(out, ",\"state\":\"%s\",\"urgency\":%d,\"speed\":%u,\"tries\":%u,\"waited\":%u",
            wend_constant_name(WEND_NAME_AGENT_STATE, agent->state), (int)agent->urgency, (unsigned)agent->speed_milli,
            (unsigned)agent->tries, (unsigned)agent->waited);
    if (agent->steered) fprintf(out, ",\"steered\":true");
    if (agent->danger) fprintf(out, ",\"danger\":\"%s\"", agent->danger == WEND_DANGER_LEAVES ? "leaves" : "through");
    const bool pending = put_progress(out, service, agent, &progress);
    put_path(out, crowd, map, info.kind, id, agent);
    if (!agent->has_goal) return 0;
    const bool to_cell = agent->goal_kind == WEND_CROWD_CELL;
    fprintf(out, ",\"wish\":\"%s\"", to_cell ? "go" : agent->goal_kind == WEND_CROWD_FOLLOW ? "follow" : "flee");
    if (!to_cell) return 0;
    fprintf(out, ",\"goal\":");
    cli_json_cell(out, info.kind, agent->goal_cell);
    wend_cell *cells = brief ? NULL : malloc(MOST_TRACE * sizeof *cells);
    uint64_t expanded = progress.expansions;
    size_t count = 0;
    if (!cells) return 0;
    if (pending && wend_service_get_expanded(service, agent->ticket, cells, MOST_TRACE, &count))
        count = 0; /* the search has not begun */
    if (pending)
        put_expanded(out, info.kind, cells, count, expanded, true);
    else
        expanded = put_trace(out, map, info.kind, agent, cells);
    free(cells);
    return A_LOOK + expanded * AN_EXPANSION;
}
