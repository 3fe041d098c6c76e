/* SPDX-License-Identifier: MIT */
/* Recordings of several maps: a script for each map, and file 0, which has the order of their turns. One service serves
 * all of them, and they have their frames together. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/run.h"
#include "cli/output/messages.h"

/// A map's script, and its text.
typedef struct map_script {
    host_script script;
    char *path, *text;
} map_script;

struct host_maps {
    host_script turns; ///< file 0
    map_script **scripts;
    size_t count, capacity;
    wend_service *service;      ///< made by the first script that needs it
    struct host_during *during; ///< lines inside the next frame, of all
    wend_budget budget;         ///< of the frame being read
    bool framed;                ///< the last line was a frame
};

static const char first_line[] = "recording\n";

bool host_maps_begins(const char *text, size_t size) {
    return size >= sizeof first_line - 1 && memcmp(text, first_line, sizeof first_line - 1) == 0;
}

/* ---- what the scripts have in common ---- */

bool host_maps_take_service(host_script *script) {
    if (script->maps) script->service = script->maps->service;
    return script->service;
}

host_script *host_maps_tally(host_script *script) {
    return script->maps ? &script->maps->scripts[0]->script : script;
}

void host_maps_note_frame(host_script *script, const wend_budget *budget) {
    script->maps->budget = *budget;
    script->maps->framed = true;
}

/* ---- turns ---- */

static int add_script(struct host_maps *maps) {
    host_script *turns = &maps->turns;
    const bool room = WEND__ARRAY_ROOM(maps->scripts, maps->capacity, maps->count + 1);
    map_script *own = room ? calloc(1, sizeof *own) : NULL;
    if (!own) return host_script_no_memory(turns);
    maps->scripts[maps->count++] = own;
    size_t size = 0;
    own->path = host_path_beside(turns->file, turns->reader.words[1]);
    if (!own->path) return host_script_no_memory(turns);
    own->text = host_read_file(own->path, HOST_MAX_SCRIPT_BYTES, &size);
    host_script_init(&own->script, own->path, own->text ? own->text : "", size, turns->options);
    if (!own->text) return HOST_BAD_INPUT;
    own->script.maps = maps;
    own->script.during = maps->during;
    return HOST_DONE;
}

/* All know the lines inside a frame that one of them keeps. */
static void share_during(struct host_maps *maps, struct host_during *during) {
    maps->during = during;
    for (size_t i = 0; i < maps->count; i++) maps->scripts[i]->script.during = during;
}

static int run_line(struct host_maps *maps, map_script *of) {
    int status;
    if (!host_script_run_line(&of->script, &status) && !status)
        return host_script_fail(&maps->turns, maps->turns.reader.words[0].column, "no more lines are in '%s'",
                                of->path);
    if (of->script.during != maps->during) share_during(maps, of->script.during);
    if (of->script.service) maps->service = of->script.service;
    return status;
}

/* This many lines of one script. */
static int take_turn(struct host_maps *maps) {
    host_script *turns = &maps->turns;
    const host_word *words = turns->reader.words;
    uint64_t number, lines = 0;
    if (!wend__order_number(&turns->reader, words[0], "a script", 1, maps->count, &number) ||
        !wend__order_number(&turns->reader, words[1], "a number of lines", 1, UINT64_MAX, &lines))
        return host_script_fail(turns, turns->reader.wrong, "%s", turns->reader.why);
    int status = HOST_DONE;
    for (; !status && lines > 0; lines--) status = run_line(maps, maps->scripts[number - 1]);
    return status;
}

/* The next line of each script is the frame; then the frame is run. */
static int run_frame(struct host_maps *maps) {
    host_script *turns = &maps->turns;
    int status = HOST_DONE;
    for (size_t i = 0; !status && i < maps->count; i++) {
        host_script *script = &maps->scripts[i]->script;
        maps->framed = false;
        status = run_line(maps, maps->scripts[i]);
        if (!status && !maps->framed) status = host_script_fail(script, 1, "a frame comes here in '%s'", turns->file);
    }
    if (status || !maps->service) return status;
    const wend_error error = wend_service_tick(maps->service, &maps->budget, NULL);
    if (error) return host_script_fail(turns, 1, "%s", wend_error_detail(error));
    for (size_t i = 0; i < maps->count; i++) maps->scripts[i]->script.during_open = false;
    return host_during_end(&maps->scripts[0]->script);
}

static int run_turn(struct host_maps *maps) {
    host_script *turns = &maps->turns;
    const size_t count = turns->reader.word_count;
    if (count == 0 || (count == 1 && host_word_is(turns->reader.words[0], "recording"))) return HOST_DONE;
    if (count == 1 && host_word_is(turns->reader.words[0], "frame")) return run_frame(maps);
    if (count != 2)
        return host_script_fail(turns, turns->reader.words[0].column, "a turn is: script FILE, NUMBER LINES or frame");
    return host_word_is(turns->reader.words[0], "script") ? add_script(maps) : take_turn(maps);
}

/* ---- all of it ---- */

/* The scripts share the service; it cancels what is pending. */
static void end_service(struct host_maps *maps) {
    for (size_t i = 0; maps->service && i < maps->count; i++) {
        host_script *script = &maps->scripts[i]->script;
        if (script->built.map) host_script_begin_end(script);
        host_script_crowd_end(script);
        script->service = NULL;
    }
    wend_service_destroy(maps->service);
    maps->service = NULL;
}

static int check_ends(struct host_maps *maps) {
    int status = maps->turns.size > 0 && maps->turns.text[maps->turns.size - 1] != '\n'
                     ? host_script_fail(&maps->turns, 1, "the recording ends within a line")
                     : HOST_DONE;
    for (size_t i = 0; !status && i < maps->count; i++) status = host_recording_check_end(&maps->scripts[i]->script);
    return status;
}

static void free_all(struct host_maps *maps, int status) {
    for (size_t i = 0; status && i < maps->count; i++) maps->scripts[i]->script.failed = true;
    end_service(maps);
    for (size_t i = 0; i < maps->count; i++) {
        map_script *own = maps->scripts[i];
        if (i > 0) own->script.during = NULL; /* the first one's */
        host_script_free(&own->script);
        host_world_free(&own->script.built);
        free(own->text);
        free(own->path);
        free(own);
    }
    free(maps->scripts);
    host_script_free(&maps->turns);
}

int host_maps_run(const char *path, const char *text, size_t size, const host_run_options *options) {
    struct host_maps maps = {.count = 0};
    int status;
    host_script_init(&maps.turns, path, text, size, options);
    while (host_script_next_line(&maps.turns, &status) && !(status = run_turn(&maps))) {
    }
    if (!status) status = check_ends(&maps);
    if (!status) {
        end_service(&maps);
        if (options->hash && maps.count > 0) host_recording_print_hash(&maps.scripts[0]->script);
    }
    free_all(&maps, status);
    if (fflush(options->out) != 0 || ferror(options->out)) return host_fail("standard output cannot be written");
    return status;
}
