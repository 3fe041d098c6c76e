/* SPDX-License-Identifier: MIT */
/* The figures of a run, from points alone. */
#include "bodies.h"
#include "harness.h"

#include <math.h>

#define TURN_FROM 0.01             /* share of the top speed: slower bodies turn on the spot */
#define JUMP 0.4                   /* share of the top speed: a change of velocity in one update */
#define STANDS 0.08                /* share of the top speed */
#define GOES 0.3                   /* share of the top speed: a body whose heading counts */
#define EIGHTH 0.78539816339744831 /* of a turn */
#define DEGREE (EIGHTH / 45)

static bool is_home(const body_scene *scene, const body_points *points, int32_t i) {
    const body_start *b = &scene->of[i];
    return hypot(points->x[i] - b->goal_x - .5, points->y[i] - b->goal_y - .5) < .5;
}

/* Returns the distance of a point from the nearest blocked cell, as far as a cell. */
static double wall_distance(const body_scene *scene, double x, double y) {
    double least = 9;
    for (int cy = (int)floor(y - 1); cy <= (int)floor(y + 1); cy++)
        for (int cx = (int)floor(x - 1); cx <= (int)floor(x + 1); cx++) {
            if (scene_open(scene, cx, cy)) continue;
            const double dx = fmax(fmax(cx - x, x - cx - 1), 0), dy = fmax(fmax(cy - y, y - cy - 1), 0);
            least = fmin(least, hypot(dx, dy));
        }
    return least;
}

static bool has_disc(const body_scene *scene, int32_t i) {
    return scene->every > 0 && i % scene->every == 0;
}

typedef struct body_track {
    double x, y, vx, vy;
} body_track;

/* Returns the angle between a direction and the nearest axis or diagonal. */
static double off_grid(double x, double y) {
    return fabs(remainder(atan2(y, x), EIGHTH));
}

/* Counts a body that goes along an axis or a diagonal, where the straight way to its goal leads at another angle. */
static void note_stairs(const body_scene *scene, const body_points *now, int32_t i, const body_track *track,
                        body_figures *f) {
    const double vx = now->x[i] - track->x, vy = now->y[i] - track->y;
    if (hypot(vx, vy) < GOES * scene->of[i].speed || wall_distance(scene, now->x[i], now->y[i]) < 1) return;
    const double to_x = scene->of[i].goal_x + .5 - track->x, to_y = scene->of[i].goal_y + .5 - track->y;
    f->going++;
    f->stairs += off_grid(vx, vy) < DEGREE && off_grid(to_x, to_y) > DEGREE;
}

static void note_body(const body_scene *scene, const body_points *now, int32_t i, body_track *track, body_figures *f) {
    static const double cos_40 = 0.7660444431189780;
    const double vx = now->x[i] - track->x, vy = now->y[i] - track->y, s = hypot(vx, vy),
                 q = hypot(track->vx, track->vy);
    const double top = scene->of[i].speed;
    f->travelled += s;
    if (!is_home(scene, now, i)) {
        f->on++;
        f->stood += s < STANDS * top;
        f->turns += s >= TURN_FROM * top && q > TURN_FROM * top && vx * track->vx + vy * track->vy < cos_40 * s * q;
        f->jumps += hypot(vx - track->vx, vy - track->vy) > JUMP * top;
        note_stairs(scene, now, i, track, f);
    }
    if (has_disc(scene, i))
        f->broken += s > top * 1.0000001 || wall_distance(scene, now->x[i], now->y[i]) < scene->of[i].radius - 1e-9;
    *track = (body_track){now->x[i], now->y[i], vx, vy};
}

static void note_pairs(const body_scene *scene, const body_points *now, body_figures *f) {
    for (int32_t i = 0; i < scene->count; i++)
        for (int32_t k = 0; k < i; k++) {
            const double dx = now->x[i] - now->x[k], dy = now->y[i] - now->y[k];
            if (!has_disc(scene, i) || !has_disc(scene, k)) continue;
            const double sum = scene->of[i].radius + scene->of[k].radius, rr = dx * dx + dy * dy;
            f->touching += rr < sum * sum * (1 - 1e-9);
            if (rr < f->least * f->least * sum * sum) f->least = sqrt(rr) / sum;
        }
}

body_figures figures_of(const body_scene *scene, const body_mover *mover) {
    static body_track tracks[MOST_BODIES];
    body_points now;
    body_figures f = {.bodies = scene->count, .least = 99, .hash = 14695981039346656037U};
    mover->begin(scene);
    for (int32_t i = 0; i < scene->count; i++) {
        const body_start *b = &scene->of[i];
        tracks[i] = (body_track){b->x, b->y, 0, 0};
        f.straight += hypot(b->goal_x + .5 - b->x, b->goal_y + .5 - b->y);
    }
    for (f.at = 0; f.at < scene->updates && f.home < f.bodies; f.at++) {
        const double begun = cpu_us();
        mover->update();
        f.us += cpu_us() - begun;
        mover->read(&now);
        f.home = 0;
        for (int32_t i = 0; i < f.bodies; i++) {
            note_body(scene, &now, i, &tracks[i], &f);
            f.home += is_home(scene, &now, i);
        }
        note_pairs(scene, &now, &f);
        f.samples++;
    }
    for (int32_t i = 0; i < f.bodies; i++) {
        f.hash = (f.hash ^ (uint64_t)(now.x[i] * 16384)) * 1099511628211U;
        f.hash = (f.hash ^ (uint64_t)(now.y[i] * 16384)) * 1099511628211U;
    }
    f.us /= (double)f.samples * f.bodies;
    mover->end();
    return f;
}

void figures_add(body_figures *sum, const body_figures *one) {
    sum->bodies += one->bodies, sum->home += one->home, sum->at += one->at;
    sum->travelled += one->travelled, sum->straight += one->straight, sum->us += one->us;
    sum->on += one->on, sum->stood += one->stood, sum->turns += one->turns, sum->jumps += one->jumps;
    sum->going += one->going, sum->stairs += one->stairs;
    sum->touching += one->touching, sum->samples += one->samples, sum->broken += one->broken;
    sum->least = sum->least > 0 ? fmin(sum->least, one->least) : one->least;
    sum->hash = (sum->hash ^ one->hash) * 1099511628211U;
}

static double percent(int64_t part, int64_t of) {
    return of > 0 ? 100.0 * (double)part / (double)of : 0;
}

void figures_print_head(void) {
    puts("scene,kind,bodies,home,update,travelled_straight,turns_100_cells,jumps_percent,standing_percent,"
         "stairs_percent,touching,least,us,broken,hash");
}

void figures_print(const char *scene, const char *kind, const body_figures *f) {
    printf("%s,%s,%d,%d,%d,%.3f,%.2f,%.2f,%.2f,%.2f,%.3f,%.3f,%.2f,%d,%016" PRIx64 "\n", scene, kind, (int)f->bodies,
           (int)f->home, (int)f->at, f->travelled / f->straight, 100.0 * (double)f->turns / f->travelled,
           percent(f->jumps, f->on), percent(f->stood, f->on), percent(f->stairs, f->going),
           (double)f->touching / (double)f->samples, f->least, f->us, (int)f->broken, f->hash);
    fflush(stdout);
}
