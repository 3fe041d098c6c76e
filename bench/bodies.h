/* SPDX-License-Identifier: MIT */
/* Scenes for agents that are cells or bodies, for wend and for DetourCrowd, and the figures of a run. Public calls
 * alone, so that builds of different engines are measured alike. */
#ifndef WEND_BENCH_BODIES_H
#define WEND_BENCH_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_BODIES = 1024, MOST_SIDE = 128 };

typedef struct body_start {
    double x, y;          ///< the middle of a cell
    double radius, speed; ///< cells, and cells an update
    int32_t goal_x, goal_y;
} body_start;

/// A scene at the beginning of a run.
typedef struct body_scene {
    int32_t width, height, count, updates;
    uint32_t capacity; ///< agents that a crowd is made for, on which its memory for searches depends; 0: the default
    int32_t every;     ///< each N-th agent has a body, the others are cells; 0: none has
    uint64_t draws;    ///< state of its random numbers
    char wall[MOST_SIDE][MOST_SIDE];
    char apart[MOST_SIDE][MOST_SIDE]; ///< open cells that are no places: no way leads there
    body_start of[MOST_BODIES];
} body_scene;

/// Sums over updates and bodies.
typedef struct body_figures {
    int32_t bodies, home, at;
    double travelled, straight, least, us;
    int64_t on, stood, turns, jumps, going, stairs, touching, samples, broken;
    uint64_t hash;
} body_figures;

/// Where each body is after an update.
typedef struct body_points {
    double x[MOST_BODIES], y[MOST_BODIES];
} body_points;

/// How a goal stands.
typedef enum body_goal { GOAL_OPEN, GOAL_REACHED, GOAL_FAILED } body_goal;

/// A way to move the bodies of a scene.
typedef struct body_mover {
    void (*begin)(const body_scene *scene);
    void (*update)(void);
    void (*read)(body_points *points);
    /// Gives an agent another goal.
    void (*send)(int32_t i, int32_t x, int32_t y);
    body_goal (*goal_of)(int32_t i);
    void (*end)(void);
} body_mover;

/// A kind of crowd.
typedef struct body_kind {
    const char *name;
    const body_mover *mover;
    double radius; ///< of its bodies
    int32_t every; ///< as in a scene
} body_kind;

/* ---- bodies_scenes.c ---- */

/// Returns a number from 0 to below - 1.
int32_t scene_random(body_scene *scene, int32_t below);
bool scene_open(const body_scene *scene, int32_t x, int32_t y);
/// Open ground of 64 x 64 cells.
void scene_make_open(body_scene *scene, unsigned seed, int32_t count);
/// Two rooms with a door of one cell, 30 agents each way.
void scene_make_door(body_scene *scene);
/// Rooms of 7 x 7 cells with doors of one cell.
void scene_make_rooms(body_scene *scene, unsigned seed, int32_t count);
/// A town of 128 x 128 cells: streets of eight and six cells round blocks of houses, squares in place of some.
void scene_make_town(body_scene *scene, unsigned seed, int32_t count);
/// Draws a cell that agents may want to go to.
void scene_draw_place(body_scene *scene, int32_t *x, int32_t *y);
/// Its agents are of that kind from now on.
void scene_set_kind(body_scene *scene, const body_kind *kind);

/* ---- bodies_figures.c ---- */

body_figures figures_of(const body_scene *scene, const body_mover *mover);
void figures_add(body_figures *sum, const body_figures *one);
void figures_print_head(void);
void figures_print(const char *scene, const char *kind, const body_figures *f);

/* ---- bodies_wander.c: agents that get another goal at random when one ends ---- */

typedef struct wander_figures {
    int32_t reached, failed;
    double us;
} wander_figures;

void wander_begin(body_scene *scene, const body_mover *mover);
/// Runs on. Returns the figures of these updates.
wander_figures wander_run(int32_t updates);
/// Returns how many agents reached no goal in the last so many updates.
int32_t wander_stuck(int32_t updates);
void wander_end(void);

/* ---- bodies_crowd.c, bodies_detour.cpp ---- */

extern const body_mover crowd_mover; ///< agents of a crowd, with their searches
#ifdef WEND_BENCH_DETOUR
extern const body_mover detour_mover;
#endif

/* ---- bodies_scale.c ---- */

/// Prints the cost of an agent on caves of side x side cells, and of 800 bodies in the open. Returns 0.
int scale_run(int32_t side, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
