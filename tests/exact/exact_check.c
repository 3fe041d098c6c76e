/* SPDX-License-Identifier: MIT */
/* Completions compared with answers; messages with the differences and the way to repeat them. */
#include "exact/exact.h"
#include "models/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

exact_tally exact_total;
exact_place exact_here;

static void print_again(void) {
    fprintf(stderr, "  again: check_exact world %" PRIu64 " %" PRIu64 "\n", exact_here.seed, exact_here.number);
}

void exact_require(bool holds, const char *condition, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: refused: %s\n", file, line, condition);
    if (exact_here.world) fprintf(stderr, "  world: %s\n", exact_here.world->how);
    print_again();
    exit(1);
}

/* Rows of the world: A start, B goals, u units, # blocked, digits slow, > a link's entrance. */
static void draw(const world *w, const wend_request *request) {
    for (int i = 0; i < w->cells; i++) {
        const wend_cell cell = world_cell(w, i);
        const int factor = world_factor(w, request->mover, cell);
        char sign = (char)(factor == 0 ? '#' : factor == 1 ? '.' : factor < 10 ? '0' + factor : '*');
        if (w->entrances[i]) sign = '>';
        if (w->occupants[i]) sign = 'u';
        for (uint32_t g = 0; g <= read_options(request).more_goal_count; g++)
            if (same_cell(g == 0 ? request->goal : read_options(request).more_goals[g - 1], cell)) sign = 'B';
        if (same_cell(request->start, cell)) sign = 'A';
        fprintf(stderr, "%c%s", sign, (i + 1) % w->width ? "" : "\n");
    }
    for (int i = 0; i < w->link_count; i++) {
        const wend_cell from = w->links[i].from, to = w->links[i].to;
        fprintf(stderr, "link %d,%d,%d %d,%d,%d cost=%d\n", from.x, from.y, from.z, to.x, to.y, to.z,
                (int)w->links[i].cost);
    }
    for (int i = 0; i < 27 * w->cells; i++) {
        const wend_cell from = world_cell(w, i / 27);
        if (w->closed[i / 27] >> i % 27 & 1)
            fprintf(stderr, "closed %d,%d,%d by %d,%d,%d\n", from.x, from.y, from.z, i % 3 - 1, i / 3 % 3 - 1,
                    i / 9 % 3 - 1);
    }
}

static void describe(const world *w, const wend_request *r) {
    fprintf(stderr, "  world: %s, %d landmarks asked for\n", w->how, exact_here.landmarks);
    fprintf(
        stderr,
        "  request: %d,%d,%d to %d,%d,%d and %u more, reach %d, mode %d, mover %d of size %d, occupied %d within %d, "
        "heuristic %d, weight %d, engine %d, flags %u, profile %d\n",
        (int)r->start.x, (int)r->start.y, (int)r->start.z, (int)r->goal.x, (int)r->goal.y, (int)r->goal.z,
        (unsigned)read_options(r).more_goal_count, (int)r->reach, (int)r->mode, (int)r->mover,
        (int)w->movers[r->mover].size, (int)read_options(r).occupied, (int)read_options(r).occupied_within,
        (int)read_options(r).heuristic, (int)read_options(r).weight_milli, (int)read_options(r).engine,
        (unsigned)read_options(r).leave_blocked_start, (int)read_options(r).profile);
    print_again();
    if (exact_here.draw) draw(w, r);
}

void exact_complain(const world *w, const wend_request *request, const char *what) {
    fprintf(stderr, "wrong: %s\n", what);
    describe(w, request);
    exact_count_wrong();
}

void exact_count_wrong(void) {
    if (++exact_total.wrong < exact_here.most_wrong) return;
    fprintf(stderr, "check_exact: too many are wrong; it ends here\n");
    exit(1);
}

static void print_path(const wend_cell *cells, size_t count) {
    if (!exact_here.draw) return;
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s%d,%d,%d", i == 0 ? "  path: " : " ", (int)cells[i].x, (int)cells[i].y, (int)cells[i].z);
    fputc('\n', stderr);
}

