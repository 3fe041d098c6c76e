/* SPDX-License-Identifier: MIT */
/* Keeps a film: the points at which agents turn, their goals, and ground that changes. */
#include "base/array.h"
#include "host/run/film.h"

#include <stdlib.h>
#include <string.h>

#include <wend/extra.h>

/* ---- the map below ---- */

typedef struct bytes {
    char *text;
    size_t count, capacity;
} bytes;

static wend_error take_bytes(void *context, const void *from, size_t count) {
    bytes *all = context;
    if (!WEND__ARRAY_ROOM(all->text, all->capacity, all->count + count)) return WEND_OUT_OF_MEMORY;
    memcpy(all->text + all->count, from, count);
    all->count += count;
    return WEND_OK;
}

/* From above: a cell of space has the lowest class that can be entered of the cells above each other. */
static wend_error look_from_above(const wend_map *map, const wend_map_info *info, wend_map **out) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = info->width;
    def.height = info->height;
    wend_error error = wend_map_create(&def, out);
    wend_edit *batch = NULL;
    if (!error) error = wend_edit_begin(*out, &batch);
    for (int32_t y = 0; !error && y < info->height; y++)
        for (int32_t x = 0; x < info->width; x++) {
            uint8_t best = WEND_CLASS_BLOCKED, ground = WEND_CLASS_BLOCKED;
            for (int32_t z = 0; z < info->depth; z++) {
                wend_map_get_terrain(map, (wend_cell){x, y, z}, &ground);
                if (ground != WEND_CLASS_BLOCKED && (best == WEND_CLASS_BLOCKED || ground < best)) best = ground;
            }
            wend_edit_set_cell(batch, (wend_cell){x, y, 0}, best);
        }
    return !error ? wend_edit_publish(batch, NULL) : error;
}

static wend_error draw_base(film *f, const wend_map *map, const char **why) {
    static const char end[] = "</svg>\n";
    bytes all = {NULL, 0, 0};
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    picture.map = map;
    picture.format = WEND_PICTURE_SVG;
    picture.legend = WEND_LEGEND_NONE;
    wend_error error = wend_picture_write(&picture, take_bytes, &all);
    if (error == WEND_UNSUPPORTED) *why = wend_picture_refusal(&picture);
    if (error || all.count < sizeof end - 1) {
        free(all.text);
        return error ? error : WEND_UNSUPPORTED;
    }
    f->base = all.text;
    f->base_bytes = all.count - (sizeof end - 1);
    return WEND_OK;
}

wend_error film_begin(film *f, wend_map *map, const char **why) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map *flat = NULL;
    wend_error error = wend_map_get_info(map, &info);
    *why = NULL;
    if (info.kind == WEND_KIND_GRAPH) *why = "a graph has no cells to glide over";
    if (*why) return WEND_UNSUPPORTED;
    if (info.kind == WEND_KIND_VOXEL) error = look_from_above(map, &info, &flat);
    if (!error) error = draw_base(f, flat ? flat : map, why);
    if (flat) wend_map_release(flat);
    f->tracks = calloc(FILM_MAX_TRACKS, sizeof *f->tracks);
    f->changes = calloc(FILM_MAX_CHANGES, sizeof *f->changes);
    return !error && (!f->tracks || !f->changes) ? WEND_OUT_OF_MEMORY : error;
}

void film_free(film *f) {
    for (uint32_t i = 0; i < f->track_count; i++) {
        free(f->tracks[i].way.points);
        free(f->tracks[i].goals.points);
    }
    free(f->tracks);
    free(f->changes);
    free(f->base);
    *f = (film){0};
}

/* ---- what happens ---- */

static void add_point(film *f, film_line *line, film_point point) {
    f->full = f->full || f->points >= FILM_MAX_POINTS;
    if (f->full) return;
    f->full = !WEND__ARRAY_ROOM(line->points, line->capacity, line->count + 1);
    if (f->full) return;
    line->points[line->count++] = point;
    f->points++;
}

uint32_t film_add(film *f, int32_t size, bool ghost) {
    if (f->track_count == FILM_MAX_TRACKS) f->left_out = true;
    if (f->track_count == FILM_MAX_TRACKS) return UINT32_MAX;
    f->tracks[f->track_count] =
        (film_track){.first_frame = f->frames, .end_frame = UINT32_MAX, .size = size, .ghost = ghost};
    return f->track_count++;
}

void film_remove(film *f, uint32_t track) {
    if (track < f->track_count) f->tracks[track].end_frame = f->frames;
}

/* Does it go on from its last point through `last` to `next` as straight and as fast, to a hundredth of a cell? */
static bool goes_on(const film_point *from, const film_point *last, const film_point *next) {
    enum { CLOSE = 10 };
    const int64_t part = last->frame - from->frame, whole = next->frame - from->frame;
    const int64_t x = from->x + (next->x - from->x) * part / whole, y = from->y + (next->y - from->y) * part / whole;
    return x - last->x <= CLOSE && last->x - x <= CLOSE && y - last->y <= CLOSE && last->y - y <= CLOSE;
}

static void see_way(film *f, film_track *track, film_point now) {
    film_line *way = &track->way;
    if (way->count == 0) {
        add_point(f, way, now);
        return;
    }
    if (track->pending && !goes_on(&way->points[way->count - 1], &track->last, &now)) add_point(f, way, track->last);
    track->last = now;
    track->pending = true;
}

/* A goal of INT32_MIN is none. */
static void see_goal(film *f, film_track *track, film_point goal) {
    const film_line *goals = &track->goals;
    const film_point *last = goals->count > 0 ? &goals->points[goals->count - 1] : NULL;
    if (last ? last->x == goal.x && last->y == goal.y : goal.x == INT32_MIN) return;
    add_point(f, &track->goals, goal);
}

void film_see(film *f, uint32_t track, wend_point at, const wend_point *goal) {
    if (track >= f->track_count || f->full) return;
    see_way(f, &f->tracks[track], (film_point){f->frames, at.x, at.y});
    see_goal(f, &f->tracks[track],
             goal ? (film_point){f->frames, goal->x, goal->y} : (film_point){f->frames, INT32_MIN, 0});
}

void film_change_ground(film *f, wend_box box, uint8_t ground) {
    if (f->full) return;
    if (f->change_count == FILM_MAX_CHANGES) {
        f->left_out = true;
        return;
    }
    f->changes[f->change_count++] = (film_change){
        f->frames + 1, box.min.x, box.min.y, box.max.x - box.min.x + 1, box.max.y - box.min.y + 1, ground};
}

void film_frame(film *f) {
    if (!f->full) f->frames++;
}
