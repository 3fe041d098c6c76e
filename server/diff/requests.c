/* SPDX-License-Identifier: MIT */
/* Requests, the queue, and the parts of a world by their hashes. */
#include "diff/diff.h"

#include <inttypes.h>
#include <string.h>

#include <wend/control.h>
#include <wend/figures.h>
#include <wend/save.h>

/* ---- requests ---- */

static void say_asked(script_state *const worlds[2], int own, const script_name *name, char *out, size_t room) {
    const wend_search_options *o = &name->options;
    diff_add(out, room,
             ",\"mode\":%" PRId32 ",\"reach\":%" PRId32 ",\"deadline\":%" PRIu64 ",\"max\":%" PRIu64
             ",\"weight\":%" PRId32 ",\"occupied\":%" PRId32 ",\"occupied_within\":%" PRId32 ",\"unloaded\":%" PRId32
             ",\"heuristic\":%" PRId32 ",\"on_stale\":%" PRId32 ",\"goals\":%" PRIu32
             ",\"leave_blocked_start\":%s,\"far_begin\":%s",
             name->asked.mode, name->asked.reach, name->asked.deadline_frames, o->max_expansions, o->weight_milli,
             o->occupied, o->occupied_within, o->unloaded, o->heuristic, o->on_stale, o->more_goal_count,
             o->leave_blocked_start ? "true" : "false", o->far_begin ? "true" : "false");
    diff_add_way(worlds, own, name->mover, o->profile, out, room);
}

static void say_request(script_state *const worlds[2], int own, const script_name *name, char *out, size_t room) {
    wend_progress progress = {.struct_bytes = sizeof progress};
    out[0] = '\0';
    if (!name) return;
    if (name->pending) (void)wend_service_get_progress(worlds[own]->service, name->ticket, &progress);
    snprintf(out, room,
             "\"start\":[%" PRId32 ",%" PRId32 ",%" PRId32 "],\"goal\":[%" PRId32 ",%" PRId32 ",%" PRId32
             "],\"pending\":%s,\"status\":\"%s\",\"cost\":%" PRId64 ",\"state\":\"%s\",\"urgency\":%" PRId32
             ",\"expansions\":%" PRIu64,
             name->start.x, name->start.y, name->start.z, name->goal.x, name->goal.y, name->goal.z,
             name->pending ? "true" : "false", wend_status_name(name->status), name->cost,
             wend_constant_name(WEND_NAME_PROGRESS, progress.state), progress.urgency, progress.expansions);
    if (name->pending) say_asked(worlds, own, name, out, room);
}

static const script_name *find_ticket(const script_names *names, wend_ticket ticket) {
    for (size_t i = 0; i < names->capacity; i++) {
        const script_name *name = names->items[i];
        if (name && name->ticket.index == ticket.index && name->ticket.generation == ticket.generation) return name;
    }
    return NULL;
}

static const script_name *find_request(script_state *const worlds[2], int own, const script_name *name) {
    const script_names *names = &worlds[1 - own]->names;
    if (diff_by_order(worlds)) return find_ticket(names, name->ticket);
    return script_name_find(names, (script_word){name->text, name->length, 1});
}

/* A script keeps the last request of a name, and not those that were refused: a recording has the others, too. */
static bool is_of_one_side(const script_name *name) {
    return !name->pending || name->ticket.generation == 0;
}

bool diff_requests(script_state *const worlds[2], diff_object *out) {
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < worlds[own]->names.capacity; i++) {
            const script_name *name = worlds[own]->names.items[i];
            if (!name) continue;
            const script_name *other = find_request(worlds, own, name);
            if (!other && diff_by_order(worlds) && is_of_one_side(name)) continue;
            say_request(worlds, own, name, out->has[own], sizeof out->has[own]);
            say_request(worlds, 1 - own, other, out->has[1 - own], sizeof out->has[1 - own]);
            if (diff_said(out, "request", name->text)) return true;
        }
    return false;
}

/* ---- parts ---- */

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

static void say_part(wend_map *map, wend_service *service, wend_crowd *crowd, char *out, size_t room) {
    uint64_t hash = 0;
    out[0] = '\0';
    if ((map || service || crowd) && !wend_world_hash(map, service, crowd, &hash))
        snprintf(out, room, "\"hash\":\"%016" PRIx64 "\"", hash);
}

bool diff_parts(script_state *const worlds[2], diff_object *out) {
    for (int i = 0; i < 2; i++) say_queue(worlds[i], out->has[i], sizeof out->has[i]);
    if (diff_said(out, "queue", "queue")) return true;
    for (int i = 0; i < 2; i++) say_part(worlds[i]->world.map, NULL, NULL, out->has[i], sizeof out->has[i]);
    if (diff_said(out, "map", "map")) return true;
    for (int i = 0; i < 2; i++) say_part(NULL, worlds[i]->service, NULL, out->has[i], sizeof out->has[i]);
    if (diff_said(out, "queue", "queue")) return true;
    for (int i = 0; i < 2; i++) say_part(NULL, NULL, worlds[i]->world.crowd, out->has[i], sizeof out->has[i]);
    if (diff_said(out, "crowd", "crowd")) return true;
    for (int i = 0; i < 2; i++) snprintf(out->has[i], sizeof out->has[i], "\"frames\":%" PRIu64, worlds[i]->frames);
    return diff_said(out, "frame", "frame");
}
