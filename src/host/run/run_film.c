/* SPDX-License-Identifier: MIT */
/* The film of a script (--animate): what its agents do in each frame, and the edits before it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/run/film.h"
#include "host/run/run.h"
#include "host/output/draw.h"
#include "host/output/messages.h"

/* The film begins with the first agent, with the map as built so far; or with the first frame. Its file is opened
   then, so that a name that cannot be written costs no run. */
int host_film_begin(host_script *script) {
    const char *why = NULL;
    if (!script->options->film_file || script->film) return HOST_DONE;
    script->film = calloc(1, sizeof *script->film);
    if (!script->film) return host_script_no_memory(script);
    const wend_error error = film_begin(script->film, script->built.map, &why);
    if (error == WEND_OUT_OF_MEMORY) return host_script_no_memory(script);
    if (error) return host_fail("--animate: %s", why ? why : wend_error_detail(error));
    const char *name = script->options->film_file;
    script->film->out = fopen(name, "wb");
    return script->film->out ? HOST_DONE : host_fail_at(name, 0, 0, "%s", strerror(errno));
}

void host_film_add(host_script *script, host_agent *agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_mover mover = {.struct_bytes = sizeof mover};
    if (!script->film) return;
    wend_crowd_get_agent(script->host.crowd, agent->id, &state);
    wend_map_get_mover(script->built.map, state.mover, &mover);
    agent->track = film_add(script->film, mover.size, state.flags & WEND_AGENT_GHOST);
    film_see(script->film, agent->track, state.point, NULL);
}

void host_film_remove(host_script *script, const host_agent *agent) {
    if (script->film) film_remove(script->film, agent->track);
}

void host_film_edit(host_script *script, const wend__change_item *edit) {
    const bool fills = edit->kind == WEND__ORDER_SET || edit->kind == WEND__ORDER_FILL;
    if (!script->film || !fills || script->kind != WEND_KIND_GRID) return;
    film_change_ground(script->film, host_box(edit), (uint8_t)edit->change.value);
}

void host_film_frame(host_script *script) {
    if (!script->film) return;
    film_frame(script->film);
    const host_agent *agent = script->host.agents.first;
    for (; agent; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->host.crowd, agent->id, &state);
        const wend_cell to = state.goal.cell;
        const wend_point goal = {to.x * 1000, to.y * 1000, to.z * 1000};
        const bool aims = state.has_goal && state.goal.kind == WEND_CROWD_CELL;
        film_see(script->film, agent->track, state.point, aims ? &goal : NULL);
    }
}

int host_film_write(host_script *script) {
    const char *name = script->options->film_file;
    if (!name) return HOST_DONE;
    int status = host_film_begin(script);
    if (status) return status;
    if (script->film->left_out || script->film->full)
        host_note_at(name, "not all is in it: a film has at most %d agents, %d changes of ground and %d points",
                     FILM_MAX_TRACKS, FILM_MAX_CHANGES, FILM_MAX_POINTS);
    if (script->film->track_count == 0)
        host_note_at(name, "the script has no agents, so nothing moves in the film (requests alone do not)");
    FILE *file = script->film->out;
    film_write(script->film);
    script->film->out = NULL;
    return host_close_output(file, name);
}

void host_film_free(host_script *script) {
    if (!script->film) return;
    if (script->film->out) { /* the run failed: there is no film */
        fclose(script->film->out);
        host_remove_output(script->options->film_file);
    }
    film_free(script->film);
    free(script->film);
    script->film = NULL;
}
