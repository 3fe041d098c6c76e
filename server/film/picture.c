/* SPDX-License-Identifier: MIT */
/* The picture of a script's last frame: units, the last paths, and the starts and goals of pending requests. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"

/* A path for which memory runs out is not in the picture. */
void script_keep_trail(script_state *script, const wend_completion *done) {
    if (script->options->picture == 0 || done->cell_count == 0 || !done->cells) return;
    wend_cell *cells = malloc(done->cell_count * sizeof *cells);
    if (!cells) return;
    memcpy(cells, done->cells, done->cell_count * sizeof *cells);
    script_trail *trail = &script->trails[script->trail_count++ % SCRIPT_MAX_TRAILS];
    free(trail->cells);
    *trail = (script_trail){cells, done->cell_count};
}

void script_trails_free(script_state *script) {
    for (size_t i = 0; i < SCRIPT_MAX_TRAILS; i++) free(script->trails[i].cells);
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
    int status = cli_draw(&picture, script->options->picture - WEND_PICTURE_ANSI, script->options->picture_file, false);
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
