/* SPDX-License-Identifier: MIT */
/* Two scripts, each run for its hashes, and again up to the frame in which these differ; and two saves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "base/array.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "saves/saves.h"
#include <wend/save.h>

/* ---- runs ---- */

static bool keep_hash(void *watcher, const script_state *script, uint64_t hash) {
    diff_side *own = watcher;
    (void)script;
    if (!WEND__ARRAY_ROOM(own->hashes, own->capacity, own->count + 1)) return own->starved = true, false;
    own->hashes[own->count++] = hash;
    return true;
}

static bool stop_there(void *watcher, const script_state *script, uint64_t hash) {
    diff_side *own = watcher;
    (void)script, (void)hash;
    return ++own->count < own->ends;
}

static void change(void *watcher, script_state *script) {
    const diff_side *own = watcher;
    if (own->change) own->change(own->context, script);
}

static void begin_side(diff_side *own, FILE *nowhere) {
    own->options = (script_options){.out = nowhere, .budget = own->budget, .before_hash = change, .watcher = own};
    script_init(&own->script, own->path, own->text, own->size, &own->options);
}

static int run_side(diff_side *own, FILE *nowhere, bool (*watch)(void *, const script_state *, uint64_t)) {
    begin_side(own, nowhere);
    own->options.after_frame = watch;
    int status = script_marks_begin(&own->script);
    if (!status) status = script_run(&own->script);
    if (own->starved) return cli_fail("diff: out of memory");
    return status == CLI_ENDED ? CLI_DONE : status;
}

static void free_world(diff_side *own) {
    script_free(&own->script);
    cli_world_free(&own->script.built);
}

/* Returns how many frames were run up to the first one with different hashes, or that one side lacks; 0: there is
 * none. After a rewind that is not the number of the frame. */
static uint64_t find_frame(const diff_side *a, const diff_side *b) {
    const size_t both = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < both; i++)
        if (a->hashes[i] != b->hashes[i]) return i + 1;
    return a->count != b->count ? both + 1 : 0;
}

/* ---- printed results ---- */

/* Returns the length of the first member of an object's text. */
static size_t member_length(const char *text) {
    size_t length = 0;
    bool quoted = false;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0 || quoted); length++) {
        const char c = text[length];
        if (quoted && c == '\\' && text[length + 1]) length++;
        if (c == '"') quoted = !quoted;
        if (!quoted) depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    return length;
}

/* Members that the other has as well are omitted: both have the same ones, or one has none. */
static void put_members(FILE *out, const char *own, const char *other) {
    const char *comma = "";
    while (*own) {
        const size_t length = member_length(own), theirs = member_length(other);
        if (length != theirs || memcmp(own, other, length) != 0) {
            fprintf(out, "%s%.*s", comma, (int)length, own);
            comma = ",";
        }
        own += length, other += theirs;
        own += *own == ',', other += *other == ',';
    }
}

static void put_object(FILE *out, uint64_t frame, const diff_object *found) {
    fprintf(out, "{\"frame\":%" PRIu64 ",\"what\":\"%s\",\"name\":", frame, found->what);
    cli_json_string(out, found->name);
    for (int i = 0; i < 2; i++) {
        fprintf(out, ",\"%c\":{", 'a' + i);
        put_members(out, found->has[i], found->has[1 - i]);
        fprintf(out, "}");
    }
    fprintf(out, "}\n");
}

/* Returns whether no cell and no step needs to be compared. */
static bool is_same_map(script_state *const worlds[2]) {
    uint64_t hashes[2] = {0, 0};
    for (int i = 0; i < 2; i++) (void)wend_world_hash(worlds[i]->world.map, NULL, NULL, &hashes[i]);
    return hashes[0] == hashes[1];
}

/* Objects that agents and requests change come after those. */
static int compare(diff_side sides[2], FILE *out, uint64_t frame) {
    script_state *const worlds[2] = {&sides[0].script, &sides[1].script};
    bool (*const parts[])(script_state *const[2], diff_object *) = {diff_settings, diff_ground,  diff_actors,
                                                                    diff_requests, diff_results, diff_parts};
    diff_object found = {.what = NULL};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i] == diff_ground && is_same_map(worlds)) continue;
        if (!parts[i](worlds, &found)) continue;
        put_object(out, frame, &found);
        return CLI_ANSWER_IS_NO;
    }
    return CLI_DONE;
}

static int put_same(FILE *out, uint64_t frames) {
    fprintf(out, "{\"same\":true,\"frames\":%" PRIu64 "}\n", frames);
    return CLI_DONE;
}

/* ---- two of a kind ---- */

static int run_both(diff_side sides[2], FILE *out, FILE *nowhere) {
    int status = CLI_DONE;
    for (int i = 0; i < 2 && !status; i++) {
        status = run_side(&sides[i], nowhere, keep_hash);
        free_world(&sides[i]);
        script_marks_end();
    }
    if (status) return status;
    const uint64_t ends = find_frame(&sides[0], &sides[1]);
    if (ends == 0) return put_same(out, sides[0].count);
    const bool has_first = ends <= sides[0].count;
    for (int i = 0; i < 2; i++) {
        sides[i].ends = ends, sides[i].count = 0;
        if (!status) status = run_side(&sides[i], nowhere, stop_there);
    }
    if (!status) status = compare(sides, out, sides[has_first ? 0 : 1].script.frames);
    for (int i = 0; i < 2; i++) free_world(&sides[i]);
    script_marks_end();
    return status;
}

static int restore_side(diff_side *own, FILE *nowhere) {
    saved s = {.reads = true};
    begin_side(own, nowhere);
    const bool good = saved_read(&s, own->path) && script_restore(&own->script, &s);
    free(s.bytes);
    return good ? CLI_DONE : cli_fail_at(own->path, 0, 0, "%s", s.why);
}

static int restore_both(diff_side sides[2], FILE *out, FILE *nowhere) {
    int status = CLI_DONE;
    for (int i = 0; i < 2; i++) {
        const int own = restore_side(&sides[i], nowhere);
        if (!status) status = own;
    }
    const uint64_t frame = sides[0].script.frames;
    if (!status) status = compare(sides, out, frame);
    if (!status) status = put_same(out, frame);
    for (int i = 0; i < 2; i++) free_world(&sides[i]);
    return status;
}

static int with_nowhere(diff_side sides[2], FILE *out, int (*both)(diff_side *, FILE *, FILE *)) {
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere) return cli_fail("diff: /dev/null cannot be opened");
    const int status = both(sides, out, nowhere);
    for (int i = 0; i < 2; i++) free(sides[i].hashes);
    fclose(nowhere);
    return status;
}

int diff_scripts(diff_side sides[2], FILE *out) {
    return with_nowhere(sides, out, run_both);
}

int diff_saves(diff_side sides[2], FILE *out) {
    return with_nowhere(sides, out, restore_both);
}
