/* SPDX-License-Identifier: MIT */
/* The command `watch`: paths of requests that are watched, and the lines that name those that broke. After each
 * edit, every step of a watched path is compared with the newest version of the map. Land that is unloaded but
 * known breaks no path: its steps are compared once it is loaded again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "run/run.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/query.h>
#include <wend/stream.h>
#include <wend/versions.h>

typedef struct script_watches {
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

static void print_event(script_state *script, const script_name *name, wend_cell cell) {
    FILE *out = script->options->out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"watch\":", script->frames);
    cli_json_string(out, name->text);
    fputs(",\"event\":\"broken\",\"cell\":", out);
    cli_json_cell(out, script->kind, cell);
    fputs("}\n", out);
}

/* ---- steps ---- */

static bool is_away(const wend_map *map, wend_cell cell) {
    int32_t land = WEND_LAND_LOADED;
    return !wend_map_get_land(map, cell.x / WEND_CHUNK_SIDE, cell.y / WEND_CHUNK_SIDE, &land) &&
           land == WEND_LAND_KNOWN;
}

static bool is_open(const wend_map *map, int32_t mover, wend_cell cell) {
    size_t open = 0;
    return !wend_map_path_cost(map, mover, &cell, 1, &open, NULL) && open == 1;
}

static bool can_step(const wend_map *map, const script_name *name, size_t from) {
    const wend_cell *cells = &name->kept.cells[from];
    const int32_t mover = name->kept_mover;
    bool legal = false;
    if (wend_map_step_legal(map, mover, cells[0], cells[1], &legal, NULL)) return false;
    if (legal || is_away(map, cells[0]) || is_away(map, cells[1])) return true;
    /* The first cell, where the agent stands, may be closed. */
    return from == 0 && !is_open(map, mover, cells[0]) && is_open(map, mover, cells[1]);
}

/* Returns the index of the first cell that cannot be entered from the one before, or the number of cells. */
static size_t first_broken(const wend_map *map, const script_name *name) {
    size_t i = 1;
    while (i < name->kept.count && can_step(map, name, i - 1)) i++;
    return i;
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
    if (!script->watches) return script_no_memory(script);
    forget(script->watches, name);
    append(script->watches, name);
    script->watches->added = true;
    return CLI_DONE;
}

void script_watch_end(script_state *script) {
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
    if (!watches || script_watch_is_quiet(script)) return CLI_DONE;
    for (script_name *name = watches->first, *next; name; name = next) {
        const size_t broken = first_broken(script->built.map, name);
        next = name->next_watched;
        if (broken == name->kept.count) continue;
        forget(watches, name);
        if (!script->failed) print_event(script, name, name->kept.cells[broken]);
    }
    watches->added = false;
    watches->epoch = wend_map_get_epoch(script->built.map);
    return CLI_DONE;
}

bool script_watch_is_quiet(const script_state *script) {
    const script_watches *watches = script->watches;
    if (!watches || !watches->first) return true;
    return !watches->added && watches->epoch == wend_map_get_epoch(script->built.map);
}
