/* SPDX-License-Identifier: MIT */
/* Commands that request paths, the service that serves them, and the printing of answers. */
#define _DEFAULT_SOURCE

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/world/heap.h"
#include "script/script.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/control.h>
#include <wend/versions.h>

/* ---- names: a hash table, so that scripts with many names take no quadratic time ---- */

/* Returns the entry of a text, or the empty entry where it belongs. */
static script_name **place_of(const script_names *names, const char *text, size_t length) {
    size_t at = (size_t)wend__hash_name(WEND__HASH_START, text, length) & (names->capacity - 1);
    script_name **items = names->items;
    while (items[at] && (items[at]->length != length || memcmp(items[at]->text, text, length) != 0))
        at = (at + 1) & (names->capacity - 1);
    return &items[at];
}

script_name *script_name_find(const script_names *names, script_word word) {
    return names->count == 0 ? NULL : *place_of(names, word.text, word.length);
}

static bool grow_names(script_names *names) {
    script_names larger = {.count = names->count, .capacity = names->capacity == 0 ? 64 : names->capacity * 2};
    larger.items = cli_alloc_zero(larger.capacity, sizeof(script_name *));
    if (!larger.items) return false;
    for (size_t i = 0; i < names->capacity; i++) {
        script_name *name = names->items[i];
        if (name) *place_of(&larger, name->text, name->length) = name;
    }
    cli_free(names->items);
    *names = larger;
    return true;
}

script_name *script_name_make(script_names *names, script_word word) {
    script_name *name = script_name_find(names, word);
    if (name) return name;
    if (2 * (names->count + 1) > names->capacity && !grow_names(names)) return NULL;
    name = cli_alloc_zero(1, sizeof *name + word.length + 1);
    if (!name) return NULL;
    name->length = word.length;
    memcpy(name->text, word.text, word.length);
    *place_of(names, word.text, word.length) = name;
    names->count++;
    return name;
}

void script_name_asks(script_name *name, const wend_request *request) {
    name->asked = *request;
    name->options = *request->options;
    name->asked.options = NULL;
    name->options.more_goals = NULL;
}

void script_names_free(script_names *names) {
    for (size_t i = 0; i < names->capacity; i++) cli_free(names->items[i]);
    cli_free(names->items);
    *names = (script_names){NULL, 0, 0};
}

/* ---- limits ---- */

int script_act_limit(script_state *script, wend_order *order) {
    cli_limits_apply(&script->built.limits, order);
    return CLI_DONE;
}

/* ---- the service ---- */

static void complete_limits(script_state *script) {
    enum { ONE_MORE_PATH = 4096 }; /* so that others need not wait for the longest */
    cli_limits *given = &script->built.limits;
    if (script->options->trial) {
        given->def = script->options->trial->service;
        return;
    }
    if (script->options->lanes > 0) given->tuning.lanes = (uint32_t)script->options->lanes;
    if (script->options->slice > 0) given->tuning.slice = script->options->slice;
    given->def.workers = (uint32_t)script->options->workers;
    cli_limits_complete(given, script->built.map, ONE_MORE_PATH);
}

/* An agent needs the service before the first request, and so does a recording's first frame. So the limits of later
 * lines, up to the first request or frame, are read then. */
static int limits_ahead(script_state *script) {
    static const char *const ends[] = {"request", "frame", "drain", "walk"};
    const bool recorded_first = script->options->record_file && script_word_is(script->reader.words[0], "frame");
    const bool crowd =
        script_word_is(script->reader.words[0], "agent") || script_word_is(script->reader.words[0], "crowd");
    bool ended = !crowd && !recorded_first;
    int status;
    script_place place = script_mark(script);
    while (!ended && script_next_line(script, &status)) {
        wend_order said;
        if (script->reader.word_count == 0) continue;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            ended |= script_word_is(script->reader.words[0], ends[i]);
        if (!script_word_is(script->reader.words[0], "limit") || script->reader.word_count != 3) continue;
        if (script_read(script, &said)) break;
        script_act_limit(script, &said);
        script->limits_end = script->line;
    }
    return script_return(script, &place) ? CLI_DONE : script_no_memory(script);
}

int script_make_service(script_state *script) {
    if (script->service) return CLI_DONE;
    int status = limits_ahead(script);
    if (status) return status;
    script->changed = script->requested = true;
    complete_limits(script);
    return script_create_service(script);
}

