/* SPDX-License-Identifier: MIT */
/* Checkpoints that a server keeps in memory: saves, named by clients; and one for each of the last seconds, if the
 * server has a history: marks, if its world lies in the heap. The number of names has a limit, and so have the bytes of
 * all: the oldest automatic ones make room. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "saves/saves.h"
#include "serve/game/serve.h"

/* ---- the list ---- */

static void drop(serve_history *history, size_t i) {
    serve_checkpoint *dropped = history->kept[i];
    if (dropped->bytes)
        history->bytes -= dropped->size;
    else
        serve_mark_forget(dropped->slot);
    serve_checkpoint_release(dropped);
    history->count--;
    memmove(&history->kept[i], &history->kept[i + 1], (history->count - i) * sizeof *history->kept);
}

/* Returns the place of a name; the count if there is none. */
static size_t find_name(const serve_history *history, wend_name name) {
    size_t i = 0;
    for (; i < history->count; i++) {
        const serve_checkpoint *kept = history->kept[i];
        if (!kept->automatic && strlen(kept->name) == name.length && memcmp(kept->name, name.text, name.length) == 0)
            break;
    }
    return i;
}

static size_t count_kind(const serve_history *history, bool automatic) {
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++) count += history->kept[i]->automatic == automatic;
    return count;
}

static bool drop_oldest_automatic(serve_history *history) {
    for (size_t i = 0; i < history->count; i++) {
        if (!history->kept[i]->automatic) continue;
        drop(history, i);
        return true;
    }
    return false;
}

/* Makes room for one that takes at most this many bytes in addition to the others. */
static bool make_room(serve *server, uint64_t more) {
    const serve_history *history = &server->history;
    const uint64_t most = server->options->checkpoint_bytes;
    while (history->bytes + serve_marks_bytes(server) + more > most)
        if (more > most || !drop_oldest_automatic(&server->history)) return false;
    return true;
}

static bool list(serve_history *history, serve_checkpoint *made, world_error *error) {
    if (!WEND__ARRAY_ROOM(history->kept, history->capacity, history->count + 1))
        return world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
    history->kept[history->count++] = made;
    return true;
}

static bool refuse_size(const serve *server, size_t size, world_error *error) {
    return world_refuse(error, WORLD_TOO_LARGE, NULL, "it has %zu bytes, and all checkpoints at most %llu", size,
                        (unsigned long long)server->options->checkpoint_bytes);
}

/* Takes over the save. @return false: refused, and it is freed */
static bool add(serve *server, serve_checkpoint *made, world_error *error) {
    bool good = make_room(server, made->size) || refuse_size(server, made->size, error);
    good = good && list(&server->history, made, error);
    if (good)
        server->history.bytes += made->size;
    else
        serve_checkpoint_release(made);
    return good;
}

/* ---- orders ---- */

static bool can_keep(const serve *server, world_error *error) {
    if (server->node) return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a node of a cluster has no checkpoints");
    if (server->stream)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a world with --stream has no checkpoints");
    return true;
}

/* Replaces one of the same name when the new one exists. */
static bool keep_named(serve *server, wend_name name, FILE *out, world_error *error) {
    serve_history *history = &server->history;
    if (name.length == 0 || name.length > SERVE_NAME_BYTES)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a name has 1 to %d bytes", SERVE_NAME_BYTES);
    const size_t before = find_name(history, name);
    serve_checkpoint *old = before < history->count ? history->kept[before] : NULL;
    if (!old && count_kind(history, false) >= server->options->checkpoints)
        return world_refuse(error, WORLD_BUSY, NULL, "%llu checkpoints have names: drop one first",
                            (unsigned long long)server->options->checkpoints);
    serve_scene now = serve_scene_now(server);
    serve_checkpoint *made = serve_checkpoint_make(server, &now, error);
    if (!made) return false;
    memcpy(made->name, name.text, name.length);
    if (old) history->bytes -= old->size; /* its bytes make room for the new one */
    const bool added = add(server, made, error);
    if (old) history->bytes += old->size;
    if (!added) return false;
    fprintf(out, ",\"bytes\":%zu", made->size);
    if (old) drop(history, find_name(history, name)); /* the older one comes first */
    return true;
}

void serve_history_order(serve *server, const wend_order *order, wend_live_reply *reply, FILE *out) {
    static world_error error; /* the reply has its text */
    wend_map_info info = {.struct_bytes = sizeof info};
    serve_history *history = &server->history;
    const wend_name name = order->checkpoint.name;
    error = (world_error){0};
    const size_t at = find_name(history, name);
    bool good = can_keep(server, &error);
    if (good && order->checkpoint.drop && at == history->count)
        good = world_refuse(&error, WORLD_UNKNOWN, NULL, "there is no checkpoint of that name");
    else if (good && order->checkpoint.drop)
        drop(history, at);
    else if (good)
        good = keep_named(server, name, out, &error);
    wend_map_get_info(server->world.map, &info);
    reply->work = info.cells;
    if (!good) serve_refuse_error(reply, &error);
}

void serve_history_list(const serve *server, FILE *out) {
    fputs(",\"checkpoints\":[", out);
    for (size_t i = 0; i < server->history.count; i++) {
        const serve_checkpoint *kept = server->history.kept[i];
        fputs(i > 0 ? ",{" : "{", out);
        if (!kept->automatic) fputs("\"name\":", out), cli_json_string(out, kept->name), fputc(',', out);
        fprintf(out, "\"frame\":%llu,\"bytes\":%zu}", (unsigned long long)kept->frame, kept->size);
    }
    fputs("]", out);
}

