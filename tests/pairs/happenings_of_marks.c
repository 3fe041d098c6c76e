/* SPDX-License-Identifier: MIT */
/* A world in an arena goes back, and forth. */
#include "pairs/pairs.h"

/* Runs some frames in which much begins and little ends. Returns the hash after them. */
static uint64_t play(pair_world *w) {
    for (int i = 0; i < 3; i++) {
        asked *own = world_new_asked(w);
        world_ask(w, own);
        (void)world_submit(w, own);
        if (w->crowd && i == 1) world_send(w);
        if (i == 1) (void)world_edit(w);
        world_frame(w, 30, WEND_NO_LIMIT, NULL);
        if (w->crowd) CLAIM(!wend_crowd_update(w->crowd, 1000, NULL, NULL), "update");
        w->unit_moves++;
    }
    return world_seen(w);
}

static void go_to(pair_world *w, uint32_t slot) {
    const wend_error error = wend_arena_rewind(w->arena, slot);
    CLAIM(!error, "rewind: %s", wend_error_detail(error));
}

static wend_error went_back(pair_world *w) {
    wend_error error = wend_arena_mark(w->arena, 0);
    if (error) return error;
    const uint64_t begun = world_seen(w), first = play(w);
    CLAIM(!wend_arena_mark(w->arena, 1), "mark");
    const uint64_t second = play(w);
    go_to(w, 0);
    CLAIM(world_seen(w) == begun, "the world is not as it was");
    CLAIM(play(w) == first, "frames that are played again differ");
    CLAIM(play(w) == second, "frames behind a later mark differ");
    go_to(w, 1);
    CLAIM(world_seen(w) == first && play(w) == second, "frames behind a mark of another course differ");
    go_to(w, 0);
    return WEND_OK;
}

const happening_row happenings_of_marks[] = {
    {"went back", went_back, NEEDS_ARENA},
    {NULL, NULL, 0},
};
