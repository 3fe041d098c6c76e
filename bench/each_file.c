/* SPDX-License-Identifier: MIT */
/* Rows of files, in a folder of their own that is removed, and the functions of libraries that are not timed here. */
#define _POSIX_C_SOURCE 200809L
#include "each.h"

#include <wend/formats.h>
#include <wend/scen.h>

#include <unistd.h>

typedef struct text {
    char *bytes;
    size_t count, capacity;
} text;

static wend_error append(void *context, const void *bytes, size_t size) {
    text *t = context;
    if (t->count + size > t->capacity) {
        t->capacity = 2 * (t->count + size);
        t->bytes = realloc(t->bytes, t->capacity);
        need(t->bytes != NULL, "memory");
    }
    memcpy(t->bytes + t->count, bytes, size);
    t->count += size;
    return WEND_OK;
}

static void use_maps(world *w, const char *path) {
    text t = {0};
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    ROW(wend_map_write, "grid text", t.count = 0;
        check(wend_map_write(w->map, WEND_FORMAT_GRID_TEXT, NULL, append, &t, &error)));
    ROW(wend_format_detect, "", wend_format_detect(t.bytes, t.count));
    ROW_ONCE(wend_map_parse, "grid text", , check(wend_map_parse(t.bytes, t.count, NULL, &map, NULL, &error)),
             wend_map_release(map));
    ROW(wend_map_save, "grid text", check(wend_map_save(w->map, path, WEND_FORMAT_GRID_TEXT, NULL, &error)));
    ROW_ONCE(wend_map_load, "grid text", , check(wend_map_load(path, NULL, &map, NULL, &error)), wend_map_release(map));
    free(t.bytes);
}

static void use_queries(world *w, const char *path) {
    const wend_scen_query query = {
        .width = w->side, .height = w->side, .depth = 1, .start = w->from, .goal = w->to, .map = "a.map", .length = 4};
    text t = {0};
    wend_scen *scen = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    size_t count;
    ROW(wend_scen_write, "a query", t.count = 0; check(wend_scen_write(&query, 1, append, &t)));
    ROW_ONCE(wend_scen_parse, "a query", , check(wend_scen_parse(t.bytes, t.count, &scen, &error)),
             wend_scen_free(scen));
    ROW_ONCE(wend_scen_free, "", check(wend_scen_parse(t.bytes, t.count, &scen, &error)), wend_scen_free(scen), );
    FILE *file = fopen(path, "w");
    need(file && fwrite(t.bytes, 1, t.count, file) == t.count && fclose(file) == 0, "a file");
    ROW_ONCE(wend_scen_load, "a query", , check(wend_scen_load(path, &scen, &error)), wend_scen_free(scen));
    check(wend_scen_parse(t.bytes, t.count, &scen, &error));
    ROW(wend_scen_get_queries, "", wend_scen_get_queries(scen, &count));
    wend_scen_free(scen);
    free(t.bytes);
}

void each_file(world *w) {
    char folder[] = "/tmp/bench_calls_XXXXXX", path[64];
    need(mkdtemp(folder) != NULL, "a folder");
    snprintf(path, sizeof path, "%s/file", folder);
    use_maps(w, path);
    use_queries(w, path);
    (void)remove(path);
    (void)rmdir(folder);
}

void each_other_library(void) {
    NOT_TIMED(wend_picture_init, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_picture_write, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_picture_refusal, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_def_init, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_parse, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_load, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_parse_with, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_load_with, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_free, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_write, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_tiled_save, "libwend-extra, O(cells drawn or read)");
    NOT_TIMED(wend_ground_def_init, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_create, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_set_triangles, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_update, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_undo, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_get_cell, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_get_world, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_get_info, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_ground_destroy, "libwend-ground, see bench_ground");
    NOT_TIMED(wend_live_def_init, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_limits_init, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_open, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_get_port, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_get_lines_port, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_set_map, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_set_epoch, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_set_service, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_set_owner, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_get_epoch, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_send_frame, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_skip_frame, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_answer, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_send_event, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_send_order, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_get_stats, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_drain, "libwend-live, see bench_live");
    NOT_TIMED(wend_live_close, "libwend-live, see bench_live");
    NOT_TIMED(wend_uv_def_init, "libwend-uv: needs a loop");
    NOT_TIMED(wend_uv_attach, "libwend-uv: needs a loop");
    NOT_TIMED(wend_uv_set_budget, "libwend-uv: needs a loop");
    NOT_TIMED(wend_uv_get_stats, "libwend-uv: needs a loop");
    NOT_TIMED(wend_uv_detach, "libwend-uv: needs a loop");
}
