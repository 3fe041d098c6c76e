/* SPDX-License-Identifier: MIT */
/* Commands `save` and `restore`: requests by name, watched paths, the service and the crowd, and the order in which all
 * parts are restored. The other parts of the file: server/saves/saves.h. Then `mark` and `rewind`: the world and its
 * named objects are in an arena (cli/world/heap.h), except script_state; a copy of that is in it, too. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "run/run.h"
#include "saves/saves.h"
#include <wend/save.h>

/* ---- the script ---- */

/* Lines that were read ahead are counted from the line of the save, and then from that of the restore. */
static int pass_lines_ahead(saved *s, const script_state *script, int end) {
    const uint64_t ahead = !s->reads && end > script->line ? (uint64_t)(end - script->line) : 0;
    const uint64_t left = saved_below(s, ahead, INT32_MAX);
    return left < (uint64_t)(INT32_MAX - script->line) ? script->line + (int)left : INT32_MAX;
}

static void pass_script(saved *s, script_state *script) {
    script->frames = saved_number(s, script->frames);
    script->first_epoch = saved_number(s, script->first_epoch);
    script->crowd_epoch = saved_number(s, script->crowd_epoch);
    script->completed = saved_number(s, script->completed);
    script->hash = saved_number(s, script->hash);
    script->positions = saved_number(s, script->positions);
    script->changed = saved_flag(s, script->changed);
    script->stepped = saved_flag(s, script->stepped);
    script->accelerated = saved_flag(s, script->accelerated);
    script->requested = saved_flag(s, script->requested);
    script->limits_end = pass_lines_ahead(s, script, script->limits_end);
}

static void pass_map(saved *s, script_state *script) {
    saved_map(s, &script->built.map, script->options->most_cells);
    if (s->bad) return;
    if (s->reads) script_read_size(script);
    saved_names(s, &script->built);
    (void)saved_number(s, script->built.movers.count); /* all are declared */
    saved_land(s, &script->world);
}

static void pass_prepared(saved *s, script_state *script) {
    script_prepared *prepared = &script->prepared;
    prepared->first = saved_flag(s, prepared->first);
    prepared->engine = (int32_t)saved_below(s, (uint64_t)prepared->engine, WEND_ENGINE_JUMP + 1);
    prepared->landmarks = saved_below(s, prepared->landmarks, WEND_MAX_LANDMARKS + 1);
    saved_accelerations(s, &prepared->movers, prepared->of);
    if (s->reads && !s->bad && script_accelerate_again(script)) saved_spoil(s, "no data of the fast engine");
}

/* ---- requests by name ---- */

static void pass_path(saved *s, script_trail *path) {
    path->count = saved_count(s, path->count);
    if (s->reads && path->count > 0) path->cells = cli_alloc_zero(path->count, sizeof *path->cells);
    if (path->count > 0 && !path->cells) path->count = 0, saved_spoil(s, "no memory");
    for (size_t i = 0; i < path->count; i++) path->cells[i] = saved_cell(s, path->cells[i]);
}

static void pass_name(saved *s, script_name *name) {
    name->ticket.index = (uint32_t)saved_below(s, name->ticket.index, UINT64_C(1) << 32);
    name->ticket.generation = (uint32_t)saved_below(s, name->ticket.generation, UINT64_C(1) << 32);
    name->submitted = saved_number(s, name->submitted);
    name->pending = saved_flag(s, name->pending);
    name->start = saved_cell(s, name->start);
    name->goal = saved_cell(s, name->goal);
    name->status = (wend_status)saved_below(s, (uint64_t)name->status, WEND_STATUS_COUNT);
    name->refused = saved_int(s, name->refused);
    name->cost = saved_signed(s, name->cost);
    name->mover = saved_int(s, name->mover);
    pass_path(s, &name->path);
}

static void get_name(saved *s, script_state *script) {
    char *text = saved_text(s, NULL, 0);
    const script_word word = {text, text ? strlen(text) : 0, 1};
    if (text && script_name_find(&script->names, word)) saved_spoil(s, "the save has a request twice");
    script_name *name = s->bad ? NULL : script_name_make(&script->names, word);
    if (!name) saved_spoil(s, "no memory");
    free(text);
    if (!name) return;
    name->script = script;
    pass_name(s, name);
    script->pending += name->pending;
}

static void pass_requests(saved *s, script_state *script) {
    const script_names *names = &script->names;
    const size_t count = saved_count(s, names->count);
    for (size_t i = 0; s->reads && i < count && !s->bad; i++) get_name(s, script);
    for (size_t i = 0; !s->reads && i < names->capacity; i++) {
        script_name *name = names->items[i];
        if (!name) continue;
        saved_text(s, name->text, name->length);
        pass_name(s, name);
    }
}

