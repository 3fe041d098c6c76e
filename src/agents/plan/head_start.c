/* SPDX-License-Identifier: MIT */
/* Head starts. An agent walks along the first half of its search's prefix, as the end is likelier to change. From there
 * it joins the next prefix, and finally the answer. The agent can always return along the cells walked. To a far goal
 * it walks along a lead instead, the first leg of a far route, and its search begins at the end of the lead. See
 * docs/design/head-start.md. */

/* Tried: the exact search begins where the agent stood before its lead. The agent goes back where the path leads
 * elsewhere: it walks 1.0095 to 1.0214 times the cheapest, from the lead's end 1.0014. */
#include "agents/plan/path.h"
#include "motion/walk/points.h"

#include "agents/plan/path_request.h"
#include "fast/routes/journey.h"
#include "service/query/get_prefix.h"
#include <wend/geometry.h>

static const wend_cell *walked_cells(const wend_crowd *crowd, uint32_t index) {
    return crowd->walked + (size_t)index * wend__head_start_cells(&crowd->def);
}

/* Adds a cell to a head start. */
static void add_walked(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    wend_cell *walked = (wend_cell *)(uintptr_t)walked_cells(crowd, index);
    walked[request->walked_count++] = cell;
}

/* Returns false if the host has moved the agent elsewhere. */
static bool is_at_end_of_walk(const wend_crowd *crowd, uint32_t index) {
    const wend_cell last = walked_cells(crowd, index)[crowd->agents[index].request.walked_count - 1];
    return wend__same_cell(last, crowd->in_traffic[index].at);
}

bool wend__head_start_may_begin(const wend_crowd *crowd, uint32_t index, wend_cell start) {
    const wend__agent *agent = &crowd->agents[index];
    return crowd->tuning.head_start > 0 && !crowd->in_traffic[index].body && !agent->request.stops_at_start &&
           agent->path.recent_count == 0 && agent->path.stored.steps == 0 &&
           wend__same_cell(start, crowd->in_traffic[index].at);
}

/* Returns whether the agent stands where its search starts, or where its head start ended. */
static bool may_walk_prefix(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__path_request *request = &agent->request;
    const bool plans = request->purpose == WEND__PURPOSE_PLAN || request->purpose == WEND__PURPOSE_REROUTE ||
                       request->purpose == WEND__PURPOSE_RETARGET;
    if (!request->ticket.generation || !plans) return false;
    if (request->walked_count == 0) return wend__head_start_may_begin(crowd, index, request->start);
    return agent->path.recent_count == 0 && is_at_end_of_walk(crowd, index);
}

/* Appends cells to the path, from the agent's cell on. Returns false if there is no room. */
static bool append_cells(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!wend__stored_path_append(&crowd->paths, &path->stored, cells[i], cells[i + 1])) return false;
        path->end = cells[i + 1];
    }
    return true;
}

static void restart_path(wend_crowd *crowd, uint32_t index, uint8_t ends) {
    wend__path_clear(crowd, index);
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    path->kind = ends;
    path->revision = wend__map_revision(crowd->def.map);
    path->verified = 0;
}

/* Returns how many cells may be walked before the head start has its full length; the first is the last one walked. */
static size_t cells_within(const wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count) {
    const wend_cell *walked = walked_cells(crowd, index);
    size_t kept = crowd->agents[index].request.walked_count, i = 1;
    while (i < count && kept > 1 && wend__same_cell(walked[kept - 2], cells[i])) kept--, i++;
    const size_t most = crowd->tuning.head_start + 1, room = kept < most ? most - kept : 0;
    return count - i < room ? count : i + room;
}

