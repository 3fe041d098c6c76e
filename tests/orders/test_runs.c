/* SPDX-License-Identifier: MIT */
/* Paths as runs: a reader of its own gets the same cells back, and no two runs next to each other could be one. */
#include "orders/orders.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, TEXT = 1 << 14 };

typedef struct written {
    char text[TEXT];
    size_t used;
} written;

static void put(void *context, const char *bytes, size_t count) {
    written *all = context;
    cr_assert_lt(all->used + count, TEXT);
    memcpy(all->text + all->used, bytes, count);
    all->text[all->used += count] = '\0';
}

/* Returns the text in the brackets of "runs". */
static char *runs_of(written *all, const wend_cell *cells, size_t count, int32_t axes) {
    const wend_completion done = {.struct_bytes = sizeof done, .cells = cells, .cell_count = count, .exact = 1};
    const wend__completion_line line = {.done = &done, .axes = axes, .runs = true};
    all->used = 0;
    wend__completion_write_json(&line, put, all);
    cr_assert_null(strstr(all->text, "\"cells\""));
    char *runs = strstr(all->text, "\"runs\":["), *end = strstr(all->text, "],\"expansions\"");
    cr_assert(runs && end);
    end[0] = '\0';
    return runs + strlen("\"runs\":[");
}

static const char *read_cell(const char *at, wend_cell *cell, int32_t axes) {
    int32_t *parts[] = {&cell->x, &cell->y, &cell->z};
    if (axes > 1) at++;
    for (int i = 0; i < axes; i++) {
        char *end;
        *parts[i] = (int32_t)strtol(at, &end, 10);
        at = end + (axes > 1);
    }
    return at;
}

/* As docs/protocol.md describes them. */
static size_t read_runs(const char *at, wend_cell *cells, int32_t axes) {
    size_t count = 0;
    char before[8] = "";
    while (*at) {
        if (*at == ',') at++;
        if (*at != '"') {
            at = read_cell(at, &cells[count++], axes);
            before[0] = '\0';
            continue;
        }
        char way[8] = "";
        wend_cell step = {0, 0, 0};
        for (at++; *at >= 'A'; at++) {
            way[strlen(way)] = *at;
            step.y += (*at == 'S') - (*at == 'N'), step.x += (*at == 'E') - (*at == 'W');
            step.z += (*at == 'U') - (*at == 'D');
        }
        cr_assert_str_neq(way, before, "two runs that are one");
        strcpy(before, way);
        char *end;
        for (long left = strtol(at, &end, 10); left > 0; left--, count++)
            cells[count] =
                (wend_cell){cells[count - 1].x + step.x, cells[count - 1].y + step.y, cells[count - 1].z + step.z};
        at = end + 1;
    }
    return count;
}

static int32_t draw(uint64_t *seed, int32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int32_t)(*seed >> 33) % below;
}

/* Mostly the step before, at times another or one to anywhere. */
static size_t make_path(wend_cell *cells, int32_t axes, uint64_t *seed) {
    const size_t count = (size_t)draw(seed, MOST);
    wend_cell step = {1, 0, 0};
    for (size_t i = 0; i < count; i++) {
        if (draw(seed, 4) == 0)
            step = (wend_cell){draw(seed, 3) - 1, axes > 1 ? draw(seed, 3) - 1 : 0, axes > 2 ? draw(seed, 3) - 1 : 0};
        const wend_cell last = i > 0 ? cells[i - 1] : (wend_cell){1000, 1000, 1000};
        cells[i] = (wend_cell){last.x + step.x, axes > 1 ? last.y + step.y : 0, axes > 2 ? last.z + step.z : 0};
        if (draw(seed, 20) == 0) cells[i].x = draw(seed, 100000);
    }
    return count;
}

Test(runs, bring_the_same_cells) {
    uint64_t seed = 8;
    for (int trial = 0; trial < 3000; trial++) {
        static wend_cell cells[MOST], back[MOST];
        static written all;
        const int32_t axes = 1 + trial % 3;
        const size_t count = make_path(cells, axes, &seed);
        memset(back, 0, sizeof back);
        cr_assert_eq(read_runs(runs_of(&all, cells, count, axes), back, axes), count, "%s", all.text);
        for (size_t i = 0; i < count; i++)
            cr_assert(cells[i].x == back[i].x && cells[i].y == back[i].y && cells[i].z == back[i].z, "%s", all.text);
    }
}

#define EXPECT(axes, text, ...)                                                                                        \
    do {                                                                                                               \
        static written all;                                                                                            \
        const wend_cell cells[] = {__VA_ARGS__};                                                                       \
        cr_assert_str_eq(runs_of(&all, cells, sizeof cells / sizeof *cells, axes), text);                              \
    } while (0)

Test(runs, are_what_the_protocol_says) {
    EXPECT(2, "[3,4]", {3, 4, 0});
    EXPECT(2, "[3,4],\"E2\",\"NE1\",\"N1\",\"W1\",\"SW2\"", {3, 4, 0}, {4, 4, 0}, {5, 4, 0}, {6, 3, 0}, {6, 2, 0},
           {5, 2, 0}, {4, 3, 0}, {3, 4, 0});
    EXPECT(2, "[0,0],[7,7],\"S1\",[9,9]", {0, 0, 0}, {7, 7, 0}, {7, 8, 0}, {9, 9, 0});
    EXPECT(3, "[0,0,5],\"D1\",\"SEU1\",[1,1,3]", {0, 0, 5}, {0, 0, 4}, {1, 1, 5}, {1, 1, 3});
    EXPECT(1, "0,1,2", {0, 0, 0}, {1, 0, 0}, {2, 0, 0});
}
