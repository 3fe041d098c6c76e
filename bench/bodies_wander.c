/* SPDX-License-Identifier: MIT */
/* Agents that get another goal at random when one ends, reached or not. */
#include "bodies.h"
#include "harness.h"

static struct {
    body_scene *scene;
    const body_mover *mover;
    int32_t now, last[MOST_BODIES]; /* last: update of the last arrival */
} wander;

void wander_begin(body_scene *scene, const body_mover *mover) {
    memset(&wander, 0, sizeof wander);
    wander.scene = scene, wander.mover = mover;
    mover->begin(scene);
}

static void send_on(int32_t i) {
    int32_t x, y;
    scene_draw_place(wander.scene, &x, &y);
    wander.mover->send(i, x, y);
}

wander_figures wander_run(int32_t updates) {
    wander_figures f = {0};
    for (const int32_t until = wander.now + updates; wander.now < until; wander.now++) {
        const double begun = cpu_us();
        wander.mover->update();
        f.us += cpu_us() - begun;
        for (int32_t i = 0; i < wander.scene->count; i++) {
            const body_goal goal = wander.mover->goal_of(i);
            if (goal == GOAL_OPEN) continue;
            if (goal == GOAL_REACHED) wander.last[i] = wander.now;
            f.reached += goal == GOAL_REACHED, f.failed += goal == GOAL_FAILED;
            send_on(i);
        }
    }
    f.us /= (double)updates * wander.scene->count;
    return f;
}

int32_t wander_stuck(int32_t updates) {
    int32_t stuck = 0;
    for (int32_t i = 0; i < wander.scene->count; i++) stuck += wander.now - wander.last[i] > updates;
    return stuck;
}

void wander_end(void) {
    wander.mover->end();
}