int script_create_service(script_state *script) {
    const cli_limits *given = &script->built.limits;
    if (given->versions > 0) wend_map_set_max_versions(script->built.map, given->versions);
    if (script_maps_share_service(script)) return CLI_DONE;
    size_t bytes = wend_service_bytes(&given->def), column = script->reader.words ? script->reader.words[0].column : 1;
    uint64_t most = script->options->most_bytes;
    if (bytes == 0) return script_fail(script, column, "these limits are more than a service can hold");
    wend_error error =
        most > 0 && bytes > most ? WEND_OUT_OF_MEMORY : wend_service_create(&given->def, &script->service);
    if (!error)
        return script->options->record_from > 0 ? CLI_DONE
                                                : world_recording_open(&script->record, script->options->record_file,
                                                                       script->service, script->built.map);
    if (error != WEND_OUT_OF_MEMORY) return script_fail(script, column, "%s", wend_error_detail(error));
    return script_fail(script, column,
                       "no memory for a service of %zu bytes: limit nodes and limit cells make it smaller", bytes);
}

/* ---- printing ---- */

static void print_completion(const script_name *name, const wend_completion *done) {
    const script_state *script = name->script;
    FILE *out = script->options->out;
    const wend__completion_line line = {.done = done,
                                        .frames = script->ending ? script->frames - name->submitted : done->frames,
                                        .first_epoch = script->first_epoch,
                                        .axes = wend__kind_axes(script->kind)};
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
    cli_json_string(out, name->text);
    fputc(',', out);
    wend__completion_write_json(&line, cli_put, out);
    fputs("}\n", out);
}

void script_done(void *context, const wend_completion *done) {
    script_name *name = context;
    name->pending = false;
    name->script->pending--;
    script_recording_completed(name->script, done);
    name->status = done->status;
    name->cost = done->cost;
    script_keep_trail(name->script, done);
    script_watch_keep(name, done);
    if (!name->script->failed && !name->script->options->trial) print_completion(name, done);
    script_during_callback(name);
}

const char *script_refusal_name(wend_error error, char out[SCRIPT_REFUSAL_BYTES]) {
    static const char prefix[] = "WEND_";
    const char *text = wend_error_name(error);
    size_t length = 0;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
    for (; text[length] != '\0' && length + 1 < SCRIPT_REFUSAL_BYTES; length++)
        out[length] = (char)tolower((unsigned char)text[length]);
    out[length] = '\0';
    return out;
}

static void print_refusal(const script_state *script, const script_name *name, wend_error error) {
    FILE *out = script->options->out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
    cli_json_string(out, name->text);
    fprintf(out, ",\"error\":\"%s\"}\n", script_refusal_name(error, (char[SCRIPT_REFUSAL_BYTES]){0}));
}

/* ---- request ---- */

/* Submit refuses a node that no line has declared, like any cell off the map. */
static void check_node(const script_state *script, wend_cell *cell) {
    if (script->kind == WEND_KIND_GRAPH && !world_is_on_map(&script->world, *cell)) cell->x = -1;
}

/* Checks names, defaults of the command line, and fields that graphs lack. */
int script_request(script_state *script, wend_order *order) {
    wend_request *request = &order->request.def;
    wend_search_options *options = &order->request.options;
    request->options = options;
    request->map = script->built.map;
    request->on_done = script_done;
    if (!wend_order_gave(order, &options->engine)) options->engine = script->options->engine;
    check_node(script, &request->start);
    check_node(script, &request->goal);
    for (size_t i = 0; i < order->request.goals.count; i++) check_node(script, &script->reader.cells[i]);
    options->more_goals = order->request.goals.items;
    options->more_goal_count = (uint32_t)order->request.goals.count;
    /* graphs have no distances: any number is refused, 0 too */
    if (script->kind == WEND_KIND_GRAPH &&
        (wend_order_gave(order, &request->reach) || wend_order_gave(order, &options->occupied_within)))
        order->bad_argument = true;
    world_error refusal = {0};
    request->mover = world_mover_of(&script->world, &order->request.mover, &refusal);
    request->mover =
        world_mover_minding(&script->world, request->mover, &order->request.avoid, &order->request.shun, &refusal);
    options->profile = request->mover >= 0 ? world_profile_of(&script->world, &order->request.layers, &refusal) : -1;
    return options->profile >= 0 ? CLI_DONE : script_refused(script, order, &refusal);
}

