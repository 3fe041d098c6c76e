/* SPDX-License-Identifier: MIT */
/* The film of a script (--animate): stores points where agents turn, their goals, and ground that changes. */
#include <stdlib.h>
#include <string.h>

#include <wend/extra.h>
#include <wend/movers.h>
#include <wend/versions.h>

#include "base/array.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "film/film.h"
#include "script/script.h"

/* ---- the map below ---- */

typedef struct bytes {
    char *text;
    size_t count, capacity;
} bytes;

static wend_error append_bytes(void *context, const void *from, size_t count) {
    bytes *all = context;
    if (!WEND__ARRAY_ROOM(all->text, all->capacity, all->count + count)) return WEND_OUT_OF_MEMORY;
    memcpy(all->text + all->count, from, count);
    all->count += count;
    return WEND_OK;
}

/* From above: a cell in space shows the lowest enterable class of the cells above each other. */
static wend_error project_map(const wend_map *map, const wend_map_info *info, wend_map **out) {
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
    wend_error error = wend_picture_write(&picture, append_bytes, &all);
    if (error == WEND_UNSUPPORTED) *why = wend_picture_refusal(&picture);
    if (error || all.count < sizeof end - 1) {
        free(all.text);
        return error ? error : WEND_UNSUPPORTED;
    }
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    f->hexagons = rules.neighbours == 6;
    f->base = all.text;
    f->base_bytes = all.count - (sizeof end - 1);
    return WEND_OK;
}

/* Begins with the present map. @return WEND_OK, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (too large for a picture) */
static wend_error film_begin(film *f, wend_map *map, const char **why) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map *flat = NULL;
    wend_error error = wend_map_get_info(map, &info);
    *why = NULL;
    if (info.kind == WEND_KIND_GRAPH) *why = "a graph has no cells to glide over";
    if (*why) return WEND_UNSUPPORTED;
    if (info.kind == WEND_KIND_VOXEL) error = project_map(map, &info, &flat);
    if (!error) error = draw_base(f, flat ? flat : map, why);
    if (flat) wend_map_release(flat);
    f->tracks = calloc(FILM_MAX_TRACKS, sizeof *f->tracks);
    f->changes = calloc(FILM_MAX_CHANGES, sizeof *f->changes);
    return !error && (!f->tracks || !f->changes) ? WEND_OUT_OF_MEMORY : error;
}

static void film_free(film *f) {
    for (uint32_t i = 0; i < f->track_count; i++) {
        free(f->tracks[i].way.points);
        free(f->tracks[i].goals.points);
    }
    free(f->tracks);
    free(f->changes);
    free(f->base);
    *f = (film){0};
}

/* ---- events ---- */

static void add_point(film *f, film_line *line, film_point point) {
    f->full = f->full || f->points >= FILM_MAX_POINTS;
    if (f->full) return;
    f->full = !WEND__ARRAY_ROOM(line->points, line->capacity, line->count + 1);
    if (f->full) return;
    line->points[line->count++] = point;
    f->points++;
}

/* Adds an agent. @return its number, UINT32_MAX if there is no room */
static uint32_t film_add(film *f, int32_t size, bool ghost) {
    if (f->track_count == FILM_MAX_TRACKS) f->left_out = true;
    if (f->track_count == FILM_MAX_TRACKS) return UINT32_MAX;
    f->tracks[f->track_count] =
        (film_track){.first_frame = f->frames, .end_frame = UINT32_MAX, .size = size, .ghost = ghost};
    return f->track_count++;
}

/* An agent that loses its body, or gets another one, is drawn with its last one. */
static void film_set_body(film *f, uint32_t track, int32_t radius) {
    if (track < f->track_count && radius > 0) f->tracks[track].radius = radius;
}

static void film_remove(film *f, uint32_t track) {
    if (track < f->track_count) f->tracks[track].end_frame = f->frames;
}

/* Returns whether it goes from its last point through `last` to `next` straight at one speed, to 1/100 cell. */
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

/* INT32_MIN means no goal. */
static void see_goal(film *f, film_track *track, film_point goal) {
    const film_line *goals = &track->goals;
    const film_point *last = goals->count > 0 ? &goals->points[goals->count - 1] : NULL;
    if (last ? last->x == goal.x && last->y == goal.y : goal.x == INT32_MIN) return;
    add_point(f, &track->goals, goal);
}