static void get_watch(saved *s, script_state *script, script_name *name) {
    name->kept_mover = (int32_t)saved_below(s, 0, script->built.movers.count + UINT64_C(1));
    pass_path(s, &name->kept);
    if (!s->bad && name->kept.count == 0) saved_spoil(s, "the save watches a path without a cell");
    if (!s->bad && script_watch_kept(script, name)) saved_spoil(s, "no memory");
}

/* In the order in which their events come. Each path is compared with the map again after the next frame. */
static void pass_watches(saved *s, script_state *script) {
    size_t count = 0;
    const script_name *first = s->reads ? NULL : script_watch_first(script);
    for (const script_name *name = first; name; name = name->next_watched) count++;
    count = saved_count(s, count);
    for (const script_name *name = first; name; name = name->next_watched) {
        script_trail kept = name->kept;
        saved_text(s, name->text, name->length);
        (void)saved_below(s, (uint64_t)name->kept_mover, script->built.movers.count + UINT64_C(1));
        pass_path(s, &kept);
    }
    for (size_t i = 0; s->reads && i < count && !s->bad; i++) {
        char *text = saved_text(s, NULL, 0);
        script_name *name = text ? script_name_find(&script->names, (script_word){text, strlen(text), 1}) : NULL;
        if (!name || name->watched) saved_spoil(s, "the save watches a path that it has not");
        if (!s->bad) get_watch(s, script, name);
        free(text);
    }
}

/* ---- questions that the next frame answers, as lines ---- */

typedef struct line_text {
    char *text;
    size_t length, capacity;
    bool starved;
} line_text;

static void put_text(void *context, const char *bytes, size_t size) {
    line_text *line = context;
    if (line->length + size > line->capacity) {
        const size_t capacity = 2 * (line->length + size);
        char *more = realloc(line->text, capacity);
        line->starved = line->starved || !more;
        if (!more) return;
        line->text = more;
        line->capacity = capacity;
    }
    memcpy(line->text + line->length, bytes, size);
    line->length += size;
}

static void put_question(saved *s, const script_state *script, const wend_order *order) {
    line_text line = {0};
    wend__order_write(order, wend__kind_axes(script->kind), put_text, &line);
    if (line.starved) saved_spoil(s, "no memory");
    saved_text(s, line.text, line.length);
    free(line.text);
}

static void get_question(saved *s, script_state *script) {
    char *text = saved_text(s, NULL, 0);
    wend__order_reader reader = {.axes = wend__kind_axes(script->kind), .where = WEND__SCRIPT};
    world_error refusal = {0};
    wend_order order;
    if (!text || wend__order_read(&reader, text, strlen(text), &order) != 1 || order.kind != WEND_ORDER_NEAREST ||
        !world_check_nearest(&script->world, &order, &refusal))
        saved_spoil(s, "the save has a question that is none");
    else if (!cli_keep_order(&script->nearest, &order, script->line))
        saved_spoil(s, "no memory");
    wend__order_reader_free(&reader);
    free(text);
}

static void pass_questions(saved *s, script_state *script) {
    const size_t count = saved_count(s, script->nearest.count);
    for (size_t i = 0; i < count && !s->bad; i++) {
        if (s->reads)
            get_question(s, script);
        else
            put_question(s, script, script->nearest.items[i].order);
    }
}

/* ---- the service ---- */

/// Names of pending requests, by the index of their tickets.
typedef struct by_ticket {
    script_name **names;
    size_t count;
} by_ticket;

static bool list_pending(const script_names *names, by_ticket *out) {
    enum { MOST = 1 << 24 }; /* most places of a queue */
    *out = (by_ticket){0};
    for (size_t i = 0; i < names->capacity; i++)
        if (names->items[i] && names->items[i]->pending && names->items[i]->ticket.index >= out->count)
            out->count = names->items[i]->ticket.index + (size_t)1;
    if (out->count > MOST) return false;
    out->names = calloc(out->count + 1, sizeof(script_name *));
    for (size_t i = 0; out->names && i < names->capacity; i++)
        if (names->items[i] && names->items[i]->pending) out->names[names->items[i]->ticket.index] = names->items[i];
    return out->names;
}

/* Requests of agents have no name: the crowd finds them itself. */
static void give_owner(void *context, wend_ticket ticket, wend_request *request) {
    const by_ticket *pending = context;
    script_name *name = ticket.index < pending->count ? pending->names[ticket.index] : NULL;
    if (!name || name->ticket.generation != ticket.generation) return;
    pending->names[ticket.index] = NULL;
    script_name_asks(name, request);
    request->on_done = script_done;
    request->context = name;
}