/* S8: an estimate that may be too large makes the bound weight x 2 S / D. */
double exact_bound(const world *w, const wend_request *request) {
    const double weight = read_options(request).weight_milli / 1000.0;
    const double over = 2.0 * w->rules.cost_straight / w->rules.cost_diagonal;
    const bool more =
        read_options(request).heuristic == WEND_HEURISTIC_MANHATTAN && w->rules.neighbours == 8 && over > 1;
    return more ? weight * over : weight;
}

/* @return the error; NULL: none */
static const char *cost_fault(const world *w, const wend_request *request, const world_answer *expected,
                              const wend_completion *got) {
    const double bound = exact_bound(w, request);
    if (expected->cost < 0) return got->cost == -1 ? NULL : "a cost where there is no path";
    if (got->cost < expected->cost) return "cheaper than the optimum";
    if (bound <= 1 && !got->exact) return "not marked exact";
    if (bound <= 1 || got->exact) return got->cost == expected->cost ? NULL : "dearer than the optimum";
    if ((double)got->cost > (double)expected->cost * bound * (1 + 1e-12)) return "above the bound of its weight";
    if ((double)got->cost * 1000 > (double)expected->cost * got->bound_milli) return "above the bound it says";
    return NULL;
}

static const char *path_fault(const world *w, const wend_request *request, const world_answer *expected,
                              const wend_completion *got, const wend_cell *cells) {
    if (expected->cost < 0) return NULL;
    if (got->cell_count == 0) return "no cells";
    const wend_cell *end = &cells[got->cell_count - 1];
    if (memcmp(&cells[0], &request->start, sizeof *cells) != 0) return "another start";
    if (expected->status == WEND_STATUS_PARTIAL && memcmp(end, &expected->end, sizeof *end) != 0)
        return "not the nearest cell";
    const int64_t walked = world_walk(w, request, cells, got->cell_count);
    if (walked < 0) return "a path that cannot be walked";
    if (walked != got->cost) return "a path of another cost than it says";
    if (expected->status == WEND_STATUS_FOUND && !world_target(w, request, *end)) return "an end that is no goal";
    return NULL;
}

static bool pays_toll(const world *w, const wend_request *request, const wend_cell *cells, size_t count) {
    const uint32_t *tolls = w->tolls[read_options(request).profile];
    for (size_t i = 1; tolls && i < count; i++)
        if (tolls[world_number(w, cells[i])] > 0) return true;
    return false;
}

static void count_up(const world *w, const wend_request *request, const wend_completion *got, const wend_cell *cells) {
    exact_total.queries++;
    exact_total.statuses[got->status]++;
    exact_total.jumped += got->engine == WEND_ENGINE_JUMP && got->expansions > 0;
    exact_total.tolled += got->cost > 0 && pays_toll(w, request, cells, got->cell_count);
    exact_total.weighted += read_options(request).weight_milli > 1000;
}

void exact_compare(const world *w, const wend_request *request, const world_answer *expected,
                   const wend_completion *got, const wend_cell *cells, const char *by) {
    char text[WORLD_WORDS * 2];
    count_up(w, request, got, cells);
    const char *fault = got->status == expected->status ? cost_fault(w, request, expected, got) : "another outcome";
    if (!fault) fault = path_fault(w, request, expected, got, cells);
    if (!fault) return;
    snprintf(text, sizeof text,
             "%s, by %s: %s %" PRId64 " in %zu cells by engine %d after %" PRIu64 " expansions, not %s %" PRId64
             " (nearest %d,%d)",
             fault, by, wend_status_name(got->status), got->cost, got->cell_count, (int)got->engine, got->expansions,
             wend_status_name(expected->status), expected->cost, (int)expected->end.x, (int)expected->end.y);
    exact_complain(w, request, text);
    print_path(cells, got->cell_count);
}
