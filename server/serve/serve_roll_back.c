/* SPDX-License-Identifier: MIT */
/* ROLL_BACK in the journal: it begins again, from a save in a file next to it. The save has one of two names,
 * alternately, so a killed server has the old journal with the old save, or the new one with the new. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/messages.h"
#include "saves/saves.h"
#include "serve/serve_log.h"

/// Number of names of saves: the journal's with .save1, and .save2.
enum { FILES = 2 };

static char *save_path(const serve *server, int number) {
    char *path;
    return asprintf(&path, "%s.save%d", server->log_name, number) < 0 ? NULL : path;
}

/* Writes the lines after the world's: numbers of orders that are executed once, which a ROLL_BACK does not undo. */
static bool write_lines(const serve *server, serve_roll_back *back) {
    size_t size = 0;
    FILE *out = open_memstream(&back->lines, &size);
    if (!out) return false;
    serve_once_write(&server->once, out);
    const char *name = strrchr(back->path, '/');
    const wend_order order = {.kind = WEND_ORDER_RESTORE, .map.file = wend__named(name ? name + 1 : back->path)};
    wend__order_write(&order, wend__kind_axes(server->world.kind), cli_put, out);
    fputc('\n', out);
    return fclose(out) == 0;
}

serve_roll_back *serve_roll_back_begin(serve *server, const wend_order *order, bool alone, world_error *error) {
    serve_scene now = serve_scene_now(server);
    serve_roll_back *back = calloc(1, sizeof *back);
    if (!back) world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
    if (back)
        back->checkpoint = order ? serve_history_open(server, order, alone, &back->scene, error)
                                 : serve_checkpoint_make(server, &now, error);
    if (!back || !back->checkpoint) {
        free(back);
        return NULL;
    }
    back->file = server->save_file == 1 ? FILES : 1;
    back->path = save_path(server, back->file);
    if (!back->path || !write_lines(server, back)) {
        world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
        serve_roll_back_end(back, false);
        return NULL;
    }
    back->save = (serve_journal_save){back->path, back->lines, back->checkpoint->bytes, back->checkpoint->size};
    return back;
}

void serve_roll_back_done(serve *server, const serve_roll_back *back) {
    server->save_file = back ? back->file : 0;
    if (server->node) return;
    for (int i = 1; i <= FILES; i++) {
        char *path = i == server->save_file ? NULL : save_path(server, i);
        if (path) unlink(path);
        free(path);
    }
}

void serve_roll_back_end(serve_roll_back *back, bool taken) {
    if (!taken) serve_scene_free(&back->scene);
    serve_checkpoint_release(back->checkpoint);
    free(back->path);
    free(back->lines);
    free(back);
}

/* An unreadable save cannot be set aside like a record: the world would be another one. */
int serve_roll_back_again(serve *server, const wend_order *order, int line) {
    const wend_name name = order->map.file;
    char *folder = cli_folder_of(server->log_name), *path = NULL;
    saved s = {.reads = true};
    serve_scene scene;
    if (!folder || asprintf(&path, "%s/%.*s", folder, (int)name.length, name.text) < 0) path = NULL;
    if (!path) saved_spoil(&s, "no memory");
    if (memchr(name.text, '/', name.length)) saved_spoil(&s, "it is not next to the journal");
    const bool good = !s.bad && saved_read(&s, path) && serve_checkpoint_read(server, &s, false, &scene);
    if (good) serve_scene_take(server, &scene);
    if (good) server->save_file = name.text[name.length - 1] == '0' + FILES ? FILES : 1;
    const int status = good ? CLI_DONE
                            : cli_fail_at(server->log_name, line, 1, "the journal goes on from '%.*s': %s",
                                          (int)name.length, name.text, s.why);
    free(s.bytes);
    free(path);
    free(folder);
    return status;
}
