/* SPDX-License-Identifier: MIT */
/* Commands of recordings: lines inside a frame, saves at the beginning, upkeep by name, and the hash of all
 * completions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "run/run.h"
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/routes.h>
#include <wend/save.h>

/// A line inside a frame: its position in the text, and its place in the frame.
typedef struct kept_line {
    script_state *script;
    size_t at, place;
    int line;
} kept_line;

/// Lines inside the next frame, in the order written; those of a place run in the callback of a request. The scripts of
/// several maps have it in common.
struct script_during {
    script_word *places; ///< names of requests
    size_t place_count, place_capacity;
    kept_line *lines;
    size_t count, capacity, done;
    int status; ///< status of the lines that ran in callbacks
};

/// The save of the lines so far, and its requests.
struct script_saves {
    int32_t part;
    uint8_t *bytes;
    size_t count, capacity;
    uint64_t left;          ///< bytes that come in further lines
    script_name **requests; ///< requests by their places in the queue
    size_t request_count, request_capacity;
};

/* ---- keeping lines ---- */

int script_act_during(script_state *script, wend_order *order) {
    (void)order;
    if (!script->during) script->during = calloc(1, sizeof *script->during);
    struct script_during *during = script->during;
    if (!during) return script_no_memory(script);
    if (during->count == 0) during->status = CLI_DONE;
    if (!WEND__ARRAY_ROOM(during->places, during->place_capacity, during->place_count + 1))
        return script_no_memory(script);
    script->during_place = during->place_count;
    during->places[during->place_count++] = script->reader.words[1];
    script->during_open = true;
    return CLI_DONE;
}

bool script_during_takes(const script_state *script) {
    static const char *const ends[] = {"during", "frame", "drain", "walk"};
    if (!script->during_open) return false;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (script_word_is(script->reader.words[0], ends[i])) return false;
    return true;
}

int script_during_keep(script_state *script) {
    struct script_during *during = script->during;
    const script_word first = script->reader.words[0];
    if (!WEND__ARRAY_ROOM(during->lines, during->capacity, during->count + 1)) return script_no_memory(script);
    during->lines[during->count++] = (kept_line){.script = script,
                                                 .at = (size_t)(first.text - script->text) - (first.column - 1),
                                                 .place = script->during_place,
                                                 .line = script->line};
    return CLI_DONE;
}

/* ---- running them ---- */

bool script_during_waits(const script_state *script) {
    return script->during && script->during->count > 0;
}

/* Runs lines of places up to one, inclusive: the last of its name, as each map's script names it. */
static void run_lines(struct script_during *during, size_t last_place) {
    while (!during->status && during->done < during->count && during->lines[during->done].place <= last_place) {
        const kept_line line = during->lines[during->done++];
        during->status = script_line_at(line.script, line.at, line.line);
    }
}

void script_during_callback(const script_name *name) {
    script_state *script = name->script;
    struct script_during *during = script->during;
    if (!during || during->done == during->count || script->failed || script->ending) return;
    for (size_t i = during->place_count; i-- > during->lines[during->done].place;)
        if (script_word_is(during->places[i], name->text)) {
            run_lines(during, i);
            return;
        }
}

int script_during_end(script_state *script) {
    struct script_during *during = script->during;
    if (!during) return CLI_DONE;
    run_lines(during, SIZE_MAX);
    script->during_open = false;
    during->count = during->done = during->place_count = 0;
    return during->status;
}

/* A file that ends within a line may have lost digits. */
int script_recording_check_end(script_state *script) {
    if (script->recorded && script->size > 0 && script->text[script->size - 1] != '\n')
        return script_fail(script, script->reader.end_column, "the recording ends within a line");
    if (!script->during_open) return CLI_DONE;
    return script_fail(script, script->reader.end_column, "the end comes before the frame that 'during' stands in");
}

void script_during_free(script_state *script) {
    if (!script->during) return;
    free(script->during->places);
    free(script->during->lines);
    free(script->during);
    script->during = NULL;
}

/* ---- saves from which a recording continues: names of their objects ---- */

