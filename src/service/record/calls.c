/* SPDX-License-Identifier: MIT */
/* Lines of requests and of what is asked of them, written while the inbox is locked: their order is that of the
 * calls. */
#include "service/record/record.h"

#include "service/backlog/backlog.h"
#include "service/record/recorder.h"

enum { REQUEST_BYTES = 512 + WEND_MAX_GOALS * (WEND__CELL_TEXT_BYTES + 1) };

bool wend__record_before_end(wend_service *service) {
    wend__mutex_lock(service->recorder->gate);
    return true;
}

/* The intake looks at what came to a backlog during the frame, too. */
bool wend__record_before_change(wend_service *service, const wend__change *change) {
    const bool now = change->what == WEND__CHANGE_CANCEL || wend__has_backlog(service);
    return now && wend__record_before_end(service);
}

void wend__record_open_gate(wend_service *service, bool shut) {
    if (shut) wend__mutex_unlock(service->recorder->gate);
}

/* The maps of accepted requests are in the recording, unless it has failed. */
static wend__recorded_map *map_of(const wend_map *map) {
    wend__tap *tap = wend__map_tap(map);
    return tap ? tap->context : NULL;
}

static void put_line(wend__recorded_map *map, char *text, wend__phrase *line) {
    if (!map) return;
    *line->at++ = '\n';
    wend__mutex_lock(map->recorder->mutex);
    wend__stream_lines(map, text, (size_t)(line->at - text), 1);
    wend__mutex_unlock(map->recorder->mutex);
}

static void put_name(const wend_service *service, wend__phrase *line, const char *verb, uint64_t number) {
    wend__phrase_text(line, verb);
    wend__phrase_number(line, number - service->recorder->first_number);
}

/* ---- requests ---- */

static void put_weight(wend__phrase *line, int32_t milli) {
    wend__phrase_option(line, " weight=", (uint64_t)milli / 1000);
    *line->at++ = '.';
    for (int32_t part = 100; part > 0; part /= 10) *line->at++ = (char)('0' + milli / part % 10);
}

static void put_units(wend__phrase *line, const wend_request *request) {
    if (request->occupied == WEND_OCCUPIED_BLOCK) wend__phrase_text(line, " occupied=block");
    if (request->occupied > 0) wend__phrase_option(line, " occupied=", (uint64_t)request->occupied);
    if (request->occupied_within != WEND_EVERYWHERE)
        wend__phrase_option(line, " occupied_within=", (uint64_t)request->occupied_within);
}

static void put_goals(wend__phrase *line, int32_t axes, const wend_request *request) {
    for (uint32_t i = 0; i < request->more_goal_count; i++) {
        wend__phrase_text(line, i == 0 ? " goals=" : ";");
        wend__phrase_cell(line, axes, request->more_goals[i]);
    }
}

static void put_search(wend__phrase *line, const wend_request *request) {
    static const char *const engines[] = {"", " engine=astar", " engine=jump"};
    static const char *const heuristics[] = {"", " heuristic=manhattan", " heuristic=euclid", " heuristic=zero"};
    wend__phrase_text(line, engines[request->engine]);
    wend__phrase_text(line, heuristics[request->heuristic]);
    if (request->weight_milli != 1000) put_weight(line, request->weight_milli);
    if (request->mode == WEND_MODE_NEAREST) wend__phrase_text(line, " mode=nearest");
    if (request->reach > 0) wend__phrase_option(line, " reach=", (uint64_t)request->reach);
    if (request->mover != WEND_MOVER_DEFAULT) wend__phrase_option(line, " mover=m", (uint64_t)request->mover);
    if (request->flags & WEND_REQUEST_LEAVE_BLOCKED_START) wend__phrase_text(line, " leave_blocked_start");
}

static void put_limits(wend__phrase *line, const wend_request *request) {
    if (request->urgency != 0) {
        wend__phrase_text(line, " urgency=");
        wend__phrase_signed(line, request->urgency);
    }
    if (request->deadline_frames != WEND_NO_LIMIT) wend__phrase_option(line, " deadline=", request->deadline_frames);
    if (request->max_expansions != WEND_NO_LIMIT) wend__phrase_option(line, " max=", request->max_expansions);
    if (request->on_stale == WEND_ON_STALE_DELIVER) wend__phrase_text(line, " on_stale=deliver");
    if (request->agent != WEND_NO_AGENT) wend__phrase_option(line, " agent=", request->agent);
    if (!request->on_done) wend__phrase_text(line, " polled");
}

void wend__record_submitted(wend_service *service, const wend_request *request, uint64_t number) {
    wend__recorded_map *map = map_of(request->map);
    char text[REQUEST_BYTES];
    wend__phrase line = {text};
    const int32_t axes = wend__map_axes(request->map);
    put_name(service, &line, "request ", number);
    wend__phrase_text(&line, " ");
    wend__phrase_cell(&line, axes, request->start);
    wend__phrase_text(&line, " ");
    wend__phrase_cell(&line, axes, request->goal);
    put_goals(&line, axes, request);
    put_search(&line, request);
    put_units(&line, request);
    put_limits(&line, request);
    put_line(map, text, &line);
}

void wend__record_refused(wend_service *service) {
    wend__mutex_lock(service->recorder->mutex);
    service->recorder->refused++;
    wend__mutex_unlock(service->recorder->mutex);
}

/* ---- changes ---- */

/* `index`: of the ticket. Hosts have no tickets of untold requests, but may cancel all of a map's. */
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change) {
    const wend__waiter *waiters = service->inbox.backlog.waiters;
    if (waiters ? waiters[index].untold : service->entries[index].untold) {
        wend__record_unsupported(service);
        return;
    }
    const uint64_t number = waiters ? waiters[index].number : service->entries[index].number;
    const wend_map *map = waiters ? waiters[index].map : service->entries[index].request.map;
    char text[128];
    wend__phrase line = {text};
    if (change->what == WEND__CHANGE_CANCEL) put_name(service, &line, "cancel ", number);
    if (change->what == WEND__CHANGE_URGENCY) {
        put_name(service, &line, "urgency ", number);
        wend__phrase_text(&line, " ");
        wend__phrase_signed(&line, change->urgency);
    }
    if (change->what == WEND__CHANGE_GOAL) {
        put_name(service, &line, "goal ", number);
        wend__phrase_text(&line, " ");
        wend__phrase_cell(&line, wend__map_axes(map), change->goal);
    }
    put_line(map_of(map), text, &line);
}

/* One script says it for all. */
void wend__record_closed(wend_service *service) {
    wend__recorder *recorder = service->recorder;
    wend__mutex_lock(recorder->mutex);
    if (recorder->map_count > 0) wend__stream_lines(&recorder->maps[0], "close\n", 6, 1);
    wend__mutex_unlock(recorder->mutex);
}

void wend__record_polled(wend_service *service, const wend_map *map) {
    char text[16];
    wend__phrase line = {text};
    if (!service->recorder) return;
    wend__phrase_text(&line, "poll");
    put_line(map_of(map), text, &line);
}
