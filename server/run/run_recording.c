/* SPDX-License-Identifier: MIT */
/* Commands of recordings: lines inside a frame, upkeep by name, and the hash of all
 * completions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "run/run.h"
#include <wend/control.h>

/// A line inside a frame: where it stands in the text, and to which place of the frame it belongs.
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
    int status; ///< of the lines that ran in callbacks
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

/* Lines of places up to one, and with it: the last of its name, as each map's script names it. */
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

/* ---- other commands ---- */

int script_act_recording(script_state *script, wend_order *order) {
    (void)order;
    script->recorded = script->world.recorded = true; /* untaken ones take room, too */
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