static int keep_request(script_state *script, struct script_saves *saves, const wend_order *order) {
    enum { MOST = 1 << 24 }; /* most places of a queue */
    const script_word word = script_name_of(script, order, &order->state.text);
    const size_t place = (size_t)order->state.number;
    if (order->state.number >= MOST) return script_fail(script, word.column, "a queue has at most %d places", MOST);
    script_name *name = script_name_find(&script->names, word);
    if (name) return script_fail(script, word.column, "'%s' is there already", wend__show_word(word).text);
    while (saves->request_count <= place) {
        if (!WEND__ARRAY_ROOM(saves->requests, saves->request_capacity, saves->request_count + 1))
            return script_no_memory(script);
        saves->requests[saves->request_count++] = NULL;
    }
    name = script_name_make(&script->names, word);
    if (!name) return script_no_memory(script);
    name->script = script;
    saves->requests[place] = name;
    return CLI_DONE;
}

/* The crowd has the route from its save. */
static int keep_route(script_state *script, const wend_order *order) {
    static const wend_cell none;
    const script_word word = script_name_of(script, order, &order->state.text);
    cli_routes *routes = &script->built.routes;
    if (cli_route_find(routes, word.text, word.length))
        return script_fail(script, word.column, "'%s' is there already", wend__show_word(word).text);
    cli_route *route = cli_route_keep(routes, word.text, word.length, WEND_ROUTE_ONCE, &none, 1);
    if (!route) return script_no_memory(script);
    route->number = (uint32_t)order->state.number;
    route->added = true;
    return CLI_DONE;
}

static void give_request(void *context, wend_ticket ticket, wend_request *request) {
    script_state *script = context;
    struct script_saves *saves = script->saves;
    script_name *name = ticket.index < saves->request_count ? saves->requests[ticket.index] : NULL;
    if (!name) return;
    saves->requests[ticket.index] = NULL;
    name->ticket = ticket;
    name->start = request->start, name->goal = request->goal, name->mover = request->mover;
    script_name_asks(name, request);
    name->pending = true;
    script->pending++;
    request->on_done = script_done;
    request->context = name;
}

/* A removed agent may still have a waiting event. */
static void *give_agent(void *context, wend_agent_id id) {
    world_state *w = &((script_state *)context)->world;
    world_agent *agent = w->agents.by_index[id.index];
    char name[16];
    if (agent && agent->id.generation == id.generation) return agent;
    snprintf(name, sizeof name, "a%u", (unsigned)id.index);
    return world_agent_restore(w, name, id, WEND_MOVER_DEFAULT, !agent);
}

/* ---- the same: restoring ---- */

static wend_error restore(script_state *script, const struct script_saves *saves) {
    wend_map *const maps[] = {script->built.map};
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = maps, host.map_count = 1;
    host.context = script, host.request = give_request, host.agent = give_agent;
    switch (saves->part) {
    case WEND__STATE_MAP: return wend_map_restore_state(script->built.map, saves->bytes, saves->count);
    case WEND__STATE_SERVICE: return wend_service_restore_state(script->service, &host, saves->bytes, saves->count);
    default: return wend_crowd_restore_state(script->world.crowd, &host, saves->bytes, saves->count);
    }
}

