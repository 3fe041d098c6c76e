/* SPDX-License-Identifier: MIT */
/* Says all about one agent, as JSON: where it goes, its path, what its search waits for, and the cells that it
 * expands. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <wend/figures.h>
#include <wend/geometry.h>

#include "cli/output/cells.h"
#include "serve/serve.h"

/// Most cells of an answer, and most expansions of the search that shows which cells are expanded.
enum { MOST_PATH = 4096, MOST_TRACE = 8192, TRACE_NODES = 1 << 18, TRACE_EXPANSIONS = 50000 };

static void put_cells(FILE *out, int32_t kind, const char *name, const wend_cell *cells, size_t count) {
    fprintf(out, ",\"%s\":", name);
    host_json_cells(out, kind, cells, count);
}

/* How far its search is. Where it has none in the service, it waits for a place in the queue. */
static void put_progress(FILE *out, const wend_service *service, const wend_agent_state *agent) {
    wend_progress progress = {.struct_bytes = sizeof progress};
    if (agent->ticket.generation == 0) {
        if (agent->state == WEND_AGENT_WAITING) fprintf(out, ",\"search\":\"none\"");
        return;
    }
    if (wend_service_get_progress(service, agent->ticket, &progress)) return;
    fprintf(out, ",\"search\":\"%s\",\"ahead\":%llu,\"peers\":%llu,\"frames\":%llu,\"searched\":%llu",
            wend_progress_name(progress.state), (unsigned long long)progress.ahead, (unsigned long long)progress.peers,
            (unsigned long long)progress.frames, (unsigned long long)progress.expansions);
}

/* The cells that its own search has expanded so far. False where it has none that is not finished. */
static bool put_live_trace(FILE *out, const wend_service *service, int32_t kind, const wend_agent_state *agent,
                           uint64_t *expanded) {
    wend_progress progress = {.struct_bytes = sizeof progress};
    size_t count = 0;
    if (agent->ticket.generation == 0) return false;
    if (wend_service_get_progress(service, agent->ticket, &progress)) return false;
    if (progress.state == WEND_PROGRESS_FINISHED) return false;
    wend_cell *cells = malloc(MOST_TRACE * sizeof *cells);
    if (!cells) return false;
    const wend_error error = wend_service_get_expanded(service, agent->ticket, cells, MOST_TRACE, &count);
    if (error) count = 0; /* it has not begun */
    put_cells(out, kind, "trace", cells, count < MOST_TRACE ? count : MOST_TRACE);
    *expanded = progress.expansions;
    fprintf(out, ",\"expanded\":%llu,\"live\":true", (unsigned long long)progress.expansions);
    free(cells);
    return true;
}

/* A search of its own, beside the service: the cells that it expands, as far as the bounds go. */
static void put_trace(FILE *out, wend_map *map, int32_t kind, const wend_agent_state *agent, uint64_t *expanded) {
    wend_search_def def;
    wend_search *search = NULL;
    wend_request request;
    size_t count = 0;
    wend_cell *cells = malloc(MOST_TRACE * sizeof *cells);
    wend_search_def_init(&def, sizeof def);
    def.nodes = TRACE_NODES;
    wend_request_init(&request, sizeof request);
    request.map = map;
    request.mover = agent->mover;
    request.start = agent->cell;
    request.goal = agent->goal.cell;
    if (cells && !wend_search_create(&def, &search) && !wend_search_begin(search, &request)) {
        wend_completion result = {.struct_bytes = sizeof result};
        wend_search_step(search, TRACE_EXPANSIONS, NULL);
        wend_search_get_expanded(search, cells, MOST_TRACE, &count);
        put_cells(out, kind, "trace", cells, count < MOST_TRACE ? count : MOST_TRACE);
        if (!wend_search_get_result(search, &result)) {
            *expanded = result.expansions;
            fprintf(out, ",\"expanded\":%llu,\"live\":false", (unsigned long long)result.expansions);
        }
    }
    wend_search_destroy(search);
    free(cells);
}

/* The turns of the line that the path becomes where it is pulled straight; a graph has none. */
static void put_line(FILE *out, const wend_map *map, int32_t kind, int32_t mover, const wend_cell *cells,
                     size_t count) {
    wend_pull_def def;
    size_t turns_count = 0;
    wend_turn *turns = malloc(count * sizeof *turns);
    wend_pull_def_init(&def, sizeof def);
    def.mover = mover;
    if (turns && !wend_path_pull(map, &def, cells, count, turns, count, &turns_count)) {
        fprintf(out, ",\"line\":[");
        for (size_t i = 0; i < turns_count; i++) {
            if (i > 0) fputc(',', out);
            host_json_cell(out, kind, turns[i].cell);
        }
        fputc(']', out);
    }
    free(turns);
}

static void put_path(FILE *out, const wend_crowd *crowd, const wend_map *map, int32_t kind, wend_agent_id id,
                     int32_t mover) {
    size_t count = 0;
    wend_cell *cells = malloc(MOST_PATH * sizeof *cells);
    if (cells && !wend_crowd_get_path(crowd, id, cells, MOST_PATH, &count)) {
        if (count > MOST_PATH) count = MOST_PATH;
        put_cells(out, kind, "path", cells, count);
        if (count > 1) put_line(out, map, kind, mover, cells, count);
    }
    free(cells);
}

uint64_t serve_inspect(FILE *out, const wend_service *service, const wend_crowd *crowd, wend_map *map, wend_agent_id id,
                       const wend_agent_state *agent, bool brief) {
    enum { AN_EXPANSION = 16, A_LOOK = 1 << 16 };
    uint64_t expanded = 0;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    fprintf(out, ",\"cell\":");
    host_json_cell(out, info.kind, agent->cell);
    fprintf(out, ",\"state\":\"%s\",\"urgency\":%d,\"speed\":%u,\"tries\":%u,\"waited\":%u",
            wend_agent_state_name(agent->state), (int)agent->urgency, (unsigned)agent->speed_milli,
            (unsigned)agent->tries, (unsigned)agent->waited);
    if ((agent->flags & WEND_AGENT_STEERED) != 0) fprintf(out, ",\"steered\":true");
    put_progress(out, service, agent);
    put_path(out, crowd, map, info.kind, id, agent->mover);
    if (!agent->has_goal) return 0;
    const bool to_cell = agent->goal.kind == WEND_CROWD_CELL;
    fprintf(out, ",\"wish\":\"%s\"", to_cell ? "go" : agent->goal.kind == WEND_CROWD_FOLLOW ? "follow" : "flee");
    if (!to_cell) return 0;
    fprintf(out, ",\"goal\":");
    host_json_cell(out, info.kind, agent->goal.cell);
    if (brief) return 0;
    if (!put_live_trace(out, service, info.kind, agent, &expanded)) put_trace(out, map, info.kind, agent, &expanded);
    return A_LOOK + expanded * AN_EXPANSION;
}
