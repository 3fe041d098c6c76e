/* SPDX-License-Identifier: MIT */
/* The lines of a crowd in a recording. Agent number i has the name ai, route number i the name ri. */
#include "crowd/state/told_orders.h"

#include "base/phrase.h"
#include "map/tap/tap.h"
#include "service/inbox/untold.h"

enum { LINE_BYTES = 512 };

/* ---- beginning and ending ---- */

bool wend__told_begin(wend_crowd *crowd) {
    const bool told = wend__crowd_tells(crowd);
    if (told) wend__record_shut(crowd->def.service);
    return told;
}

void wend__told_end(wend_crowd *crowd, bool told) {
    if (told) wend__record_open(crowd->def.service);
}

wend_error wend__crowd_submit(wend_crowd *crowd, const wend_request *request, wend_ticket *out) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_tells(crowd)) return wend__submit_untold(service, request, out);
    return wend_service_submit(service, request, out);
}

void wend__crowd_cancel(wend_crowd *crowd, wend_ticket ticket) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_tells(crowd))
        (void)wend__cancel_untold(service, ticket);
    else
        (void)wend_service_cancel(service, ticket);
}

/* ---- lines ---- */

/* A line in one piece. */
static void put_line(const wend_crowd *crowd, const char *text, const wend__phrase *line) {
    if (!wend__record_line(crowd->def.service, crowd->def.map, "")) return;
    wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(line->at - text));
    wend__record_line_end(crowd->def.service, crowd->def.map);
}

static void put_names(const wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    char text[32];
    for (size_t i = 0; i < count; i++) {
        wend__phrase name = {text};
        wend__phrase_option(&name, " a", ids[i].index);
        wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(name.at - text));
    }
}

static void put_cell(const wend_crowd *crowd, wend__phrase *line, const char *before, wend_cell cell) {
    wend__phrase_text(line, before);
    wend__phrase_cell(line, wend__map_axes(crowd->def.map), cell);
}

/* ---- the crowd ---- */

static void put_limits(const wend_crowd_def *def, wend__phrase *line) {
    wend__phrase_option(line, "crowd agents=", def->agents);
    wend__phrase_option(line, " paths=", def->path_bytes);
    wend__phrase_option(line, " events=", def->events);
    wend__phrase_option(line, " units_within=", (uint64_t)def->units_within);
    wend__phrase_option(line, " tries=", def->tries);
    wend__phrase_option(line, " retry=", def->retry_updates);
    wend__phrase_option(line, " routes=", def->routes);
    wend__phrase_option(line, " route_cells=", def->route_cells);
    wend__phrase_option(line, " head_start=", def->head_start);
    wend__phrase_option(line, " fields=", def->fields);
    wend__phrase_option(line, " field_agents=", def->field_agents);
    wend__phrase_option(line, " work=", def->work);
    wend__phrase_option(line, " patience=", def->patience_updates);
}

void wend__told_made(wend_crowd *crowd) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    crowd->recording = wend__record_orders(crowd->def.service, crowd->def.map);
    if (crowd->recording == 0) return;
    put_limits(&crowd->def, &line);
    put_line(crowd, text, &line);
    wend__traffic_tell(crowd->traffic, false);
}

void wend__told_gone(wend_crowd *crowd) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_text(&line, "disband");
    put_line(crowd, text, &line);
    wend__record_orders_end(crowd->def.service, crowd->def.map);
}

void wend__told_update(const wend_crowd *crowd, uint32_t elapsed_milli) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "update ", elapsed_milli);
    put_line(crowd, text, &line);
}

/* ---- agents ---- */