/* Returns the value of a hexadecimal digit; 16: not one. */
static unsigned digit_of(char c) {
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static int add_bytes(script_state *script, struct script_saves *saves, const wend_order *order) {
    const script_word word = script_word_of(script, order, &order->state.text);
    const bool first = saves->left == 0;
    const size_t count = word.length / 2;
    if (first) saves->count = 0, saves->part = order->state.part;
    if (word.length % 2 || count == 0 || saves->part != order->state.part ||
        (!first && saves->left != order->state.number + count))
        return script_fail(script, word.column, "these are not the next bytes of the save");
    if (!WEND__ARRAY_ROOM(saves->bytes, saves->capacity, saves->count + count)) return script_no_memory(script);
    for (size_t i = 0; i < count; i++) {
        const unsigned high = digit_of(word.text[2 * i]), low = digit_of(word.text[2 * i + 1]);
        if (high > 15 || low > 15) return script_fail(script, word.column, "a save is of digits 0 to 9 and a to f");
        saves->bytes[saves->count++] = (uint8_t)(high << 4 | low);
    }
    saves->left = order->state.number;
    return CLI_DONE;
}

static int act_save(script_state *script, struct script_saves *saves, const wend_order *order) {
    const size_t column = script->reader.words[0].column;
    int status = add_bytes(script, saves, order);
    if (!status && saves->part == WEND__STATE_SERVICE) status = script_make_service(script);
    if (!status && saves->part == WEND__STATE_CROWD && !script->world.crowd)
        status = script_fail(script, column, "the line of the crowd comes first");
    if (!status && saves->part != WEND__STATE_CROWD && script->world.crowd)
        status = script_fail(script, column, "the saves of map and service come before the crowd");
    if (status || saves->left > 0) return status;
    const wend_error error = restore(script, saves);
    free(saves->bytes);
    saves->bytes = NULL;
    saves->count = saves->capacity = 0;
    if (error) return script_fail(script, column, "%s", wend_error_detail(error));
    if (saves->part != WEND__STATE_CROWD) return CLI_DONE;
    world_boxes *boxes = &script->world.boxes;
    world_agents_settle(&script->world);
    wend_crowd_get_boxes(script->world.crowd, boxes->of, WEND_MAX_CLEARED_BOXES, &boxes->count);
    return CLI_DONE;
}

int script_act_state(script_state *script, wend_order *order) {
    const size_t column = script->reader.words[0].column;
    if (!script->recorded || script->frames > 0)
        return script_fail(script, column, "state stands in a recording, before its first frame");
    if (script->options->trial) return script_fail(script, column, "a recording that goes on from saves has no plan");
    if (!script->saves) script->saves = calloc(1, sizeof *script->saves);
    struct script_saves *saves = script->saves;
    if (!saves) return script_no_memory(script);
    if (!wend_order_gave(order, &order->state.text))
        return script_fail(script, column, "state %s has a number and a text",
                           wend__show_word(script->reader.words[1]).text);
    switch (order->state.part) {
    case WEND__STATE_REQUEST: return keep_request(script, saves, order);
    case WEND__STATE_ROUTE: return keep_route(script, order);
    default: return act_save(script, saves, order);
    }
}

void script_saves_free(script_state *script) {
    if (!script->saves) return;
    free(script->saves->bytes);
    free(script->saves->requests);
    free(script->saves);
    script->saves = NULL;
}

/* ---- other commands ---- */

int script_act_recording(script_state *script, wend_order *order) {
    (void)order;
    script->recorded = script->world.recorded = true; /* unused ones take room, too */
    return CLI_DONE;
}

int script_act_maintain(script_state *script, wend_order *order) {
    const uint32_t named =
        (order->maintain.prune ? WEND_MAINTAIN_PRUNE : 0u) | (order->maintain.tables ? WEND_MAINTAIN_TABLES : 0u) |
        (order->maintain.landmarks ? WEND_MAINTAIN_LANDMARKS : 0u) | (order->maintain.far ? WEND_MAINTAIN_FAR : 0u);
    const wend_error error =
        wend_map_maintain(script->built.map, named ? named : WEND_MAINTAIN_ALL, order->maintain.effort, NULL);
    if (!error) return CLI_DONE;
    return script_fail(script, script->reader.words[0].column, "maintain: %s", wend_error_detail(error));
}

int script_act_close(script_state *script, wend_order *order) {
    (void)order;
    if (script->service) wend_service_close(script->service);
    return CLI_DONE;
}

/* ---- the hash ---- */

void script_recording_completed(script_state *of_map, const wend_completion *done) {
    script_state *script = script_maps_tally(of_map);
    if (script->completed++ == 0) script->hash = WEND__HASH_START;
    if (script->options->hash)
        script->hash =
            wend__hash_answer(script->hash, done->number, done->status, done->cost, done->cells, done->cell_count);
}

void script_recording_print_hash(const script_state *script) {
    FILE *out = script->options->out;
    fprintf(out, "{\"frames\":%" PRIu64 ",\"completed\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\"", script->frames,
            script->completed, script->completed > 0 ? script->hash : WEND__HASH_START);
    if (script->positions != 0) fprintf(out, ",\"positions\":\"%016" PRIx64 "\"", script->positions);
    fputs("}\n", out);
}
