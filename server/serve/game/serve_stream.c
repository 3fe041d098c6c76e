/* SPDX-License-Identifier: MIT */
/* A streamed world with chunks in files: CX,CY.wend in a folder, each a map of the chunk's size, of any format that
 * wend reads. Before each frame, chunks are loaded that requests want, or that agents are near to or want to get to.
 * Chunks without need for a while are unloaded. Changed ones are written first, as a baked map, which has a
 * checksum. An unreadable file is named once, and its chunk stays absent. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output/messages.h"
#include "serve/game/serve.h"
#include <wend/control.h>
#include <wend/stream.h>

/// Most chunks loaded and unloaded in a frame; frames after which an unneeded chunk is unloaded; cells from an agent
/// within which chunks are needed.
enum { MOST_A_FRAME = 16, REST_FRAMES = 200, NEAR = 48 };

typedef struct serve_stream {
    const char *folder;
    int32_t columns, rows;
    uint64_t *needed; ///< by chunk: the last frame in which it was needed, plus 1; 0: never
    bool *bad;        ///< there is no such file, or it cannot be read
    uint64_t next;    ///< start of the search for the next chunk to unload
    uint64_t writes;  ///< files written, or tried to
} serve_stream;

/* ---- files ---- */

static wend_cell chunk_at(const serve_stream *s, size_t index) {
    return (wend_cell){(int32_t)(index % (size_t)s->columns), (int32_t)(index / (size_t)s->columns), 0};
}

static size_t index_of(const serve_stream *s, wend_cell chunk) {
    return (size_t)chunk.y * (size_t)s->columns + (size_t)chunk.x;
}

static bool has_file(const serve_stream *s, wend_cell chunk, char path[CLI_PATH_BYTES]) {
    struct stat about;
    return cli_chunk_path(s->folder, chunk, path) && stat(path, &about) == 0;
}

/* Returns the map of a chunk's file; NULL: there is none, or it cannot be used, which is printed. */
static wend_map *read_file(const serve *server, wend_cell chunk) {
    char path[CLI_PATH_BYTES];
    const wend_box box = cli_chunk_box(server->world.map, chunk);
    const int width = box.max.x - box.min.x + 1, height = box.max.y - box.min.y + 1;
    wend_file_error where = {.struct_bytes = sizeof where};
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map *map = NULL;
    if (!has_file(server->stream, chunk, path)) return NULL;
    const wend_error error = wend_map_load(path, NULL, &map, NULL, &where);
    if (error) {
        cli_fail_file(path, error, &where);
        return NULL;
    }
    wend_map_get_info(map, &info);
    if (info.kind == WEND_KIND_GRID && info.width == width && info.height == height) return map;
    cli_note_at(path, "it is no flat map of %d x %d cells: the chunk stays absent", width, height);
    wend_map_release(map);
    return NULL;
}

/* Returns whether a chunk's file has the same cells as the world. */
static bool is_in_file(const serve *server, wend_cell chunk) {
    const wend_box box = cli_chunk_box(server->world.map, chunk);
    const wend_box there = {{0, 0, 0}, {box.max.x - box.min.x, box.max.y - box.min.y, 0}};
    uint8_t now[WEND_CHUNK_SIDE * WEND_CHUNK_SIDE] = {0}, before[sizeof now] = {0};
    wend_map *map = server->stream->bad[index_of(server->stream, chunk)] ? NULL : read_file(server, chunk);
    if (!map) return false;
    wend_map_get_terrain_box(server->world.map, box, now, WEND_CHUNK_SIDE);
    wend_map_get_terrain_box(map, there, before, WEND_CHUNK_SIDE);
    wend_map_release(map);
    return memcmp(now, before, sizeof now) == 0;
}

