/* SPDX-License-Identifier: MIT */
/* Reads a recording, or any script with requests, as a load: its world, and the requests in their frames. */
#include <stdlib.h>
#include <string.h>

#include <wend/query.h>

#include "cli/plan/plan_cli.h"
#include "host/script/script.h"
#include "host/output/messages.h"
#include "lab/shared/array.h"

enum { KINDS_MAX = 65536, RECORDED_MAX = 4000000 };

/* The kind of a line's order; -1: its word is none of the catalogue's. */
static int32_t kind_at(host_word word) {
    return wend__order_find(word.text, word.length, WEND__SCRIPT);
}

static bool has_bits(int32_t kind, uint32_t bits) {
    return kind >= 0 && (wend__order_rows[kind].where & bits) != 0;
}

/* ---- the head: what comes before the first request or frame ---- */

typedef struct script_head {
    size_t bytes;
    bool requests, several_maps, orders, runs, recorded;
} script_head;

static host_word first_word(const char *line, size_t length) {
    size_t begin = 0;
    while (begin < length && (line[begin] == ' ' || line[begin] == '\t')) begin++;
    size_t end = begin;
    while (end < length && !strchr(" \t\r", line[end]) && line[end] != '#') end++;
    return (host_word){line + begin, end - begin, begin + 1};
}

/* Finds the head, and blanks the lines in it that are skipped. @return false: the text is no script */
static bool find_head(char *text, size_t size, script_head *out) {
    bool begun = false, over = false;
    *out = (script_head){.bytes = size};
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        const host_word word = first_word(text + at, length);
        if (word.length > 0) {
            const int32_t kind = kind_at(word);
            const bool makes = has_bits(kind, WEND__MAKES_MAP) || kind == WEND__ORDER_RECORDING;
            if (!begun && !makes) return false;
            begun = true;
            out->requests = out->requests || kind == WEND__ORDER_REQUEST;
            out->orders = out->orders || kind == WEND__ORDER_AGENT || has_bits(kind, WEND__GIVES_GOAL);
            out->runs = out->runs || kind == WEND__ORDER_FRAME || kind == WEND__ORDER_DRAIN || kind == WEND__ORDER_WALK;
            out->recorded = out->recorded || kind == WEND__ORDER_RECORDING;
            out->several_maps = out->several_maps || (!over && host_word_is(word, "script"));
            if (!over && has_bits(kind, WEND__OF_SERVICE)) {
                memset(text + at, ' ', length);
            } else if (!over && (kind < 0 || has_bits(kind, WEND__RUNS | WEND__MEETS_AGENTS))) {
                over = true;
                out->bytes = at;
            }
        }
        at += length + 1;
    }
    return begun;
}

/* ---- requests ---- */

/* The part of a request that many others share. */
static wend_request kind_of(const wend_request *request) {
    wend_request kind;
    memset(&kind, 0, sizeof kind);
    wend_request_init(&kind, sizeof kind);
    kind.flags = request->flags;
    kind.engine = request->engine;
    kind.heuristic = request->heuristic;
    kind.weight_milli = request->weight_milli;
    kind.mover = request->mover;
    kind.mode = request->mode;
    kind.reach = request->reach;
    kind.occupied = request->occupied;
    kind.occupied_within = request->occupied_within;
    kind.max_expansions = request->max_expansions;
    return kind;
}

/* @return the number of the kind; KINDS_MAX: no memory, or too many */
static size_t find_kind(plan_recorded *recorded, const wend_request *request) {
    const wend_request kind = kind_of(request);
    for (size_t i = 0; i < recorded->kind_count; i++)
        if (memcmp(&recorded->kinds[i], &kind, sizeof kind) == 0) return i;
    if (recorded->kind_count == KINDS_MAX) return KINDS_MAX;
    if (!ARRAY_ROOM(recorded->kinds, recorded->kind_capacity, recorded->kind_count + 1)) return KINDS_MAX;
    recorded->kinds[recorded->kind_count] = kind;
    return recorded->kind_count++;
}