static void restore_service(saved *s, script_state *script, wend_save_host *host, const uint8_t *part, size_t bytes) {
    by_ticket pending = {0};
    if (!list_pending(&script->names, &pending)) saved_spoil(s, "the save has a ticket that it cannot have");
    if (!s->bad) {
        host->request = give_owner;
        host->context = &pending;
        saved_allows(s, wend_service_restore_state(script->service, host, part, bytes));
    }
    for (size_t i = 0; i < pending.count && pending.names; i++)
        if (pending.names[i]) saved_spoil(s, "the save has a request that its service has not");
    free(pending.names);
}

/* Options of the command line win over limits, as ever. */
static bool create_service(saved *s, script_state *script) {
    cli_limits *limits = &script->built.limits;
    if (script->options->lanes > 0) limits->tuning.lanes = (uint32_t)script->options->lanes;
    if (script->options->slice > 0) limits->tuning.slice = script->options->slice;
    limits->def.workers = (uint32_t)script->options->workers;
    limits->def.tuning = &limits->tuning;
    limits->def.allocator = cli_lazy_allocator();
    if (script_create_service(script)) saved_spoil(s, "no service");
    return !s->bad;
}

static void pass_service(saved *s, script_state *script) {
    wend_map *const maps[] = {script->built.map};
    wend_save_host host;
    size_t bytes = 0;
    saved_limits(s, &script->built.limits);
    if (!saved_flag(s, script->service) || s->bad) return;
    wend_save_host_init(&host, sizeof host);
    host.maps = maps, host.map_count = 1;
    if (s->reads && !create_service(s, script)) return;
    if (!s->reads) {
        saved_service(s, script->service, &host);
        return;
    }
    uint8_t *part = saved_part(s, &bytes);
    if (part) restore_service(s, script, &host, part, bytes);
}

/* ---- the crowd ---- */

static void pass_crowd(saved *s, script_state *script) {
    world_state *w = &script->world;
    if (!saved_flag(s, w->crowd) || s->bad) return;
    if (s->reads && !script->service) saved_spoil(s, "the save has a crowd without a service");
    if (s->reads) {
        wend_crowd_def_init(&script->crowd_def, sizeof script->crowd_def);
        wend_crowd_tuning_init(&script->crowd_tuning, sizeof script->crowd_tuning);
    }
    saved_crowd_limits(s, &script->crowd_def, &script->crowd_tuning);
    const bool has_bodies = saved_flag(s, w->has_bodies);
    if (s->reads && !s->bad && script_crowd_create(script)) saved_spoil(s, "no crowd");
    if (s->reads && !s->bad) w->has_bodies = has_bodies;
    if (!s->bad) saved_crowd(s, w);
}

/* ---- all of it ---- */

/* In this order each part can be checked by those before it. */
static void pass_parts(saved *s, script_state *script) {
    void (*const parts[])(saved *, script_state *) = {pass_script,  pass_map,     pass_prepared, pass_requests,
                                                      pass_watches, pass_service, pass_crowd,    pass_questions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !s->bad; i++) parts[i](s, script);
}

/* Requests pending before are not printed. */
static void free_world(script_state *script) {
    script->failed = true;
    script_watch_end(script);
    script_crowd_end(script);
    if (script->built.map) script_end_service(script);
    script_names_free(&script->names);
    cli_kept_free(&script->nearest);
    world_edits_free(&script->world.edits);
    cli_world_free(&script->built);
    script_trails_free(script);
    cli_free(script->graph.known);
    script->graph = (script_graph){0};
    script->costs = (script_costs){0};
    script->prepared = (script_prepared){0};
    script->failed = script->crowd_ended = script->ending = false;
    script->pending = script->cancelled = script->trail_count = 0;
    script_begin_world(script);
}

void script_save(script_state *script, saved *to) {
    pass_parts(to, script);
}

bool script_restore(script_state *script, saved *from) {
    free_world(script);
    pass_parts(from, script);
    return saved_end_reading(from);
}

/* Returns why nothing can be saved or restored here; NULL: it is possible. */
static const char *cannot(const script_state *script, bool saves) {
    if (script->options->no_files) return "no file may be opened here";
    if (script->recorded || script->maps) return "a recording has no save and no restore";
    if (script_during_waits(script) || script->during_open) return "behind during a frame comes first";
    if (saves && script->graph.known && script->line < script->graph.end)
        return "the lines of a graph come to its first frame or publish: save after that";
    if (!saves && script->options->record_file && (script->options->record_from == 0 || script->record.file.stream))
        return "--record begins with its map, not with a save: --record-from lets it";
    if (!saves && script->options->film_file) return "--animate begins with its map, not with a save";
    if (!saves && script->options->trial) return "a script that begins with a save cannot be planned for";
    return NULL;
}