/* Writes a loaded chunk whose file has other cells. @return false: it could not be written, which is printed */
static bool write_file(const serve *server, wend_cell chunk) {
    serve_stream *s = server->stream;
    char path[CLI_PATH_BYTES];
    wend_file_error where = {.struct_bytes = sizeof where};
    if (is_in_file(server, chunk)) return true;
    const bool named = cli_chunk_path(s->folder, chunk, path);
    const wend_error error = named ? cli_chunk_write(server->world.map, chunk, path, &where) : WEND_IO;
    if (error) cli_fail_file(path, error, &where);
    s->bad[index_of(s, chunk)] = false;
    s->writes++;
    return !error;
}

/* ---- loading and unloading: edits, like those of clients ---- */

static const world_client itself = {.owner = true};

static bool apply_changes(serve *server, const wend_change_item *items, size_t count) {
    const wend_order order = {.kind = WEND_ORDER_EDIT, .changes = {items, count}};
    world_error error = {0};
    if (!world_check_and_do(&server->world, &itself, &order, &error)) {
        cli_note("serve: a chunk: %s", error.text);
        return false;
    }
    serve_send_order(server, &order);
    return true;
}

static bool is_loaded(const serve *server, wend_cell chunk) {
    int32_t land = WEND_LAND_ABSENT;
    wend_map_get_land(server->world.map, chunk.x, chunk.y, &land);
    return land == WEND_LAND_LOADED;
}

/* @return whether it was loaded */
static bool load(serve *server, wend_cell chunk) {
    serve_stream *s = server->stream;
    wend_change_item *items;
    wend_map *map = read_file(server, chunk);
    s->bad[index_of(s, chunk)] = !map;
    if (!map) return false;
    const size_t count = cli_chunk_changes(map, (wend_cell){0, 0, 0}, chunk, &items);
    const bool good = count > 0 && apply_changes(server, items, count);
    free(items);
    wend_map_release(map);
    return good;
}

static bool unload(serve *server, wend_cell chunk) {
    wend_change_item item = {WEND_ORDER_UNLOAD, {.from = chunk, .to = chunk}};
    return write_file(server, chunk) && apply_changes(server, &item, 1);
}

/* ---- frames ---- */

/* @return whether it was loaded now */
static bool need(serve *server, wend_cell chunk) {
    serve_stream *s = server->stream;
    if (chunk.x < 0 || chunk.y < 0 || chunk.x >= s->columns || chunk.y >= s->rows) return false;
    const size_t index = index_of(s, chunk);
    const bool is_new = s->needed[index] <= server->clock.last.frame;
    s->needed[index] = server->clock.last.frame + 1;
    return is_new && !s->bad[index] && !is_loaded(server, chunk) && load(server, chunk);
}

/* @return how many chunks were loaded */
static int need_around(serve *server, wend_cell cell) {
    int loaded = 0;
    for (int32_t y = (cell.y - NEAR) >> 6; y <= (cell.y + NEAR) >> 6; y++)
        for (int32_t x = (cell.x - NEAR) >> 6; x <= (cell.x + NEAR) >> 6; x++)
            loaded += need(server, (wend_cell){x, y, 0});
    return loaded;
}

/* A write waits for the disk: one a frame. */
static void unload_some(serve *server) {
    enum { LOOKED_AT = 4096 };
    serve_stream *s = server->stream;
    const uint64_t writes = s->writes;
    const uint64_t count = (uint64_t)s->columns * (uint64_t)s->rows, now = server->clock.last.frame;
    int unloaded = 0;
    for (uint64_t i = 0; i < LOOKED_AT && i < count && unloaded < MOST_A_FRAME && s->writes == writes;
         i++, s->next = (s->next + 1) % count) {
        const wend_cell chunk = chunk_at(s, s->next);
        if (s->needed[s->next] + REST_FRAMES > now || !is_loaded(server, chunk)) continue;
        const bool done = unload(server, chunk);
        s->needed[s->next] = done ? 0 : now + 1; /* a disk that failed is tried again later */
        unloaded += done;
    }
}

/* @return the number of chunks loaded at an agent and at its goal */
static int need_for(serve *server, wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (wend_crowd_get_agent(server->world.crowd, id, &state)) return 0;
    const int loaded = need_around(server, state.cell);
    return state.has_goal ? loaded + need_around(server, state.goal_cell) : loaded;
}

