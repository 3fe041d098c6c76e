/* SPDX-License-Identifier: MIT */
/* Reads a recording, or any script with requests, as a load: its world, and the requests in their frames. */
#include <stdlib.h>
#include <string.h>

#include <wend/query.h>

#include "plan/plan_cli.h"
#include "script/script.h"
#include "cli/output/messages.h"
#include "shared/array.h"

enum { KINDS_MAX = 65536, RECORDED_MAX = 4000000, FRAMES_MAX = INT32_MAX };

/// Reads a script, a line at a time.
typedef struct reading {
    plan_recorded *recorded;
    uint64_t frame;
    bool orders, runs, requests; ///< it has orders to agents; frames; requests, even such as cannot be asked
    bool full;                   ///< more requests or frames than can be planned for
} reading;

/* ---- requests ---- */

/* Returns the part of a request that many others share. */
static plan_kind kind_of(const wend_request *request) {
    plan_kind kind;
    memset(&kind, 0, sizeof kind);
    wend_request_init(&kind.request, sizeof kind.request);
    wend_search_options_init(&kind.options, sizeof kind.options);
    kind.request.mover = request->mover;
    kind.request.mode = request->mode;
    kind.request.reach = request->reach;
    kind.options.leave_blocked_start = request->options->leave_blocked_start;
    kind.options.far_begin = request->options->far_begin;
    kind.options.engine = request->options->engine;
    kind.options.heuristic = request->options->heuristic;
    kind.options.weight_milli = request->options->weight_milli;
    kind.options.occupied = request->options->occupied;
    kind.options.occupied_within = request->options->occupied_within;
    kind.options.max_expansions = request->options->max_expansions;
    return kind;
}

/* @return the number of the kind; KINDS_MAX: no memory, or too many */
static size_t find_kind(plan_recorded *recorded, const wend_request *request) {
    const plan_kind kind = kind_of(request);
    for (size_t i = 0; i < recorded->kind_count; i++)
        if (memcmp(&recorded->kinds[i], &kind, sizeof kind) == 0) return i;
    if (recorded->kind_count == KINDS_MAX) return KINDS_MAX;
    if (!ARRAY_ROOM(recorded->kinds, recorded->kind_capacity, recorded->kind_count + 1)) return KINDS_MAX;
    recorded->kinds[recorded->kind_count] = kind;
    return recorded->kind_count++;
}

static int add_request(script_state *script, reading *r, wend_order *order) {
    plan_recorded *recorded = r->recorded;
    const wend_request *request = &order->request.def;
    bool reachable;
    const int status = script_request(script, order);
    if (status) return status;
    if (order->bad_argument ||
        wend_map_reachable(script->built.map, request->mover, request->start, request->goal, &reachable)) {
        recorded->left_out++;
        return CLI_DONE;
    }
    const size_t kind = find_kind(recorded, request);
    const bool room = ARRAY_ROOM(recorded->asks, recorded->capacity, recorded->count + 1);
    r->full = r->full || !room || kind == KINDS_MAX || recorded->count == RECORDED_MAX;
    if (r->full) return CLI_DONE;
    recorded->asks[recorded->count++] = (plan_ask){.frame = (uint32_t)r->frame,
                                                   .urgency = (int16_t)request->urgency,
                                                   .kind = (uint16_t)kind,
                                                   .start = request->start,
                                                   .goal = request->goal};
    return CLI_DONE;
}

/* Counts the frames that a line runs: 1, or COUNT of `frame COUNT`. */
static void count_frames(reading *r, const wend_order *order) {
    const uint64_t count = order->kind == WEND_ORDER_FRAME ? order->frame.count : 1;
    r->runs = true;
    r->full = r->full || count > FRAMES_MAX || r->frame + count > FRAMES_MAX;
    if (!r->full) r->frame += count;
}

/* Takes a line that a server of the script would leave out. */
static int read_line(void *context, script_state *script, wend_order *order) {
    reading *r = context;
    const uint32_t where = wend__order_rows[order->kind].where;
    r->orders = r->orders || order->kind == WEND_ORDER_AGENT || (where & WEND__GIVES_GOAL) != 0;
    r->runs = r->runs || order->kind == WEND_ORDER_WALK;
    r->requests = r->requests || order->kind == WEND_ORDER_REQUEST;
    if (order->kind == WEND_ORDER_REQUEST) return add_request(script, r, order);
    if (order->kind == WEND_ORDER_FRAME || order->kind == WEND_ORDER_DRAIN)
        count_frames(r, order);
    else
        r->recorded->left_out += (where & WEND__OF_SERVICE) == 0;
    return CLI_DONE;
}

/* Reads the script as one to serve: its world is as before its first frame. */
static int read_script(const char *path, const char *text, size_t size, reading *r, cli_world *loaded, bool *recorded) {
    const script_options options = {.serves = true, .left_out = read_line, .context = r};
    script_state script;
    script_init(&script, path, text, size, &options);
    script.is_world = true;
    const int status = script_run(&script);
    *recorded = script.recorded;
    script_free(&script);
    if (status)
        cli_world_free(&script.built);
    else
        *loaded = script.built;
    r->orders = r->orders || loaded->agents.count > 0 || loaded->orders.count > 0;
    return status;
}

int plan_recording_read(const char *path, uint64_t agents, cli_world *loaded, plan_recorded *recorded,
                        plan_played *played, bool *taken) {
    size_t size;
    reading r = {.recorded = recorded};
    *taken = false;
    if (strcmp(path, "-") == 0) return CLI_DONE; /* it can be read once only */
    char *text = cli_read_file(path, 0, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = CLI_DONE;
    if (script_maps_begins(text, size))
        status = cli_fail_at(path, 0, 0, "a recording of several maps: plan the script of one of them");
    else if (cli_script_begins(text, size))
        status = read_script(path, text, size, &r, loaded, &played->recorded);
    const bool plays = !status && r.orders && r.runs && !(agents > 0 && r.requests);
    *taken = plays || (!status && r.requests);
    if (plays) {
        plan_recording_free(recorded);
        played->path = path, played->text = text, played->size = size;
        return CLI_DONE;
    }
    free(text);
    if (*taken && r.full) return cli_fail_at(path, 0, 0, "more requests or frames than can be planned for");
    if (*taken && recorded->count == 0) return cli_fail_at(path, 0, 0, "no request of it can be asked");
    if (*taken) return CLI_DONE;
    plan_recording_free(recorded);
    cli_world_free(loaded);
    return status;
}

void plan_recording_free(plan_recorded *recorded) {
    free(recorded->asks);
    free(recorded->kinds);
    *recorded = (plan_recorded){0};
}