/* ---- a checkpoint each second ---- */

/* Only the oldest and the newest ones are removed, so the slot behind the newest is free. */
static uint32_t free_slot(const serve_history *history) {
    for (size_t i = history->count; i-- > 0;)
        if (!history->kept[i]->bytes) return (history->kept[i]->slot + 1) % SERVE_MOST_MARKS;
    return 0;
}

/* @return false: refused, and not kept */
static bool keep_mark(serve *server, world_error *error) {
    serve_history *history = &server->history;
    size_t size = 0;
    serve_checkpoint *made = calloc(1, sizeof *made);
    if (!made) return world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
    *made = (serve_checkpoint){
        .holders = 1, .automatic = true, .frame = server->clock.last.frame, .slot = free_slot(history)};
    if (!serve_mark_make(server, made->slot, &size, error) || !list(history, made, error)) {
        serve_checkpoint_release(made);
        return false;
    }
    made->size = size;
    return make_room(server, 0) || refuse_size(server, size, error);
}

static bool keep_save(serve *server, world_error *error) {
    serve_scene now = serve_scene_now(server);
    serve_checkpoint *made = serve_checkpoint_make(server, &now, error);
    if (made) made->automatic = true;
    return made && add(server, made, error);
}

/* Drops marks of later frames, which belong to an abandoned future. */
static void keep_automatic(serve *server) {
    serve_history *history = &server->history;
    world_error error = {0};
    for (size_t i = history->count; i-- > 0;)
        if (history->kept[i]->automatic && history->kept[i]->frame >= server->clock.last.frame) drop(history, i);
    while (count_kind(history, true) >= history->seconds && drop_oldest_automatic(history)) continue;
    if (history->marked ? keep_mark(server, &error) : keep_save(server, &error)) return;
    if (!history->full_said) cli_note("serve: no checkpoint is made: %s", error.text);
    history->full_said = true;
}

void serve_history_frame(serve *server, bool idle) {
    const uint64_t rate = server->clock.times.rate_hz;
    if (server->history.seconds == 0 || !idle || server->clock.last.frame % (rate > 0 ? rate : 1) != 0) return;
    keep_automatic(server);
}

void serve_history_begin(serve *server, uint64_t seconds) {
    world_error error = {0};
    const bool can = can_keep(server, &error);
    server->history.seconds = can ? seconds : 0;
    server->history.full_said = false;
    while (count_kind(&server->history, true) > server->history.seconds) drop_oldest_automatic(&server->history);
}

void serve_history_free(serve *server) {
    while (server->history.count > 0) drop(&server->history, server->history.count - 1);
    free(server->history.kept);
    server->history = (serve_history){.marked = server->history.marked};
}

/* ---- going back ---- */

/* Returns the last one up to a frame. */
static serve_checkpoint *find_frame(const serve_history *history, uint64_t frame) {
    serve_checkpoint *best = NULL;
    for (size_t i = 0; i < history->count; i++) {
        serve_checkpoint *kept = history->kept[i];
        if (kept->frame <= frame && (!best || kept->frame >= best->frame)) best = kept;
    }
    return best;
}

/* Keeps the present, so that the way back to it exists. */
static void keep_present(serve *server) {
    const serve_history *history = &server->history;
    for (size_t i = 0; i < history->count; i++)
        if (history->kept[i]->automatic && history->kept[i]->frame >= server->clock.last.frame) return;
    keep_automatic(server);
}

static serve_checkpoint *find(serve *server, const wend_order *order, bool idle) {
    const serve_history *history = &server->history;
    if (wend_order_gave(order, &order->checkpoint.at)) {
        if (history->seconds > 0 && idle) keep_present(server);
        return find_frame(history, order->checkpoint.at);
    }
    const size_t at = find_name(history, order->checkpoint.name);
    return at < history->count ? history->kept[at] : NULL;
}

/* @return NULL: refused */
static serve_checkpoint *find_ordered(serve *server, const wend_order *order, bool idle, world_error *error) {
    if (!can_keep(server, error)) return NULL;
    if (wend_order_gave(order, &order->checkpoint.at) == wend_order_gave(order, &order->checkpoint.name)) {
        world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "name a checkpoint, or a frame");
        return NULL;
    }
    serve_checkpoint *found = find(server, order, idle);
    if (!found) world_refuse(error, WORLD_UNKNOWN, NULL, "there is no such checkpoint");
    return found;
}

/* @return false: refused */
static bool read_save(serve *server, const serve_checkpoint *found, serve_scene *scene, world_error *error) {
    saved s = {.reads = true, .bytes = found->bytes, .size = found->size};
    return (saved_begin_reading(&s) && serve_checkpoint_read(server, &s, true, scene)) ||
           world_refuse(error, WORLD_BUSY, NULL, "%s", s.why);
}

bool serve_history_go(serve *server, const wend_order *order, world_error *error) {
    serve_scene scene;
    const serve_checkpoint *found = find_ordered(server, order, true, error);
    if (!found) return false;
    if (!found->bytes) return serve_mark_go(server, found->slot, error);
    if (!read_save(server, found, &scene, error)) return false;
    serve_scene_take(server, &scene);
    return true;
}

serve_checkpoint *serve_history_open(serve *server, const wend_order *order, bool idle, serve_scene *scene,
                                     world_error *error) {
    serve_checkpoint *found = find_ordered(server, order, idle, error);
    if (found && found->bytes)
        found->holders++;
    else if (found)
        found = serve_mark_save(server, found->slot, error);
    if (!found || read_save(server, found, scene, error)) return found;
    serve_checkpoint_release(found);
    return NULL;
}
