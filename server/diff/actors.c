/* SPDX-License-Identifier: MIT */
/* Routes, agents, boxes. */
#include "diff/diff.h"

#include <inttypes.h>
#include <string.h>

#include "cli/output/cells.h"
#include <wend/boxes.h>
#include <wend/save.h>

/* ---- agents ---- */

static void say_cell(char *out, size_t room, wend_cell cell) {
    snprintf(out, room, "[%" PRId32 ",%" PRId32 ",%" PRId32 "]", cell.x, cell.y, cell.z);
}

static void say_body(const script_state *script, wend_agent_id id, char *out, size_t room) {
    wend_body_state body = {.struct_bytes = sizeof body};
    if (!script->world.crowd || wend_crowd_get_body(script->world.crowd, id, &body)) return;
    diff_add(out, room,
             ",\"body\":{\"at\":[%" PRId32 ",%" PRId32 "],\"velocity\":[%" PRId32 ",%" PRId32 "],\"radius\":%" PRIu32
             ",\"state\":%" PRId32 "}",
             body.exact_at.x, body.exact_at.y, body.exact_velocity.x, body.exact_velocity.y, body.radius_milli,
             body.state);
}

/// Writes an agent: what a host sees of it; or the hash of all that a save has of it, for agents that look the same.
typedef void say_agent_fn(script_state *const worlds[2], int own, const world_agent *agent, char *out, size_t room);

static void say_agent(script_state *const worlds[2], int own, const world_agent *agent, char *out, size_t room) {
    const script_state *script = worlds[own];
    wend_agent_state s = {.struct_bytes = sizeof s};
    char cell[64], goal[64], end[64];
    out[0] = '\0';
    if (!agent || !script->world.crowd || wend_crowd_get_agent(script->world.crowd, agent->id, &s)) return;
    say_cell(cell, sizeof cell, s.cell), say_cell(goal, sizeof goal, s.goal_cell),
        say_cell(end, sizeof end, s.path_end);
    snprintf(
        out, room,
        "\"cell\":%s,\"point\":[%" PRId32 ",%" PRId32 ",%" PRId32 "],\"state\":%" PRId32 ",\"speed\":%" PRIu32
        ",\"urgency\":%" PRId32 ",\"goal\":%s,\"has_goal\":%" PRId32 ",\"path_end\":%s,\"steps_left\":%" PRIu32
        ",\"waited\":%" PRIu32 ",\"tries\":%" PRIu32 ",\"waits\":%" PRId32 ",\"route\":%" PRId32 ",\"searches\":%s",
        cell, s.point.x, s.point.y, s.point.z, s.state, s.speed_milli, s.urgency, s.has_goal ? goal : "null",
        s.has_goal, end, s.steps_left, s.waited, s.tries, s.waits, s.route, s.ticket.generation ? "true" : "false");
    diff_add_way(worlds, own, s.mover, s.profile, out, room);
    say_body(script, agent->id, out, room);
}

static void say_hash(script_state *const worlds[2], int own, const world_agent *agent, char *out, size_t room) {
    wend_crowd *crowd = worlds[own]->world.crowd;
    uint64_t hash = 0;
    out[0] = '\0';
    if (!agent || !crowd || wend_crowd_hash_agent(crowd, agent->id, &hash)) return;
    snprintf(out, room, "\"hash\":\"%016" PRIx64 "\"", hash);
}

static const world_agent *find_agent(script_state *const worlds[2], int own, const world_agent *agent) {
    const world_state *w = &worlds[1 - own]->world;
    if (!diff_by_order(worlds)) return world_agent_find(w, agent->name, agent->length);
    const world_agent *other = agent->id.index < w->agents.most ? w->agents.by_index[agent->id.index] : NULL;
    return other && other->id.generation == agent->id.generation ? other : NULL;
}

static bool diff_agents(script_state *const worlds[2], say_agent_fn *say, diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (const world_agent *agent = worlds[own]->world.agents.first; agent; agent = agent->next) {
            say(worlds, own, agent, out->has[own], sizeof out->has[own]);
            say(worlds, 1 - own, find_agent(worlds, own, agent), out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "agent", agent->name)) return true;
        }
    return false;
}

/* ---- routes ---- */

static void say_route(const cli_route *route, char *out, size_t room) {
    out[0] = '\0';
    if (!route) return;
    size_t at = (size_t)snprintf(out, room, "\"mode\":%" PRId32 ",\"cells\":[", route->mode);
    for (size_t i = 0; i < route->count && at + 64 < room; i++) {
        if (i > 0) out[at++] = ',';
        say_cell(out + at, room - at, route->cells[i]);
        at += strlen(out + at);
    }
    snprintf(out + at, room - at, "]");
}

static const cli_route *find_route(script_state *const worlds[2], int own, size_t index) {
    const cli_route *route = &worlds[own]->built.routes.items[index];
    const cli_routes *routes = &worlds[1 - own]->built.routes;
    if (!diff_by_order(worlds)) return cli_route_find(routes, route->name, strlen(route->name));
    return index < routes->count ? &routes->items[index] : NULL;
}

static bool diff_routes(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < worlds[own]->built.routes.count; i++) {
            const cli_route *route = &worlds[own]->built.routes.items[i];
            if (diff_by_order(worlds) && !route->added) continue; /* a recording has what the crowd has */
            say_route(route, out->has[own], sizeof out->has[own]);
            say_route(find_route(worlds, own, i), out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "route", route->name)) return true;
        }
    return false;
}

/* ---- boxes ---- */

static bool diff_boxes(script_state *const worlds[2], diff_object *out) {
    wend_box boxes[2][WEND_MAX_CLEARED_BOXES];
    size_t counts[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        if (worlds[i]->world.crowd)
            (void)wend_crowd_get_boxes(worlds[i]->world.crowd, boxes[i], WEND_MAX_CLEARED_BOXES, &counts[i]);
    for (size_t k = 0; k < counts[0] || k < counts[1]; k++) {
        char min[48], max[48], name[100] = "";
        for (int i = 1; i >= 0; i--) {
            out->has[i][0] = '\0';
            if (k >= counts[i]) continue;
            diff_name_cell(worlds[i], boxes[i][k].min, min, sizeof min);
            diff_name_cell(worlds[i], boxes[i][k].max, max, sizeof max);
            snprintf(name, sizeof name, "%s %s", min, max);
            snprintf(out->has[i], sizeof out->has[i], "\"box\":\"%s\"", name);
        }
        if (diff_said(out, "box", name)) return true;
    }
    return false;
}

bool diff_actors(script_state *const worlds[2], diff_object *out) {
    return diff_routes(worlds, out) || diff_agents(worlds, say_agent, out) || diff_boxes(worlds, out) ||
           diff_agents(worlds, say_hash, out);
}
