/* SPDX-License-Identifier: MIT */
/* Routes, agents, requests, the queue. */
#include "diff/diff.h"

#include <inttypes.h>
#include <string.h>

#include "cli/output/cells.h"
#include <wend/control.h>
#include <wend/figures.h>
#include <wend/save.h>

/* ---- agents ---- */

static void say_cell(char *out, size_t room, wend_cell cell) {
    snprintf(out, room, "[%" PRId32 ",%" PRId32 ",%" PRId32 "]", cell.x, cell.y, cell.z);
}

static void say_agent(const script_state *script, const world_agent *agent, char *out, size_t room) {
    wend_agent_state s = {.struct_bytes = sizeof s};
    wend_body_state body = {.struct_bytes = sizeof body};
    char cell[64], goal[64], end[64];
    uint64_t hash = 0;
    out[0] = '\0';
    if (agent && script->world.crowd) (void)wend_crowd_hash_agent(script->world.crowd, agent->id, &hash);
    if (!agent || !script->world.crowd || wend_crowd_get_agent(script->world.crowd, agent->id, &s)) return;
    say_cell(cell, sizeof cell, s.cell), say_cell(goal, sizeof goal, s.goal_cell),
        say_cell(end, sizeof end, s.path_end);
    const int at = snprintf(out, room,
                            "\"cell\":%s,\"point\":[%" PRId32 ",%" PRId32 ",%" PRId32 "],\"state\":%" PRId32
                            ",\"speed\":%" PRIu32 ",\"urgency\":%" PRId32 ",\"goal\":%s,\"has_goal\":%" PRId32
                            ",\"path_end\":%s,\"steps_left\":%" PRIu32 ",\"waited\":%" PRIu32 ",\"tries\":%" PRIu32
                            ",\"waits\":%" PRId32 ",\"route\":%" PRId32 ",\"searches\":%s,\"hash\":\"%016" PRIx64 "\"",
                            cell, s.point.x, s.point.y, s.point.z, s.state, s.speed_milli, s.urgency,
                            s.has_goal ? goal : "null", s.has_goal, end, s.steps_left, s.waited, s.tries, s.waits,
                            s.route, s.ticket.generation ? "true" : "false", hash);
    if (at < 0 || (size_t)at >= room || !script->world.bodies) return;
    if (wend_body_get(script->world.bodies, agent->id, &body)) return;
    snprintf(out + at, room - (size_t)at,
             ",\"body\":{\"at\":[%" PRId32 ",%" PRId32 "],\"velocity\":[%" PRId32 ",%" PRId32 "]}", body.at.x,
             body.at.y, body.velocity.x, body.velocity.y);
}

bool diff_said(diff_object *out, const char *what, const char *name) {
    if (strcmp(out->has[0], out->has[1]) == 0) return false;
    out->what = what;
    snprintf(out->name, sizeof out->name, "%s", name);
    return true;
}

/* Compares agents of one name. */
static bool diff_agents(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (const world_agent *agent = worlds[own]->world.agents.first; agent; agent = agent->next) {
            const world_agent *other = world_agent_find(&worlds[1 - own]->world, agent->name, agent->length);
            say_agent(worlds[own], agent, out->has[own], sizeof out->has[own]);
            say_agent(worlds[1 - own], other, out->has[1 - own], sizeof out->has[1 - own]);
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

static bool diff_routes(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < worlds[own]->built.routes.count; i++) {
            const cli_route *route = &worlds[own]->built.routes.items[i];
            say_route(route, out->has[own], sizeof out->has[own]);
            say_route(cli_route_find(&worlds[1 - own]->built.routes, route->name, strlen(route->name)),
                      out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "route", route->name)) return true;
        }
    return false;
}

/* ---- requests ---- */

static void say_request(const script_state *script, const script_name *name, char *out, size_t room) {
    wend_progress progress = {.struct_bytes = sizeof progress};
    char start[64], goal[64];
    out[0] = '\0';
    if (!name) return;
    if (name->pending) (void)wend_service_get_progress(script->service, name->ticket, &progress);
    say_cell(start, sizeof start, name->start), say_cell(goal, sizeof goal, name->goal);
    snprintf(out, room,
             "\"start\":%s,\"goal\":%s,\"pending\":%s,\"status\":\"%s\",\"cost\":%" PRId64
             ",\"state\":\"%s\",\"urgency\":%" PRId32 ",\"expansions\":%" PRIu64,
             start, goal, name->pending ? "true" : "false", wend_status_name(name->status), name->cost,
             wend_progress_name(progress.state), progress.urgency, progress.expansions);
}

static bool diff_requests(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < worlds[own]->names.capacity; i++) {
            const script_name *name = worlds[own]->names.items[i];
            if (!name) continue;
            say_request(worlds[own], name, out->has[own], sizeof out->has[own]);
            say_request(worlds[1 - own],
                        script_name_find(&worlds[1 - own]->names, (script_word){name->text, name->length, 1}),
                        out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "request", name->text)) return true;
        }
    return false;
}

static void say_queue(const script_state *script, char *out, size_t room) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    out[0] = '\0';
    if (!script->service || wend_service_get_stats(script->service, &stats)) return;
    snprintf(out, room,
             "\"pending\":%zu,\"submitted\":%" PRIu64 ",\"completed\":%" PRIu64 ",\"expansions\":%" PRIu64
             ",\"frames\":%" PRIu64,
             (size_t)wend_service_get_pending(script->service), stats.submitted, stats.completed, stats.expansions,
             stats.frames);
}

bool diff_actors(script_state *const worlds[2], diff_object *out) {
    if (diff_routes(worlds, out) || diff_agents(worlds, out) || diff_requests(worlds, out)) return true;
    for (int i = 0; i < 2; i++) say_queue(worlds[i], out->has[i], sizeof out->has[i]);
    return diff_said(out, "queue", "queue");
}
