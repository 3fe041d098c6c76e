/* SPDX-License-Identifier: MIT */
/* The picture of a script's last frame: units, the last paths, and the starts and goals of pending requests. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "script/script.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"

/* A path without memory is not in the picture. */
void script_keep_trail(script_state *script, const wend_completion *done) {
    if (script->options->picture == 0 || done->cell_count == 0 || !done->cells) return;
    wend_cell *cells = cli_alloc(done->cell_count * sizeof *cells);
    if (!cells) return;
    memcpy(cells, done->cells, done->cell_count * sizeof *cells);
    script_trail *trail = &script->trails[script->trail_count++ % SCRIPT_MAX_TRAILS];
    cli_free(trail->cells);
    *trail = (script_trail){cells, done->cell_count};
}

void script_trails_free(script_state *script) {
    for (size_t i = 0; i < SCRIPT_MAX_TRAILS; i++) cli_free(script->trails[i].cells);
}

/* Each path and each pending request has its start and goal at the same index: paths first. */
typedef struct scene {
    wend_picture_path paths[SCRIPT_MAX_TRAILS];
    wend_cell *starts, *goals;
    size_t path_count, count;
} scene;

/* The newest path first, on top. */
static void add_trails(const script_state *script, scene *s) {
    uint64_t kept = script->trail_count < SCRIPT_MAX_TRAILS ? script->trail_count : SCRIPT_MAX_TRAILS;
    for (uint64_t i = 0; i < kept; i++) {
        const script_trail *trail = &script->trails[(script->trail_count - 1 - i) % SCRIPT_MAX_TRAILS];
        s->paths[s->path_count++] = (wend_picture_path){trail->cells, trail->count};
        s->starts[s->count] = trail->cells[0];
        s->goals[s->count++] = trail->cells[trail->count - 1];
    }
}

static void add_pending(const script_state *script, scene *s) {
    for (size_t i = 0; i < script->names.capacity; i++) {
        const script_name *name = script->names.items[i];
        if (!name || !name->pending) continue;
        s->starts[s->count] = name->start;
        s->goals[s->count++] = name->goal;
    }
}

/* ---- bodies ---- */

/// Draws the closed rim, and a nose for the body's direction. Lines are about a quarter of a cell wide.
enum { RIM = 24, BODY_POINTS = RIM + 2, HALF_LINE = 130, NOSE = 60 };

/// The bodies of a picture, as lines of their sizes.
typedef struct discs {
    wend_point *points;
    wend_picture_line *lines;
    size_t count;
} discs;

/* Returns the point at a distance from a body's middle in a direction. */
static wend_point point_off(const wend_body_state *body, double milli, double direction) {
    return (wend_point){(int32_t)lround(body->at.x + milli * cos(direction)),
                        (int32_t)lround(body->at.y + milli * sin(direction)), 0};
}

/* Adds the disc of a body, from the point ahead of it on. */
static void add_disc(discs *all, const wend_body_state *body) {
    wend_point *points = all->points + all->count * BODY_POINTS;
    const double ahead = atan2(body->facing.y, body->facing.x), turn = 2 * 3.14159265358979 / RIM;
    const double rim = body->radius_milli > 2 * HALF_LINE ? body->radius_milli - HALF_LINE : body->radius_milli / 2.;
    for (int k = 0; k <= RIM; k++) points[k] = point_off(body, rim, ahead + k * turn);
    points[RIM + 1] = point_off(body, body->radius_milli - NOSE, ahead);
    all->lines[all->count++] = (wend_picture_line){.points = points, .point_count = BODY_POINTS};
}

/* Takes the unit of a body out of a list: it is drawn as a disc. */
static void drop_unit(wend_cell *units, size_t *count, wend_cell cell) {
    for (size_t i = 0; i < *count; i++)
        if (memcmp(&units[i], &cell, sizeof cell) == 0) {
            units[i] = units[--*count];
            return;
        }
}

/* The first thousand bodies are discs, the others units of their cells. @return false: no memory */
static bool add_bodies(const script_state *script, wend_picture *picture, wend_cell *units, discs *all) {
    enum { MOST = 1000 };
    *all = (discs){malloc(MOST * BODY_POINTS * sizeof *all->points), malloc(MOST * sizeof *all->lines), 0};
    if (!all->points || !all->lines) return false;
    for (const world_agent *agent = script->world.agents.first; agent && all->count < MOST; agent = agent->next) {
        wend_body_state body = {.struct_bytes = sizeof body};
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (!script->world.crowd || wend_crowd_get_body(script->world.crowd, agent->id, &body)) continue;
        wend_crowd_get_agent(script->world.crowd, agent->id, &state);
        drop_unit(units, &picture->unit_count, state.cell);
        add_disc(all, &body);
    }
    picture->lines = all->lines;
    picture->line_count = all->count;
    return true;
}

static int draw_scene(const script_state *script, const scene *s) {
    char caption[WEND_PICTURE_MAX_CAPTION + 1];
    wend_cell *units = NULL;
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    if (!cli_occupied_cells(script->built.map, &units, &picture.unit_count))
        return cli_fail("no memory for the picture");
    size_t pending = s->count - s->path_count;
    snprintf(caption, sizeof caption, "frame %" PRIu64 ": the last %zu path%s, %zu request%s pending", script->frames,
             s->path_count, s->path_count == 1 ? "" : "s", pending, pending == 1 ? "" : "s");
    picture.map = script->built.map;
    picture.paths = s->paths;
    picture.path_count = s->path_count;
    picture.starts = s->starts;
    picture.goals = s->goals;
    picture.start_count = picture.goal_count = s->count;
    picture.units = units;
    picture.caption = caption;
    discs bodies;
    int status = CLI_BAD_INPUT;
    if (add_bodies(script, &picture, units, &bodies))
        status = cli_draw(&picture, script->options->picture - WEND_PICTURE_ANSI, script->options->picture_file, false);
    else
        cli_fail("no memory for the picture");
    free(bodies.points);
    free(bodies.lines);
    free(units);
    return status;
}

int script_draw(script_state *script) {
    if (script->options->picture == 0) return CLI_DONE;
    size_t most = SCRIPT_MAX_TRAILS + script->names.count;
    scene s = {.starts = malloc(most * sizeof *s.starts), .goals = malloc(most * sizeof *s.goals)};
    int status = CLI_BAD_INPUT;
    if (s.starts && s.goals) {
        add_trails(script, &s);
        add_pending(script, &s);
        status = draw_scene(script, &s);
    } else {
        cli_fail("no memory for the picture");
    }
    free(s.starts);
    free(s.goals);
    return status;
}
