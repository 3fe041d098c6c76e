/* SPDX-License-Identifier: MIT */
/* Scenes for bodies, for wend and for DetourCrowd, and the figures of a run. */
#ifndef WEND_BENCH_BODIES_H
#define WEND_BENCH_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_BODIES = 1024, MOST_SIDE = 64 };

typedef struct body_start {
    double x, y, radius, speed; ///< cells, and cells an update
    int32_t goal_x, goal_y;     ///< -1: it has none, and stays
} body_start;

/// A scene at the beginning of a run.
typedef struct body_scene {
    const char *name;
    int32_t width, height, count, updates;
    char wall[MOST_SIDE][MOST_SIDE];
    body_start of[MOST_BODIES];
} body_scene;

/// Sums over updates and bodies.
typedef struct body_figures {
    int32_t bodies, home, at;
    double travelled, straight, least, us;
    int64_t on, stood, turns, jumps, touching, samples, broken;
    uint64_t hash;
} body_figures;

/// Where each body is after an update.
typedef struct body_points {
    double x[MOST_BODIES], y[MOST_BODIES];
} body_points;

/// A way to move the bodies of a scene.
typedef struct body_mover {
    const char *name;
    void (*begin)(const body_scene *scene);
    void (*update)(void);
    void (*read)(body_points *points);
    void (*end)(void);
} body_mover;

/* ---- bodies_scenes.c ---- */

extern unsigned scene_seed;
unsigned scene_random(void);
bool scene_open(const body_scene *scene, int32_t x, int32_t y);
/// Makes a scene by its name. @return false: there is none
bool scene_make(body_scene *scene, const char *name, int32_t count);
/// Makes its map; released by the caller.
struct wend_map *scene_map(const body_scene *scene);
/// Makes the n-th map of rooms with doors of one cell (noise 0), or of that many percent blocked cells.
void scene_wander(body_scene *scene, unsigned seed, int32_t count, int32_t noise);
/// Computes the way to a cell: of each cell the neighbour that leads on, 0 to 7; -1: it is the goal, or there is none.
void scene_field(const body_scene *scene, int32_t x, int32_t y, int8_t field[MOST_SIDE][MOST_SIDE]);
extern const int8_t scene_dx[8], scene_dy[8];

/* ---- bodies_figures.c ---- */

body_figures figures_of(const body_scene *scene, const body_mover *mover);
void figures_add(body_figures *sum, const body_figures *one);
void figures_print(const char *name, const char *who, const body_figures *f);
bool figures_is_home(const body_scene *scene, const body_points *points, int32_t i);

/* ---- bodies_crowd.c, bodies_engine.c, bodies_detour.cpp ---- */

extern const body_mover engine_mover; ///< bodies alone, led by fields of the bench
extern const body_mover crowd_mover;  ///< agents of a crowd, with their searches
void engine_send(int32_t i, int32_t x, int32_t y);
/* ---- bodies_scale.c ---- */

/// Prints the cost of an agent on caves of side x side cells, and of 800 bodies in the open. Returns 0.
int scale_run(int32_t side, uint32_t count);

#ifdef WEND_BENCH_DETOUR
extern const body_mover detour_mover;
#endif

#ifdef __cplusplus
}
#endif
#endif
