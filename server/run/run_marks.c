/* SPDX-License-Identifier: MIT */
/* Commands `mark` and `rewind`: the world of a script, with all that is known by name in it, goes back to where it was.
 * It is in an arena (cli/world/heap.h), but for script_state: a copy of that is in the arena, and what says where the
 * script is read stays as it is. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "run/run.h"

/* The only script of the process that has marks. */
static struct {
    script_state *kept;     ///< in the arena
    char *names[CLI_MARKS]; ///< by slot; NULL: free from here on
} marks;

static bool has_line(const script_state *script, const char *word) {
    const char *at = script->text, *const end = at + script->size;
    const size_t length = strlen(word);
    for (const char *next; at && at < end; at = next ? next + 1 : NULL) {
        next = memchr(at, '\n', (size_t)(end - at));
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if ((size_t)(end - at) > length && memcmp(at, word, length) == 0) return true;
    }
    return false;
}

int script_marks_begin(script_state *script) {
    if (!has_line(script, "mark ")) return CLI_DONE;
    return cli_heap_open() ? script_no_memory(script) : CLI_DONE;
}

void script_marks_end(void) {
    for (int i = 0; i < CLI_MARKS; i++) free(marks.names[i]);
    cli_free(marks.kept);
    memset(&marks, 0, sizeof marks);
    cli_heap_close();
}

/* The slot of a name, or the first free one; CLI_MARKS: all have other names. */
static uint32_t slot_of(script_word word) {
    uint32_t slot = 0;
    while (slot < CLI_MARKS && marks.names[slot] && !script_word_is(word, marks.names[slot])) slot++;
    return slot;
}

/* Returns why no mark is possible here; NULL: it is. */
static const char *cannot(const script_state *script) {
    if (!cli_heap_arena()) return "only a script to run has marks";
    if (script->recorded || script->maps) return "a recording has no marks";
    if (script_during_waits(script) || script->during_open) return "behind during a frame comes first";
    if (script->graph.known && script->line < script->graph.end)
        return "the lines of a graph come to its first frame or publish: mark after that";
    if (script->film) return "a film of --animate does not go back";
    if (script->record.file) return "a recording of --record does not go back";
    return NULL;
}

int script_act_mark(script_state *script, wend_order *order) {
    const script_word word = script_name_of(script, order, &order->checkpoint.name);
    const uint32_t slot = slot_of(word);
    const char *why = cannot(script);
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    if (slot == CLI_MARKS) return script_fail(script, word.column, "more than %d marks", CLI_MARKS);
    if (!marks.names[slot]) marks.names[slot] = strndup(word.text, word.length);
    if (!marks.kept) marks.kept = cli_alloc(sizeof *marks.kept);
    if (!marks.names[slot] || !marks.kept) return script_no_memory(script);
    *marks.kept = *script;
    const wend_error error = wend_arena_mark(cli_heap_arena(), slot);
    return error ? script_fail(script, word.column, "%s", wend_error_detail(error)) : CLI_DONE;
}

/* What says where a script is read, and what belongs to the run as a whole. */
static void keep_place(script_state *script, const script_state *now) {
    script->next = now->next, script->here = now->here, script->line = now->line;
    script->reader = now->reader;
    script->land_file = now->land_file;
    script->has_watch = now->has_watch;
}

int script_act_rewind(script_state *script, wend_order *order) {
    const script_word word = script_name_of(script, order, &order->checkpoint.name);
    const uint32_t slot = slot_of(word);
    const char *why = cannot(script);
    const script_state now = *script;
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    if (slot == CLI_MARKS || !marks.names[slot]) {
        const wend__shown_word quote = wend__show_word(word);
        return script_fail(script, word.column, "there is no mark '%s'", quote.text);
    }
    const wend_error error = wend_arena_rewind(cli_heap_arena(), slot);
    if (error) return script_fail(script, word.column, "%s", wend_error_detail(error));
    *script = *marks.kept;
    keep_place(script, &now);
    return CLI_DONE;
}
