/* SPDX-License-Identifier: MIT */
/* Shortest ways at any angle turn only at corners of blocked cells. So A* over the corners that see one another finds
 * them (Lozano-Perez and Wesley 1979); the answers are those of Harabor, Grastien, Oz and Aksakalli 2016.
 *
 * Coordinates are doubled: the cell x,y spans 2x to 2x + 2, and its centre is 2x + 1. Sight is decided in integers. */
#include "models/any_angle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct corner {
    int32_t x, y;
    int32_t sx, sy; ///< POINTS: the side on which the one blocked cell lies: -1 or 1; 0: a start or goal
} corner;

struct any_angle {
    int32_t width, height;
    int32_t turns; ///< ANY_ANGLE_…
    uint8_t *open;
    corner *corners; ///< the last two are start and goal
    int32_t count;
    double *g;
    bool *closed;
};

static bool is_open(const any_angle *p, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < p->width && y < p->height && p->open[y * p->width + x];
}

/* ---- sight ---- */

static int64_t floor_div(int64_t a, int64_t b) { /* b > 0 */
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Sight along an axis. `across` is the line's place on the other axis, and `swap` is set for lines along y. */
static bool sees_straight(const any_angle *p, bool swap, int64_t across, int64_t from, int64_t to) {
    if (from > to) {
        int64_t t = from;
        from = to, to = t;
    }
    bool sides[2] = {false, false}; /* the cell before is open: below and above the line */
    for (int64_t i = floor_div(from, 2); 2 * i < to; i++) {
        bool now[2];
        for (int k = 0; k < 2; k++) {
            int64_t j = across & 1 ? (across - 1) / 2 : across / 2 - 1 + k;
            now[k] = swap ? is_open(p, j, i) : is_open(p, i, j);
        }
        if (!now[0] && !now[1]) return false;
        bool inside = 2 * i > from; /* a point between two cells lies within the line */
        if (inside && !(now[0] && sides[0]) && !(now[1] && sides[1])) return false;
        memcpy(sides, now, sizeof sides);
    }
    return true;
}

/* Through column i of cells: all cells that the line enters there, and the point where it leaves to the next column. */
static bool sees_column(const any_angle *p, corner a, corner b, int64_t i) {
    int64_t dx = b.x - a.x, dy = b.y - a.y; /* dx > 0 */
    int64_t left = 2 * i > a.x ? 2 * i : a.x, right = 2 * i + 2 < b.x ? 2 * i + 2 : b.x;
    int64_t y0 = a.y * dx + (left - a.x) * dy, y1 = a.y * dx + (right - a.x) * dy; /* x dx */
    int64_t low = y0 < y1 ? y0 : y1, high = y0 < y1 ? y1 : y0;
    for (int64_t j = floor_div(low, 2 * dx); 2 * j * dx < high; j++)
        if (!is_open(p, i, j)) return false;
    if (right == b.x || y1 % (2 * dx) != 0) return true;
    int64_t j = floor_div(y1, 2 * dx); /* exactly through a corner */
    int beside = is_open(p, i, dy > 0 ? j : j - 1) + is_open(p, i + 1, dy > 0 ? j - 1 : j);
    return p->turns == ANY_ANGLE_POINTS ? beside > 0 : beside == 2;
}

static bool sees(const any_angle *p, corner a, corner b) {
    if (a.y == b.y) return sees_straight(p, false, a.y, a.x, b.x);
    if (a.x == b.x) return sees_straight(p, true, a.x, a.y, b.y);
    if (a.x < b.x) {
        for (int64_t i = floor_div(a.x, 2); 2 * i < b.x; i++)
            if (!sees_column(p, a, b, i)) return false;
        return true;
    }
    for (int64_t i = floor_div(a.x - 1, 2); 2 * i + 2 > b.x; i--) /* from a on, as walls are near */
        if (!sees_column(p, b, a, i)) return false;
    return true;
}

/* ---- corners ---- */

static bool corner_at(const any_angle *p, int32_t x, int32_t y, corner *out) {
    int blocked = 0;
    for (int k = 0; k < 4; k++) {
        if (is_open(p, x - (k & 1), y - (k >> 1))) continue;
        blocked++;
        *out = (corner){2 * x, 2 * y, k & 1 ? -1 : 1, k >> 1 ? -1 : 1};
    }
    if (p->turns == ANY_ANGLE_POINTS) return blocked == 1;
    *out = (corner){2 * x - out->sx, 2 * y - out->sy, 0, 0}; /* the cell on the other side */
    return blocked == 1;
}

static bool turn_at(const any_angle *p, int32_t x, int32_t y, corner *out) {
    if (p->turns != ANY_ANGLE_CELLS) return x > 0 && y > 0 && corner_at(p, x, y, out);
    *out = (corner){2 * x + 1, 2 * y + 1, 0, 0};
    return is_open(p, x, y);
}

any_angle *any_angle_create(const uint8_t *open, int32_t width, int32_t height, int32_t turns) {
    any_angle *p = calloc(1, sizeof *p);
    size_t cells = (size_t)width * (size_t)height;
    *p = (any_angle){.width = width, .height = height, .turns = turns, .open = malloc(cells)};
    p->corners = malloc((cells + 2) * sizeof(corner));
    memcpy(p->open, open, cells);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            if (turn_at(p, x, y, &p->corners[p->count])) p->count++;
    p->g = malloc(((size_t)p->count + 2) * sizeof *p->g), p->closed = malloc((size_t)p->count + 2);
    return p;
}

void any_angle_free(any_angle *p) {
    free(p->open);
    free(p->corners);
    free(p->g);
    free(p->closed);
    free(p);
}

/* ---- A* ---- */

static double between(corner a, corner b) {
    return hypot(a.x - b.x, a.y - b.y) / 2;
}

/* Only a line that touches the blocked cell without pointing at it can be part of a shortest way that turns there. */
static bool touches(corner a, corner b, corner at) {
    return (int64_t)(b.x - a.x) * at.sx * ((int64_t)(b.y - a.y) * at.sy) <= 0;
}

static int32_t best_open(const any_angle *p, int32_t nodes, double limit) {
    int32_t best = -1;
    for (int32_t i = 0; i < nodes; i++) {
        double f = p->closed[i] ? limit : p->g[i] + between(p->corners[i], p->corners[nodes - 1]);
        if (f < limit) limit = f, best = i;
    }
    return best;
}

double any_angle_length(any_angle *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1, double limit) {
    const int32_t start = p->count, goal = p->count + 1, nodes = p->count + 2;
    p->corners[start] = (corner){2 * x0 + 1, 2 * y0 + 1, 0, 0};
    p->corners[goal] = (corner){2 * x1 + 1, 2 * y1 + 1, 0, 0};
    for (int32_t i = 0; i < nodes; i++) p->g[i] = limit, p->closed[i] = false;
    p->g[start] = 0;
    for (int32_t at; (at = best_open(p, nodes, limit)) >= 0;) {
        const corner here = p->corners[at];
        if (at == goal) return p->g[goal];
        p->closed[at] = true;
        for (int32_t i = 0; i < nodes; i++) {
            const corner there = p->corners[i];
            double g = p->g[at] + between(here, there);
            if (p->closed[i] || g >= p->g[i] || g + between(there, p->corners[goal]) >= limit) continue;
            if (touches(here, there, here) && touches(here, there, there) && sees(p, here, there)) p->g[i] = g;
        }
    }
    return limit;
}