/* Records an agent's place and goal. `goal` NULL: none. */
static void film_see(film *f, uint32_t track, wend_point at, const wend_point *goal) {
    if (track >= f->track_count || f->full) return;
    film_track *seen = &f->tracks[track];
    const int32_t off = seen->radius > 0 ? (seen->size - 1) * 500 : 0; /* a disc is in the middle of all its cells */
    see_way(f, seen, (film_point){f->frames, at.x + off, at.y + off});
    see_goal(f, seen,
             goal ? (film_point){f->frames, goal->x + off, goal->y + off} : (film_point){f->frames, INT32_MIN, 0});
}

/* Records ground that is new from the next frame on. */
static void film_change_ground(film *f, wend_box box, uint8_t ground) {
    if (f->full) return;
    if (f->change_count == FILM_MAX_CHANGES) {
        f->left_out = true;
        return;
    }
    f->changes[f->change_count++] = (film_change){
        f->frames + 1, box.min.x, box.min.y, box.max.x - box.min.x + 1, box.max.y - box.min.y + 1, ground};
}

/* Records a frame, before the states in it. */
static void film_frame(film *f) {
    if (!f->full) f->frames++;
}

/* ---- scripts ---- */

/* The film begins with the first agent, with the map as built so far; or with the first frame. Its file is opened
   then, so that a name that cannot be written costs no run. */
int script_film_begin(script_state *script) {
    const char *why = NULL;
    if (!script->options->film_file || script->film) return CLI_DONE;
    script->film = calloc(1, sizeof *script->film);
    if (!script->film) return script_no_memory(script);
    const wend_error error = film_begin(script->film, script->built.map, &why);
    if (error == WEND_OUT_OF_MEMORY) return script_no_memory(script);
    if (error) return cli_fail("--animate: %s", why ? why : wend_error_detail(error));
    const char *name = script->options->film_file;
    return cli_output_open(&script->film->out, name);
}

void script_film_add(script_state *script, world_agent *agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_mover mover = {.struct_bytes = sizeof mover};
    if (!script->film) return;
    wend_crowd_get_agent(script->world.crowd, agent->id, &state);
    wend_map_get_mover(script->built.map, state.mover, &mover);
    agent->track = film_add(script->film, mover.size, state.ghost);
    film_set_body(script->film, agent->track, (int32_t)agent->body.radius_milli);
    film_see(script->film, agent->track, state.point, NULL);
}

void script_film_remove(script_state *script, const world_agent *agent) {
    if (script->film) film_remove(script->film, agent->track);
}

void script_film_edit(script_state *script, const wend_change_item *edit) {
    const bool fills = edit->kind == WEND_ORDER_SET || edit->kind == WEND_ORDER_FILL;
    if (!script->film || !fills || script->kind != WEND_KIND_GRID) return;
    film_change_ground(script->film, world_box(edit), (uint8_t)edit->change.value);
}

void script_film_frame(script_state *script) {
    if (!script->film) return;
    film_frame(script->film);
    const world_agent *agent = script->world.agents.first;
    for (; agent; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->world.crowd, agent->id, &state);
        const wend_cell to = state.goal_cell;
        const wend_point goal = {to.x * 1000, to.y * 1000, to.z * 1000};
        const bool aims = state.has_goal && state.goal_kind == WEND_CROWD_CELL;
        film_set_body(script->film, agent->track, (int32_t)agent->body.radius_milli);
        film_see(script->film, agent->track, state.point, aims ? &goal : NULL);
    }
}

int script_film_write(script_state *script) {
    const char *name = script->options->film_file;
    if (!name) return CLI_DONE;
    int status = script_film_begin(script);
    if (status) return status;
    if (script->film->left_out || script->film->full)
        cli_note_at(name, "not all is in it: a film has at most %d agents, %d changes of ground and %d points",
                    FILM_MAX_TRACKS, FILM_MAX_CHANGES, FILM_MAX_POINTS);
    if (script->film->track_count == 0)
        cli_note_at(name, "the script has no agents, so nothing moves in the film (requests alone do not)");
    film_write(script->film);
    return cli_output_close(&script->film->out, name);
}

void script_film_free(script_state *script) {
    if (!script->film) return;
    cli_output_drop(&script->film->out); /* where the run failed */
    film_free(script->film);
    free(script->film);
    script->film = NULL;
}