/* A trial measures, and writes nothing. */
int script_act_save(script_state *script, wend_order *order) {
    const script_word word = script_word_of(script, order, &order->map.file);
    const char *why = cannot(script, true);
    saved s = {.reads = false};
    if (script->options->trial) return CLI_DONE;
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    char *path = script_path_beside(script->file, word);
    if (!path) return script_no_memory(script);
    script_save(script, &s);
    int status = CLI_DONE;
    if (s.bad || !saved_write(&s, path)) status = script_fail(script, word.column, "'%s': %s", path, s.why);
    free(s.bytes);
    free(path);
    return status;
}

int script_act_restore(script_state *script, wend_order *order) {
    const script_word word = script_word_of(script, order, &order->map.file);
    const char *why = cannot(script, false);
    saved s = {.reads = true};
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    char *path = script_path_beside(script->file, word);
    if (!path) return script_no_memory(script);
    int status = CLI_DONE;
    if (!saved_read(&s, path) || !script_restore(script, &s)) {
        if (!script->failed) status = script_fail(script, word.column, "'%s': %s", path, s.why);
        script->failed = true;
    }
    if (s.bad && !status) status = CLI_BAD_INPUT; /* printed before */
    free(s.bytes);
    free(path);
    return status;
}

/* ---- marks ---- */

enum { MARKS = 256 };

/* The marks of the script that runs. One that has run may still have its world in the arena: it does not change, so no
 * rewind to a later mark does anything to it. */
static struct {
    script_state *kept; ///< in the arena
    char *names[MARKS]; ///< names by slot; NULL: free from here on
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

static void forget_names(void) {
    for (int i = 0; i < MARKS; i++) free(marks.names[i]), marks.names[i] = NULL;
}

int script_marks_begin(script_state *script) {
    forget_names(); /* another script's: its marks are overwritten */
    if (cli_heap_arena() || !has_line(script, "mark ")) return CLI_DONE;
    return cli_heap_open(MARKS) ? script_no_memory(script) : CLI_DONE;
}

void script_marks_end(void) {
    forget_names();
    cli_free(marks.kept);
    marks.kept = NULL;
    const wend_error error = cli_heap_close();
    if (error) cli_fail("run: %s", wend_error_detail(error));
}

/* Returns the slot of a name, or the first free one; MARKS: all have other names. */
static uint32_t slot_of(script_word word) {
    uint32_t slot = 0;
    while (slot < MARKS && marks.names[slot] && !script_word_is(word, marks.names[slot])) slot++;
    return slot;
}

/* Returns why no mark is possible here; NULL: it is possible. */
static const char *cannot_mark(const script_state *script) {
    if (!cli_heap_arena()) return "only a script to run has marks";
    if (script->recorded || script->maps) return "a recording has no marks";
    if (script_during_waits(script) || script->during_open) return "behind during a frame comes first";
    if (script->graph.known && script->line < script->graph.end)
        return "the lines of a graph come to its first frame or publish: mark after that";
    if (script->film) return "a film of --animate does not go back";
    if (script->record.file.stream) return "a recording of --record does not go back";
    return NULL;
}

int script_act_mark(script_state *script, wend_order *order) {
    const script_word word = script_name_of(script, order, &order->checkpoint.name);
    const uint32_t slot = slot_of(word);
    const char *why = cannot_mark(script);
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    if (slot == MARKS) return script_fail(script, word.column, "more than %d marks", MARKS);
    if (!marks.names[slot]) marks.names[slot] = strndup(word.text, word.length);
    if (!marks.kept) marks.kept = cli_alloc(sizeof *marks.kept);
    if (!marks.names[slot] || !marks.kept) return script_no_memory(script);
    *marks.kept = *script;
    const wend_error error = wend_arena_mark(cli_heap_arena(), slot);
    return error ? script_fail(script, word.column, "%s", wend_error_detail(error)) : CLI_DONE;
}

/* The reading position stays, and so does state of the whole run. */
static void keep_place(script_state *script, const script_state *now) {
    script->next = now->next, script->here = now->here, script->line = now->line;
    script->reader = now->reader;
    script->land_file = now->land_file;
    script->has_watch = now->has_watch;
}

int script_act_rewind(script_state *script, wend_order *order) {
    const script_word word = script_name_of(script, order, &order->checkpoint.name);
    const uint32_t slot = slot_of(word);
    const char *why = cannot_mark(script);
    const script_state now = *script;
    if (why) return script_fail(script, script->reader.words[0].column, "%s", why);
    if (slot == MARKS || !marks.names[slot]) {
        const wend__shown_word quote = wend__show_word(word);
        return script_fail(script, word.column, "there is no mark '%s'", quote.text);
    }
    const wend_error error = wend_arena_rewind(cli_heap_arena(), slot);
    if (error) return script_fail(script, word.column, "%s", wend_error_detail(error));
    *script = *marks.kept;
    keep_place(script, &now);
    return CLI_DONE;
}
