/* SPDX-License-Identifier: MIT */
/* Says all about one agent, as JSON: where it goes, its path, and the cells that a search for it expands. */
#include <stdlib.h>

#include "cli/look/look.h"

/// Most cells of an answer, and most expansions of the search that shows which cells are expanded.
enum { MOST_PATH = 4096, MOST_TRACE = 8192, TRACE_NODES = 1 << 18, TRACE_EXPANSIONS = 50000 };

static void put_cell(FILE *out, int32_t kind, wend_cell cell) {
    if (kind == WEND_KIND_GRAPH)
        fprintf(out, "%d", (int)cell.x);
    else if (kind == WEND_KIND_VOXEL)
        fprintf(out, "[%d,%d,%d]", (int)cell.x, (int)cell.y, (int)cell.z);
    else
        fprintf(out, "[%d,%d]", (int)cell.x, (int)cell.y);
}

static void put_cells(FILE *out, int32_t kind, const char *name, const wend_cell *cells, size_t count) {
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        put_cell(out, kind, cells[i]);
    }
    fputc(']', out);
}

/* Agents that wait for their paths, too, and are more urgent. */
static uint64_t count_ahead(wend_crowd *crowd, const wend_agent_state *agent, uint64_t *work) {
    enum { AN_AGENT = 2 };
    wend_crowd_view view = {.struct_bytes = sizeof view};
    uint64_t ahead = 0;
    if (wend_crowd_get_view(crowd, &view) != WEND_OK) return 0;
    *work += (uint64_t)view.count * AN_AGENT;
    for (uint32_t i = 0; i < view.count; i++) {
        wend_agent_state other = {.struct_bytes = sizeof other};
        if (view.states[i] != WEND_AGENT_WAITING) continue;
        if (wend_crowd_get_agent(crowd, view.ids[i], &other) != WEND_OK) continue;
        ahead += other.urgency > agent->urgency;
    }
    return ahead;
}

/* The same search once more, beside the service: the cells that it expands, as far as the bounds go. */
static void put_trace(FILE *out, wend_map *map, int32_t kind, const wend_agent_state *agent, uint64_t *work) {
    enum { A_SEARCH = 1 << 16, AN_EXPANSION = 16, A_CELL = 16 };
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
    if (cells != NULL && wend_search_create(&def, &search) == WEND_OK &&
        wend_search_begin(search, &request) == WEND_OK) {
        wend_completion result = {.struct_bytes = sizeof result};
        wend_search_step(search, TRACE_EXPANSIONS, NULL);
        wend_search_get_expanded(search, cells, MOST_TRACE, &count);
        put_cells(out, kind, "trace", cells, count < MOST_TRACE ? count : MOST_TRACE);
        *work += A_SEARCH + (uint64_t)count * A_CELL;
        if (wend_search_get_result(search, &result) == WEND_OK) {
            *work += result.expansions * AN_EXPANSION;
            fprintf(out, ",\"expanded\":%llu", (unsigned long long)result.expansions);
        }
    }
    wend_search_destroy(search);
    free(cells);
}

static void put_path(FILE *out, const wend_crowd *crowd, int32_t kind, wend_agent_id id) {
    size_t count = 0;
    wend_cell *cells = malloc(MOST_PATH * sizeof *cells);
    if (cells != NULL && wend_crowd_get_path(crowd, id, cells, MOST_PATH, &count) == WEND_OK)
        put_cells(out, kind, "path", cells, count < MOST_PATH ? count : MOST_PATH);
    free(cells);
}

uint64_t cli_inspect(FILE *out, wend_crowd *crowd, wend_map *map, wend_agent_id id, const wend_agent_state *agent) {
    uint64_t work = 0;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    fprintf(out, ",\"cell\":");
    put_cell(out, info.kind, agent->cell);
    fprintf(out, ",\"state\":\"%s\",\"urgency\":%d,\"speed\":%u,\"tries\":%u,\"waited\":%u",
            wend_agent_state_name(agent->state), (int)agent->urgency, (unsigned)agent->speed_milli,
            (unsigned)agent->tries, (unsigned)agent->waited);
    if (agent->state == WEND_AGENT_WAITING)
        fprintf(out, ",\"ahead\":%llu", (unsigned long long)count_ahead(crowd, agent, &work));
    put_path(out, crowd, info.kind, id);
    if (!agent->has_wish) return work;
    const bool to_cell = agent->goal.kind == WEND_CROWD_CELL;
    fprintf(out, ",\"wish\":\"%s\"", to_cell ? "go" : agent->goal.kind == WEND_CROWD_FOLLOW ? "follow" : "flee");
    if (!to_cell) return work;
    fprintf(out, ",\"goal\":");
    put_cell(out, info.kind, agent->goal.cell);
    put_trace(out, map, info.kind, agent, &work);
    return work;
}
