/* SPDX-License-Identifier: MIT */
/* Recordings of several maps: a script for each map, and file 0, which has the order of their turns. One service serves
 * all of them, and they share its frames. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/run.h"
#include "cli/output/messages.h"
#include <wend/service_tuning.h>

/// A map's script, and its text.
typedef struct map_script {
    script_state script;
    char *path, *text;
} map_script;

struct script_maps {
    script_state turns; ///< file 0
    map_script **scripts;
    size_t count, capacity;
    wend_service *service;        ///< made by the first script that needs it
    struct script_during *during; ///< lines inside the next frame, of all
    wend_budget budget;           ///< budget of the frame being read, with the limits that follow
    wend_frame_limits limits;
    bool framed; ///< the last line was a frame
};

static const char first_line[] = "recording\n";

bool script_maps_begins(const char *text, size_t size) {
    return size >= sizeof first_line - 1 && memcmp(text, first_line, sizeof first_line - 1) == 0;
}

/* ---- state common to the scripts ---- */

bool script_maps_share_service(script_state *script) {
    if (script->maps) script->service = script->maps->service;
    return script->service;
}

script_state *script_maps_tally(script_state *script) {
    return script->maps ? &script->maps->scripts[0]->script : script;
}

void script_maps_add_frame(script_state *script, const wend_budget *budget) {
    script->maps->budget = *budget;
    if (!budget->limits) return;
    script->maps->limits = *budget->limits; /* those of the order end with its line */
    script->maps->budget.limits = &script->maps->limits;
    script->maps->framed = true;
}

/* ---- turns ---- */

static int add_script(struct script_maps *maps) {
    script_state *turns = &maps->turns;
    const bool room = WEND__ARRAY_ROOM(maps->scripts, maps->capacity, maps->count + 1);
    map_script *own = room ? calloc(1, sizeof *own) : NULL;
    if (!own) return script_no_memory(turns);
    maps->scripts[maps->count++] = own;
    size_t size = 0;
    own->path = script_path_beside(turns->file, turns->reader.words[1]);
    if (!own->path) return script_no_memory(turns);
    own->text = cli_read_file(own->path, CLI_MAX_SCRIPT_BYTES, &size);
    script_init(&own->script, own->path, own->text ? own->text : "", size, turns->options);
    if (!own->text) return CLI_BAD_INPUT;
    own->script.maps = maps;
    own->script.during = maps->during;
    return CLI_DONE;
}

/* All scripts share the lines inside a frame that one of them keeps. */
static void share_during(struct script_maps *maps, struct script_during *during) {
    maps->during = during;
    for (size_t i = 0; i < maps->count; i++) maps->scripts[i]->script.during = during;
}

static int run_line(struct script_maps *maps, map_script *of) {
    int status;
    if (!script_run_line(&of->script, &status) && !status)
        return script_fail(&maps->turns, maps->turns.reader.words[0].column, "no more lines are in '%s'", of->path);
    if (of->script.during != maps->during) share_during(maps, of->script.during);
    if (of->script.service) maps->service = of->script.service;
    return status;
}

/* Runs this many lines of one script. */
static int run_lines(struct script_maps *maps) {
    script_state *turns = &maps->turns;
    const script_word *words = turns->reader.words;
    uint64_t number, lines = 0;
    if (!wend__order_number(&turns->reader, words[0], "a script", 1, maps->count, &number) ||
        !wend__order_number(&turns->reader, words[1], "a number of lines", 1, UINT64_MAX, &lines))
        return script_fail(turns, turns->reader.wrong, "%s", turns->reader.why);
    int status = CLI_DONE;
    for (; !status && lines > 0; lines--) status = run_line(maps, maps->scripts[number - 1]);
    return status;
}

/* The next line of each script is the frame; then the frame is run. */
static int run_frame(struct script_maps *maps) {
    script_state *turns = &maps->turns;
    int status = CLI_DONE;
    for (size_t i = 0; !status && i < maps->count; i++) {
        script_state *script = &maps->scripts[i]->script;
        maps->framed = false;
        status = run_line(maps, maps->scripts[i]);
        if (!status && !maps->framed) status = script_fail(script, 1, "a frame comes here in '%s'", turns->file);
    }
    if (status || !maps->service) return status;
    const wend_error error = wend_service_tick(maps->service, &maps->budget, NULL);
    if (error) return script_fail(turns, 1, "%s", wend_error_detail(error));
    for (size_t i = 0; i < maps->count; i++) maps->scripts[i]->script.during_open = false;
    return script_during_end(&maps->scripts[0]->script);
}

static int run_turn(struct script_maps *maps) {
    script_state *turns = &maps->turns;
    const size_t count = turns->reader.word_count;
    if (count == 0 || (count == 1 && script_word_is(turns->reader.words[0], "recording"))) return CLI_DONE;
    if (count == 1 && script_word_is(turns->reader.words[0], "frame")) return run_frame(maps);
    if (count != 2)
        return script_fail(turns, turns->reader.words[0].column, "a turn is: script FILE, NUMBER LINES or frame");
    return script_word_is(turns->reader.words[0], "script") ? add_script(maps) : run_lines(maps);
}

/* ---- all of it ---- */

/* The scripts share the service; it cancels pending requests. */
static void end_service(struct script_maps *maps) {
    for (size_t i = 0; maps->service && i < maps->count; i++) {
        script_state *script = &maps->scripts[i]->script;
        if (script->built.map) script_begin_end(script);
        script_crowd_end(script);
        script->service = NULL;
    }
    wend_service_destroy(maps->service);
    maps->service = NULL;
}

static int check_ends(struct script_maps *maps) {
    int status = maps->turns.size > 0 && maps->turns.text[maps->turns.size - 1] != '\n'
                     ? script_fail(&maps->turns, 1, "the recording ends within a line")
                     : CLI_DONE;
    for (size_t i = 0; !status && i < maps->count; i++) status = script_recording_check_end(&maps->scripts[i]->script);
    return status;
}

static void free_all(struct script_maps *maps, int status) {
    for (size_t i = 0; status && i < maps->count; i++) maps->scripts[i]->script.failed = true;
    end_service(maps);
    for (size_t i = 0; i < maps->count; i++) {
        map_script *own = maps->scripts[i];
        if (i > 0) own->script.during = NULL; /* the first one's */
        script_free(&own->script);
        cli_world_free(&own->script.built);
        free(own->text);
        free(own->path);
        free(own);
    }
    free(maps->scripts);
    script_free(&maps->turns);
}

int script_maps_run(const char *path, const char *text, size_t size, const script_options *options) {
    struct script_maps maps = {.count = 0};
    int status;
    script_init(&maps.turns, path, text, size, options);
    while (script_next_line(&maps.turns, &status) && !(status = run_turn(&maps))) {
    }
    if (!status) status = check_ends(&maps);
    if (!status) {
        end_service(&maps);
        if (options->hash && maps.count > 0) script_recording_print_hash(&maps.scripts[0]->script);
    }
    free_all(&maps, status);
    if (fflush(options->out) != 0 || ferror(options->out)) return cli_fail("standard output cannot be written");
    return status;
}