void wend__told_add(const wend_crowd *crowd, uint32_t index, const wend_agent_def *def) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "agent a", index);
    put_cell(crowd, &line, " ", def->cell);
    wend__phrase_option(&line, " speed=", def->speed_milli);
    if (def->mover != WEND_MOVER_DEFAULT) wend__phrase_option(&line, " mover=m", (uint64_t)def->mover);
    if (def->urgency != 0) {
        wend__phrase_text(&line, " urgency=");
        wend__phrase_signed(&line, def->urgency);
    }
    if (def->flags & WEND_AGENT_GHOST) wend__phrase_text(&line, " ghost");
    put_line(crowd, text, &line);
    if (def->flags & WEND_AGENT_STEERED) wend__told_step(crowd, index, def->cell);
}

void wend__told_step(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "steer a", index);
    put_cell(crowd, &line, " ", cell);
    put_line(crowd, text, &line);
}

void wend__told_move(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "adjust a", index);
    put_cell(crowd, &line, " cell=", cell);
    put_line(crowd, text, &line);
}

void wend__told_change(const wend_crowd *crowd, uint32_t index, const char *key, int64_t value) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "adjust a", index);
    wend__phrase_text(&line, key);
    wend__phrase_signed(&line, value);
    put_line(crowd, text, &line);
}

void wend__told_mover(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    char text[32];
    wend__phrase option = {text};
    if (!wend__record_line(crowd->def.service, crowd->def.map, "adjust")) return;
    put_names(crowd, ids, count);
    if (mover == WEND_MOVER_DEFAULT)
        wend__phrase_text(&option, " mover=default");
    else
        wend__phrase_option(&option, " mover=m", (uint64_t)mover);
    wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(option.at - text));
    wend__record_line_end(crowd->def.service, crowd->def.map);
}

/* ---- wishes ---- */

static void tell_group(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (!wend__record_line(crowd->def.service, crowd->def.map, "go")) return;
    put_names(crowd, ids, count);
    put_cell(crowd, &line, " to ", goal->cell);
    if (goal->reach > 0) wend__phrase_option(&line, " reach=", (uint64_t)goal->reach);
    wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(line.at - text));
    wend__record_line_end(crowd->def.service, crowd->def.map);
}

static void tell_pursuit(const wend_crowd *crowd, uint32_t index, const wend_crowd_goal *goal) {
    const bool follows = goal->kind == WEND_CROWD_FOLLOW;
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, follows ? "follow a" : "flee a", index);
    wend__phrase_option(&line, " a", goal->target.index);
    wend__phrase_option(&line, follows ? " reach=" : " distance=", (uint64_t)(follows ? goal->reach : goal->distance));
    if (!follows && goal->keep) wend__phrase_text(&line, " keep");
    put_line(crowd, text, &line);
}

void wend__told_go(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal) {
    if (count > 0 && goal->kind == WEND_CROWD_CELL) tell_group(crowd, ids, count, goal);
    for (size_t i = 0; goal->kind != WEND_CROWD_CELL && i < count; i++) tell_pursuit(crowd, ids[i].index, goal);
}

void wend__told_names(const wend_crowd *crowd, const char *verb, const wend_agent_id *ids, size_t count) {
    if (count == 0 || !wend__record_line(crowd->def.service, crowd->def.map, verb)) return;
    put_names(crowd, ids, count);
    wend__record_line_end(crowd->def.service, crowd->def.map);
}

void wend__told_route(const wend_crowd *crowd, uint32_t number, const wend_route_def *def) {
    static const char *const modes[] = {" once", " loop", " back"};
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (!wend__record_line(crowd->def.service, crowd->def.map, "route")) return;
    wend__phrase_option(&line, " r", number);
    wend__phrase_text(&line, modes[def->mode]);
    wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(line.at - text));
    for (uint32_t i = 0; i < def->corner_count; i++) {
        line.at = text;
        put_cell(crowd, &line, " ", def->corners[i]);
        wend__record_part(crowd->def.service, crowd->def.map, text, (size_t)(line.at - text));
    }
    wend__record_line_end(crowd->def.service, crowd->def.map);
}

void wend__told_take(const wend_crowd *crowd, uint32_t index, uint32_t route) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, "take a", index);
    wend__phrase_option(&line, " r", route);
    put_line(crowd, text, &line);
}
