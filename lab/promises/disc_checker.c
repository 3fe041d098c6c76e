/* SPDX-License-Identifier: MIT */
/* Compares each disc with those in its cell and around it, and with the cells there. */
#include "promises/disc_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ONE = WEND_BODY_UNITS, HALF = ONE / 2 };

/* A disc; a cell's middle is at x * ONE. `inside`: an edit put a wall on it, which does not count until it is out. */
typedef struct known {
    int64_t x, y, radius;
    wend_cell cell;
    bool seen, inside;
    bool walks; /* the agent has no body */
} known;

struct disc_checker {
    const terrain_copy *land;
    promises *ledger;
    known *discs;
    uint32_t count;
    uint32_t *heads;  /* for each cell: a disc in it, plus 1 */
    uint32_t *next;   /* for each disc: another one in its cell, plus 1 */
    uint8_t *factors; /* factors of the last frame */
    uint64_t frame;
};

disc_checker *disc_checker_create(const terrain_copy *land, uint32_t agents, promises *ledger) {
    disc_checker *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    watch->land = land;
    watch->ledger = ledger;
    watch->count = agents;
    watch->frame = 1;
    watch->discs = calloc(agents, sizeof *watch->discs);
    watch->next = calloc(agents, sizeof *watch->next);
    watch->heads = calloc((size_t)land->cells, sizeof *watch->heads);
    watch->factors = malloc((size_t)land->cells);
    if (watch->discs && watch->next && watch->heads && watch->factors) {
        memcpy(watch->factors, land->factors, (size_t)land->cells);
        return watch;
    }
    disc_checker_free(watch);
    return NULL;
}

void disc_checker_free(disc_checker *watch) {
    if (!watch) return;
    free(watch->discs);
    free(watch->next);
    free(watch->heads);
    free(watch->factors);
    free(watch);
}

static int64_t square(int64_t n) {
    return n * n;
}

static int64_t beside(int64_t at, int32_t cell) {
    const int64_t low = (int64_t)cell * ONE - HALF, high = (int64_t)cell * ONE + HALF;
    return at < low ? low - at : at > high ? at - high : 0;
}

void disc_checker_saw(disc_checker *watch, uint32_t agent, wend_cell cell, const wend_body_state *body,
                      uint32_t speed_milli) {
    known *who = &watch->discs[agent];
    const int64_t most = (int64_t)speed_milli * ONE / 1000 + 2;
    const int64_t moved = square(body->exact_at.x - who->x) + square(body->exact_at.y - who->y);
    EXPECT(watch, DISC_speeds, !who->seen || moved <= square(most), "agent %" PRIu32 " moved by %" PRId64 ",%" PRId64,
           agent, body->exact_at.x - who->x, body->exact_at.y - who->y);
    who->x = body->exact_at.x, who->y = body->exact_at.y;
    who->radius = (int64_t)body->radius_milli * ONE / 1000;
    who->cell = (wend_cell){(int32_t)((who->x + HALF) / ONE), (int32_t)((who->y + HALF) / ONE), 0};
    who->seen = true;
    EXPECT(watch, DISC_cells, beside(who->x, cell.x) <= ONE && beside(who->y, cell.y) <= ONE,
           "agent %" PRIu32 " is neither in its cell %s nor on a step to it", agent, TERRAIN_NAME(watch->land, cell));
}

void disc_checker_saw_walker(disc_checker *watch, uint32_t agent, wend_point point) {
    const wend_cell cell = {(point.x + 500) / 1000, (point.y + 500) / 1000, 0};
    watch->discs[agent] = (known){.x = (int64_t)point.x * ONE / 1000,
                                  .y = (int64_t)point.y * ONE / 1000,
                                  .radius = HALF,
                                  .cell = cell,
                                  .seen = true,
                                  .walks = true};
}

static void check_walls(disc_checker *watch, uint32_t agent) {
    known *who = &watch->discs[agent];
    bool covers = false, fell = false;
    for (int32_t k = 0; k < 9; k++) {
        const wend_cell at = {who->cell.x + k % 3 - 1, who->cell.y + k / 3 - 1, 0};
        if (terrain_factor(watch->land, at) > 0) continue;
        if (square(beside(who->x, at.x)) + square(beside(who->y, at.y)) >= square(who->radius)) continue;
        covers = true;
        fell |= terrain_on_map(watch->land, at) && watch->factors[terrain_index(watch->land, at)] > 0;
    }
    who->inside = covers && (who->inside || fell);
    EXPECT(watch, DISC_walls, !covers || who->inside, "agent %" PRIu32 "'s body at %s is on a blocked cell", agent,
           TERRAIN_NAME(watch->land, who->cell));
}

static void check_cell(disc_checker *watch, uint32_t agent, wend_cell at) {
    const known *who = &watch->discs[agent];
    if (!terrain_on_map(watch->land, at)) return;
    for (uint32_t k = watch->heads[terrain_index(watch->land, at)]; k > 0; k = watch->next[k - 1]) {
        const known *other = &watch->discs[k - 1];
        if (k - 1 <= agent || (who->walks && other->walks)) continue; /* each pair once */
        const int64_t apart = square(who->x - other->x) + square(who->y - other->y);
        const int64_t cut = who->walks || other->walks ? ONE / 1000 + 1 : 0; /* a point is in thousandths */
        EXPECT(watch, DISC_apart, apart >= square(who->radius + other->radius - cut),
               "the bodies of agents %" PRIu32 " and %" PRIu32 " touch at %s", agent, k - 1,
               TERRAIN_NAME(watch->land, at));
    }
}

void disc_checker_frame_ends(disc_checker *watch) {
    for (uint32_t i = 0; i < watch->count; i++) {
        uint32_t *head = &watch->heads[terrain_index(watch->land, watch->discs[i].cell)];
        if (!watch->discs[i].seen) continue;
        watch->next[i] = *head;
        *head = i + 1;
    }
    for (uint32_t i = 0; i < watch->count; i++) {
        if (!watch->discs[i].seen) continue;
        const wend_cell at = watch->discs[i].cell;
        if (!watch->discs[i].walks) check_walls(watch, i);
        for (int32_t k = 0; k < 9; k++) check_cell(watch, i, (wend_cell){at.x + k % 3 - 1, at.y + k / 3 - 1, 0});
    }
    for (uint32_t i = 0; i < watch->count; i++)
        if (watch->discs[i].seen) watch->heads[terrain_index(watch->land, watch->discs[i].cell)] = 0;
    memcpy(watch->factors, watch->land->factors, (size_t)watch->land->cells);
    watch->frame++;
}