static int add_request(host_script *script, plan_recorded *recorded, uint64_t frame) {
    wend__order order;
    int32_t reachable;
    int status = host_script_read(script, &order);
    if (!status) status = host_script_request(script, &order);
    if (status) return status;
    const wend_request *request = &order.request.def;
    if (order.bad_argument ||
        wend_map_reachable(script->built.map, request->mover, request->start, request->goal, &reachable)) {
        recorded->left_out++;
        return HOST_DONE;
    }
    const size_t kind = find_kind(recorded, request);
    const bool room = ARRAY_ROOM(recorded->asks, recorded->capacity, recorded->count + 1);
    if (!room || kind == KINDS_MAX || recorded->count == RECORDED_MAX) return host_script_no_memory(script);
    recorded->asks[recorded->count++] = (plan_ask){.frame = (uint32_t)frame,
                                                   .urgency = (int16_t)request->urgency,
                                                   .kind = (uint16_t)kind,
                                                   .start = request->start,
                                                   .goal = request->goal};
    return HOST_DONE;
}

/* Frames that a line runs: 1, or COUNT of `frame COUNT`. */
static int count_frames(host_script *script, uint64_t *frames) {
    wend__order order;
    const int status = host_script_read(script, &order);
    if (status) return status;
    const uint64_t count = order.kind == WEND__ORDER_FRAME ? order.frame.count : 1;
    if (count > UINT32_MAX / 2 || (*frames += count) > UINT32_MAX / 2)
        return host_script_fail(script, 1, "more frames than can be counted");
    return HOST_DONE;
}

static int read_requests(host_script *script, plan_recorded *recorded) {
    int status;
    uint64_t frame = 0;
    while (host_script_next_line(script, &status)) {
        if (script->reader.word_count == 0) continue;
        const int32_t kind = kind_at(script->reader.words[0]);
        if (kind == WEND__ORDER_REQUEST)
            status = add_request(script, recorded, frame);
        else if (kind == WEND__ORDER_FRAME || kind == WEND__ORDER_DRAIN)
            status = count_frames(script, &frame);
        else if (!has_bits(kind, WEND__OF_SERVICE))
            recorded->left_out++;
        if (status) return status;
    }
    return status;
}

static int read_script(const char *path, const char *text, size_t size, size_t head, host_world *world,
                       plan_recorded *recorded) {
    static const host_run_options options = {0};
    host_script script;
    host_script_init(&script, path, text, size, &options);
    const size_t mark = size - script.size, all = script.size;
    script.world = true;
    script.size = head - mark;
    int status = host_script_run(&script);
    script.size = all;
    if (!status && recorded) status = read_requests(&script, recorded);
    host_script_free(&script);
    if (!status)
        *world = script.built;
    else
        host_world_free(&script.built);
    if (!status && recorded && recorded->count == 0) return host_fail_at(path, 0, 0, "no request of it can be asked");
    return status;
}

/* The script is run from its text as it was read; its head is the world to look at. */
static int take_played(const char *path, const char *text, size_t size, size_t head, host_world *world,
                       plan_played *played) {
    size_t bytes;
    *played = (plan_played){.path = path, .recorded = played->recorded};
    played->text = host_read_file(path, 0, &bytes);
    if (!played->text) return HOST_BAD_INPUT;
    played->size = bytes;
    return read_script(path, text, size, head, world, NULL);
}

int plan_recording_read(const char *path, uint64_t agents, host_world *world, plan_recorded *recorded,
                        plan_played *played, bool *taken) {
    size_t size;
    script_head head;
    *taken = false;
    if (strcmp(path, "-") == 0) return HOST_DONE; /* it can be read once only */
    char *text = host_read_file(path, 0, &size);
    if (!text) return HOST_BAD_INPUT;
    const size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const bool script = find_head(text + mark, size - mark, &head);
    int status = HOST_DONE;
    if (script && head.several_maps) {
        status = host_fail_at(path, 0, 0, "a recording of several maps: plan the script of one of them");
    } else if (script && head.orders && head.runs && !(agents > 0 && head.requests)) {
        *taken = true;
        played->recorded = head.recorded;
        status = take_played(path, text, size, head.bytes + mark, world, played);
    } else if (script && head.requests) {
        *taken = true;
        status = read_script(path, text, size, head.bytes + mark, world, recorded);
    }
    free(text);
    return status;
}

void plan_recording_free(plan_recorded *recorded) {
    free(recorded->asks);
    free(recorded->kinds);
    *recorded = (plan_recorded){0};
}
