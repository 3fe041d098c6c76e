/* SPDX-License-Identifier: MIT */
/* Each sample is compared with each cell around it, as a square; thin walls are pieces of no width. */
#include "models/clear_model.h"

#include <math.h>

static bool is_open(const clear_ground *g, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < g->width && y < g->height && g->open[(size_t)y * (size_t)g->width + (size_t)x];
}

/* The distance from a rectangle; the centre of the cell i,j is i,j. */
static double from_box(double x, double y, double x0, double y0, double x1, double y1) {
    const double dx = fmax(fmax(x0 - x, x - x1), 0), dy = fmax(fmax(y0 - y, y - y1), 0);
    return hypot(dx, dy);
}

double clear_distance(const clear_ground *g, double x, double y, double most) {
    const int32_t reach = (int32_t)ceil(most) + 1, cx = (int32_t)floor(x + .5), cy = (int32_t)floor(y + .5);
    double least = most;
    for (int32_t j = cy - reach; j <= cy + reach; j++)
        for (int32_t i = cx - reach; i <= cx + reach; i++) {
            if (!is_open(g, i, j)) least = fmin(least, from_box(x, y, i - .5, j - .5, i + .5, j + .5));
            if (!g->walled) continue;
            if (g->walled(g, i, j, 1, 0)) least = fmin(least, from_box(x, y, i + .5, j - .5, i + .5, j + .5));
            if (g->walled(g, i, j, 0, 1)) least = fmin(least, from_box(x, y, i - .5, j + .5, i + .5, j + .5));
        }
    return least;
}

double clear_sampled(const clear_ground *g, const wend_point *points, size_t count, double shift, double spacing,
                     double most) {
    double least = most;
    for (size_t k = 0; k < count; k++) {
        const wend_point a = points[k], b = points[k + 1 < count ? k + 1 : k];
        const double length = hypot(b.x - a.x, b.y - a.y) / 1000;
        const int samples = (int)ceil(length / spacing) + 1;
        for (int s = 0; s <= samples; s++) {
            const double part = (double)s / samples, x = a.x + (b.x - a.x) * part, y = a.y + (b.y - a.y) * part;
            least = clear_distance(g, x / 1000 + shift, y / 1000 + shift, least);
        }
    }
    return least;
}

double clear_length(const wend_point *points, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y) / 1000;
    return sum;
}