/* @return the number of chunks loaded at which requests stopped, the most urgent first */
static int need_wanted(serve *server) {
    wend_cell wanted[MOST_A_FRAME];
    size_t count = 0;
    int loaded = 0;
    wend_service_get_wanted(server->world.service, server->world.map, wanted, MOST_A_FRAME, &count);
    for (size_t i = 0; i < count && i < MOST_A_FRAME; i++) loaded += need(server, wanted[i]);
    return loaded;
}

void serve_stream_frame(serve *server) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (!server->stream || wend_crowd_get_view(server->world.crowd, &view)) return;
    int loaded = need_wanted(server);
    for (uint32_t i = 0; i < view.count && loaded < MOST_A_FRAME; i++) loaded += need_for(server, view.ids[i]);
    unload_some(server);
}

/* ---- orders of clients ---- */

/* Land that a client unloads would be lost with its edits, and land that it loads would replace that of a file. */
bool serve_stream_allows(const serve *server, const wend_order *order, world_error *error) {
    char path[CLI_PATH_BYTES];
    if (!server->stream || order->kind != WEND_ORDER_EDIT) return true;
    for (size_t i = 0; i < order->changes.count; i++) {
        const wend_change_item *item = &order->changes.items[i];
        const wend_cell *chunk = &item->change.from;
        if (item->kind == WEND_ORDER_UNLOAD)
            return world_refuse(error, WORLD_BAD_ARGUMENT, chunk, "with --stream the server alone unloads land");
        if (item->kind == WEND_ORDER_LOAD && !is_loaded(server, *chunk) && has_file(server->stream, *chunk, path))
            return world_refuse(error, WORLD_BAD_ARGUMENT, chunk, "the chunk %d,%d is in a file of --stream",
                                (int)chunk->x, (int)chunk->y);
    }
    return true;
}

/* ---- opening and closing ---- */

void serve_stream_begin(serve *server) {
    serve_stream *s = server->stream;
    for (size_t i = 0; s && i < (size_t)s->columns * (size_t)s->rows; i++) {
        s->needed[i] = 0;
        s->bad[i] = false;
        if (is_loaded(server, chunk_at(s, i))) (void)load(server, chunk_at(s, i));
    }
}

int serve_stream_open(serve *server) {
    const char *folder = server->options->stream;
    wend_map_info info = {.struct_bytes = sizeof info};
    struct stat about;
    if (!folder) return CLI_DONE;
    wend_map_get_info(server->world.map, &info);
    if (!info.streamed) return cli_fail("serve: --stream is for a world of streamed land: grid W H streamed");
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) return cli_fail("serve: --stream %s: no folder", folder);
    serve_stream *s = calloc(1, sizeof *s);
    const int32_t side = WEND_CHUNK_SIDE, columns = (info.width + side - 1) / side,
                  rows = (info.height + side - 1) / side;
    const size_t chunks = (size_t)columns * (size_t)rows;
    if (s)
        *s = (serve_stream){.folder = folder,
                            .columns = columns,
                            .rows = rows,
                            .needed = calloc(chunks, sizeof *s->needed),
                            .bad = calloc(chunks, sizeof *s->bad)};
    server->stream = s;
    if (!s || !s->needed || !s->bad) return cli_fail("serve: no memory for %zu chunks", chunks);
    serve_stream_begin(server);
    return CLI_DONE;
}

bool serve_stream_write(const serve *server) {
    const serve_stream *s = server->stream;
    bool good = true;
    for (size_t i = 0; s && s->needed && s->bad && i < (size_t)s->columns * (size_t)s->rows; i++)
        if (is_loaded(server, chunk_at(s, i))) good = write_file(server, chunk_at(s, i)) && good;
    return good;
}

void serve_stream_close(serve *server) {
    serve_stream *s = server->stream;
    if (!s) return;
    free(s->needed);
    free(s->bad);
    free(s);
    server->stream = NULL;
}
