/* SPDX-License-Identifier: MIT */
/* The command `watch`: watched paths of requests, and the lines that report broken ones. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "run/run.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/versions.h>

typedef struct script_watches {
    wend_watcher *watcher;
    uint32_t paths;
    uint64_t cells;
    script_name *first, *last; ///< watched names
    bool added;                ///< since the last step
    uint64_t epoch;            ///< epoch of the last step
} script_watches;

/* ---- paths that are kept ---- */

static bool has_word(const script_state *script, const char *word) {
    const char *const end = script->text + script->size;
    const size_t length = strlen(word);
    for (const char *at = script->text; (at = memchr(at, word[0], (size_t)(end - at))); at++)
        if ((size_t)(end - at) >= length && memcmp(at, word, length) == 0) return true;
    return false;
}

/* Scripts without a watch keep no paths, unless they are saved: the script that continues may have one. */
static bool watches_any(script_state *script) {
    if (script->has_watch == 0) script->has_watch = has_word(script, "watch") || has_word(script, "save") ? 1 : 2;
    return script->has_watch == 1;
}

void script_watch_keep(script_name *name, const wend_completion *done) {
    const size_t bytes = done->cell_count * sizeof *done->cells;
    if (!watches_any(name->script)) return;
    cli_free(name->path.cells);
    name->path = (script_trail){NULL, 0};
    if (done->cell_count > 0) name->path.cells = cli_alloc(bytes);
    if (!name->path.cells) return;
    memcpy(name->path.cells, done->cells, bytes);
    name->path.count = done->cell_count;
}

/* ---- the list of watched names ---- */

static void forget(script_watches *watches, script_name *name) {
    script_name **place = &watches->first, *before = NULL;
    if (!name->watched) return;
    while (*place != name) before = *place, place = &(*place)->next_watched;
    *place = name->next_watched;
    if (watches->last == name) watches->last = before;
    name->watched = false;
}

static void append(script_watches *watches, script_name *name) {
    name->next_watched = NULL;
    name->watched = true;
    if (watches->last)
        watches->last->next_watched = name;
    else
        watches->first = name;
    watches->last = name;
}

static void print_event(void *context, const wend_watch_event *event) {
    script_name *name = event->context;
    const script_state *script = context;
    FILE *out = script->options->out;
    forget(script->watches, name);
    if (script->failed) return;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"watch\":", script->frames);
    cli_json_string(out, name->text);
    fputs(",\"event\":\"broken\",\"cell\":", out);
    cli_json_cell(out, script->kind, event->cell);
    fputs("}\n", out);
}

/* ---- the watcher: a full one is replaced by one twice as large ---- */

static wend_error add(script_watches *watches, script_name *name) {
    wend_watch watch;
    wend_watch_init(&watch, sizeof watch);
    watch.mover = name->kept_mover;
    watch.cells = name->kept.cells, watch.cell_count = name->kept.count;
    watch.context = name;
    return wend_watcher_add(watches->watcher, &watch, &name->watch);
}

static wend_error make(script_state *script) {
    script_watches *watches = script->watches;
    wend_watcher_def def;
    wend_watcher_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    wend_watcher_destroy(watches->watcher);
    watches->watcher = NULL;
    def.map = script->built.map;
    def.paths = watches->paths, def.cells = watches->cells;
    def.on_broken = print_event, def.context = script;
    if (script->options->most_bytes > 0 && wend_watcher_bytes(&def) > script->options->most_bytes)
        return WEND_OUT_OF_MEMORY;
    wend_error error = wend_watcher_create(&def, &watches->watcher);
    for (script_name *name = watches->first; name && !error; name = name->next_watched) error = add(watches, name);
    return error;
}

static wend_error enlarge(script_state *script, uint64_t cells) {
    enum { FIRST_PATHS = 64, FIRST_CELLS = 4096, MOST_PATHS = 1 << 20 };
    script_watches *watches = script->watches;
    wend_error error = WEND_BUSY;
    while (error == WEND_BUSY) {
        watches->paths = watches->paths == 0 ? FIRST_PATHS : watches->paths * 2;
        watches->cells = watches->cells == 0 ? FIRST_CELLS : watches->cells * 2;
        while (watches->cells < cells) watches->cells *= 2;
        if (watches->paths > MOST_PATHS) return WEND_OUT_OF_MEMORY;
        error = make(script);
    }
    return error;
}

static int find_path(script_state *script, const wend_order *order, script_name **out) {
    const script_word word = script_name_of(script, order, &order->about.id);
    const int status = script_request_find(script, order, out);
    const script_name *name = *out;
    if (status) return status;
    if (name->pending) return script_fail(script, word.column, "'%s' is pending: its path comes first", name->text);
    if (name->path.count == 0) return script_fail(script, word.column, "'%s' has no path", name->text);
    return CLI_DONE;
}

int script_act_watch(script_state *script, wend_order *order) {
    script_name *name;
    const int status = find_path(script, order, &name);
    return status ? status : script_watch_name(script, name);
}

const script_name *script_watch_first(const script_state *script) {
    return script->watches ? script->watches->first : NULL;
}

/* A later request of that name replaces its path, but not the watched one. */
int script_watch_name(script_state *script, script_name *name) {
    const size_t bytes = name->path.count * sizeof *name->path.cells;
    wend_cell *cells = cli_alloc(bytes);
    if (!cells) return script_no_memory(script);
    memcpy(cells, name->path.cells, bytes);
    cli_free(name->kept.cells);
    name->kept = (script_trail){cells, name->path.count};
    name->kept_mover = name->mover;
    return script_watch_kept(script, name);
}

int script_watch_kept(script_state *script, script_name *name) {
    if (!script->watches) script->watches = cli_alloc_zero(1, sizeof *script->watches);
    script_watches *watches = script->watches;
    if (!watches) return script_no_memory(script);
    wend_error error = !watches->watcher ? enlarge(script, name->kept.count) : WEND_OK;
    if (!error && name->watched) wend_watcher_remove(watches->watcher, name->watch);
    forget(watches, name);
    if (!error) error = add(watches, name);
    append(watches, name);
    if (error == WEND_BUSY) error = enlarge(script, name->kept.count);
    if (error) return script_no_memory(script);
    watches->added = true;
    return CLI_DONE;
}

void script_watch_end(script_state *script) {
    if (script->watches) wend_watcher_destroy(script->watches->watcher);
    cli_free(script->watches);
    script->watches = NULL;
    for (size_t i = 0; i < script->names.capacity; i++) {
        script_name *name = script->names.items[i];
        if (!name) continue;
        cli_free(name->path.cells);
        cli_free(name->kept.cells);
        name->path = name->kept = (script_trail){NULL, 0};
    }
}

/* ---- frames ---- */

int script_watch_step(script_state *script) {
    script_watches *watches = script->watches;
    if (!watches) return CLI_DONE;
    wend_watcher_update(watches->watcher, NULL);
    watches->added = false;
    watches->epoch = wend_map_get_epoch(script->built.map);
    return CLI_DONE;
}

bool script_watch_is_quiet(const script_state *script) {
    const script_watches *watches = script->watches;
    if (!watches || !watches->first) return true;
    return !watches->added && watches->epoch == wend_map_get_epoch(script->built.map);
}