int script_act_request(script_state *script, wend_order *order) {
    const script_word word = script_name_of(script, order, &order->request.id);
    script_name *name = script_name_find(&script->names, word);
    int status = script_request(script, order);
    if (status) return status;
    if (name && name->pending)
        return script_fail(script, word.column, "'%s' is pending: its completion comes first",
                           wend__show_word(word).text);
    status = script_make_service(script);
    if (status) return status;
    name = script_name_make(&script->names, word);
    if (!name) return script_no_memory(script);
    name->script = script;
    wend_request request = order->request.def;
    request.context = name;
    wend_error error =
        order->bad_argument ? WEND_BAD_ARGUMENT : wend_service_submit(script->service, &request, &name->ticket);
    name->pending = !error;
    script->pending += !error;
    name->submitted = script->frames;
    name->start = request.start;
    name->mover = request.mover;
    name->goal = request.goal;
    script_name_asks(name, &request);
    name->refused = error;
    if (error) print_refusal(script, name, error);
    return CLI_DONE;
}

/* ---- cancel, urgency, goal, expect ---- */

int script_request_find(script_state *script, const wend_order *order, script_name **out) {
    const script_word word = script_name_of(script, order, &order->about.id);
    *out = script_name_find(&script->names, word);
    if (*out) return CLI_DONE;
    return script_fail(script, word.column, "'%s' was never requested", wend__show_word(word).text);
}

int script_act_cancel(script_state *script, wend_order *order) {
    script_name *name;
    const int status = script_request_find(script, order, &name);
    if (!status && name->pending) wend_service_cancel(script->service, name->ticket);
    return status;
}

int script_act_urgency(script_state *script, wend_order *order) {
    script_name *name;
    const int status = script_request_find(script, order, &name);
    if (!status && name->pending) wend_service_set_urgency(script->service, name->ticket, order->about.urgency);
    return status;
}

int script_act_goal(script_state *script, wend_order *order) {
    script_name *name;
    world_error refusal = {0};
    const int status = script_request_find(script, order, &name);
    if (!status && !world_check_cell(&script->world, &order->about.to, &refusal))
        return script_refused(script, order, &refusal);
    if (status || !name->pending) return status;
    name->goal = order->about.to;
    wend_service_set_goal(script->service, name->ticket, name->goal);
    return CLI_DONE;
}

/* Returns whether the word is a status, or a refusal of submit. */
static bool is_outcome(script_word word) {
    static const wend_error refusals[] = {WEND_OUT_OF_RANGE, WEND_BUSY, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED};
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        if (script_word_is(word, wend_status_name((wend_status)i))) return true;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (script_word_is(word, script_refusal_name(refusals[i], (char[SCRIPT_REFUSAL_BYTES]){0}))) return true;
    return false;
}

/* A mismatch ends the script: the answer is no. */
int script_act_expect(script_state *script, wend_order *order) {
    const script_word wanted = script_word_of(script, order, &order->expect.status);
    const bool costs = wend_order_gave(order, &order->expect.cost);
    script_name *name;
    const int status = script_request_find(script, order, &name);
    if (status) return status;
    if (!is_outcome(wanted))
        return script_fail(script, wanted.column, "there is no status '%s'", wend__show_word(wanted).text);
    const char *got = name->pending   ? "pending"
                      : name->refused ? script_refusal_name(name->refused, (char[SCRIPT_REFUSAL_BYTES]){0})
                                      : wend_status_name(name->status);
    if (script->options->trial) return CLI_DONE;
    if (!script_word_is(wanted, got)) {
        script_fail(script, wanted.column, "'%s' is %s, not %s", name->text, got, wend__show_word(wanted).text);
        return CLI_ANSWER_IS_NO;
    }
    if (!costs || (name->cost == order->expect.cost && !name->refused)) return CLI_DONE;
    script_fail(script, script_word_of(script, order, &order->expect.cost).column,
                "'%s' costs %" PRId64 ", not %" PRId64, name->text, name->cost, order->expect.cost);
    return CLI_ANSWER_IS_NO;
}

void script_begin_end(script_state *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    if (script->frames == 0) script->first_epoch = info.epoch;
    script->ending = true;
    script->cancelled = script->pending;
}

void script_end_service(script_state *script) {
    if (!script->service) return;
    world_recording_close(&script->record);
    script_begin_end(script);
    wend_service_destroy(script->service);
    script->service = NULL;
}