void wend__head_start(wend_crowd *crowd, uint32_t index) {
    if (crowd->tuning.head_start == 0 || !may_walk_prefix(crowd, index)) return;
    const wend__path_request *request = &crowd->agents[index].request;
    const wend_cell *walked = walked_cells(crowd, index);
    wend_cell *prefix = crowd->prefix;
    const size_t most = crowd->tuning.head_start + 1;
    wend_prefix answer = {.struct_bytes = sizeof answer};
    uint64_t since = request->prefix_expansions;
    const wend_error none = wend__service_prefix(crowd->def.service, request->ticket, &since, prefix, most, &answer);
    if (since != request->prefix_expansions) wend__agent_touch(crowd, index)->request.prefix_expansions = since;
    if (none) return;
    const size_t half = answer.cell_count / 2 + 1, count = half < most ? half : most;
    if (request->walked_count == 0) add_walked(crowd, index, crowd->in_traffic[index].at);
    size_t cells;
    if (wend__path_join(crowd->def.map, crowd->in_traffic[index].mover, walked, request->walked_count, prefix, count,
                        crowd->joined, (size_t)wend__head_start_room(&crowd->def), &cells))
        return;
    if (request->walked_count == 1 && crowd->agents[index].path.stored.steps == 0 && cells > 1)
        crowd->counts.head_starts++;
    restart_path(crowd, index, WEND__PATH_NONE);
    (void)append_cells(crowd, index, crowd->joined, cells_within(crowd, index, crowd->joined, cells));
}

void wend__head_start_step_began(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].request.walked_count == 0) return;
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    const wend_cell *walked = walked_cells(crowd, index), at = crowd->in_traffic[index].at;
    for (uint32_t i = 0; i < request->walked_count; i++)
        if (wend__same_cell(walked[i], at)) { /* the detour does not help */
            request->walked_count = i + 1;
            return;
        }
    if (request->walked_count < wend__head_start_cells(&crowd->def))
        add_walked(crowd, index, at);
    else
        request->walked_count = 0; /* pushed too far: another search follows */
}

/* Only the first cells of the answer can be nearer than the way back; the others are appended unchanged. */
bool wend__head_start_join(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends) {
    const wend__path_request *request = &crowd->agents[index].request;
    const size_t most = crowd->tuning.head_start + 1, looked_at = count < most ? count : most;
    if (request->walked_count == 0 || !is_at_end_of_walk(crowd, index)) return false;
    size_t joined;
    if (wend__path_join(crowd->def.map, crowd->in_traffic[index].mover, walked_cells(crowd, index),
                        request->walked_count, cells, looked_at, crowd->joined,
                        (size_t)wend__head_start_room(&crowd->def), &joined))
        return false;
    restart_path(crowd, index, ends);
    if (!append_cells(crowd, index, crowd->joined, joined) ||
        !append_cells(crowd, index, cells + looked_at - 1, count - looked_at + 1))
        wend__agent_touch(crowd, index)->path.kind = WEND__PATH_PIECE;
    return true;
}

/* ---- leads ---- */

uint8_t wend__head_start_ask(wend_crowd *crowd, uint32_t index) {
    const bool path = crowd->led_effort > 0 && crowd->led_effort < crowd->lead_effort;
    wend__agent_touch(crowd, index)->request.led = path;
    return path ? WEND__ASKS_PATH : WEND__ASKS_LEAD;
}

static void average_effort(uint64_t *average, const wend_completion *done) {
    *average = *average == 0 ? done->expansions : (*average * 7 + done->expansions) / 8;
}

/* The agent may have used the prefix of the search for the leg. */
static bool set_out(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count) {
    if (wend__head_start_join(crowd, index, cells, count, WEND__PATH_NONE)) return true;
    if (!wend__head_start_may_begin(crowd, index, crowd->agents[index].request.start)) return false;
    crowd->counts.head_starts++;
    restart_path(crowd, index, WEND__PATH_NONE);
    (void)append_cells(crowd, index, cells, count);
    return true;
}

/* The end of a leg bends toward a gate, and is not walked. The rest of a route is close to the cheapest way, so an
 * agent that returned for a search from its start would walk farther. */
bool wend__head_start_leads(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    const bool found = done->status == WEND_STATUS_FOUND, whole = found && done->crossing_count == 0;
    if (found && request->led) average_effort(&crowd->led_effort, done);
    if (request->asks != WEND__ASKS_LEAD || whole || wend__is_discarded((wend_status)done->status)) return false;
    const size_t most = crowd->tuning.head_start + 1;
    const size_t walked = wend__journey_walk(done->cells, done->cell_count);
    average_effort(&crowd->lead_effort, done);
    request->led = true;
    request->stops_at_start = found && set_out(crowd, index, done->cells, walked < most ? walked : most);
    return true;
}
