/* SPDX-License-Identifier: MIT */
/* Tells expansions and time by kind of work: an expansion of one kind may take ten times as long as one of another. */
#include <inttypes.h>

#include "trace/trace_events.h"
#include "shared/grouped.h"
#include <wend/search.h>

static const struct {
    const char *name, *text;
} kinds[WEND_WORK_COUNT] = {
    [WEND_WORK_GRID_ASTAR] = {"grid_astar", "A* on a grid"},
    [WEND_WORK_GRID_JUMP] = {"grid_jump", "jump search"},
    [WEND_WORK_STOP_JUMP] = {"stop_jump", "jump search with stops"},
    [WEND_WORK_VOXEL_ASTAR] = {"voxel_astar", "A* on voxels"},
    [WEND_WORK_GRAPH_ASTAR] = {"graph_astar", "A* on a graph"},
    [WEND_WORK_GENERAL_ASTAR] = {"general_astar", "general A*"},
    [WEND_WORK_FIELD] = {"field", "flow fields"},
};

/* The work of all frames, by kind. */
typedef struct work_sum {
    uint64_t expansions[WEND_WORK_COUNT], ns[WEND_WORK_COUNT];
    uint64_t all_expansions;
    uint64_t general[WEND_GENERAL_COUNT]; /* answers of the general A*, by reason */
} work_sum;

static work_sum work_of(const wend_figures *figures) {
    work_sum sum = {.all_expansions = 0};
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    wend_figures_get_stats(figures, &counts);
    for (int i = 0; i < WEND_WORK_COUNT; i++) {
        sum.expansions[i] = counts.work_expansions[i], sum.ns[i] = counts.work_ns[i];
        sum.all_expansions += sum.expansions[i];
    }
    for (int32_t i = 0; i < WEND_GENERAL_COUNT; i++) sum.general[i] = counts.general_answers[i];
    return sum;
}

void work_json(const wend_figures *figures) {
    const work_sum sum = work_of(figures);
    const char *separator = "";
    printf("\"work\":{");
    for (int i = 0; i < WEND_WORK_COUNT; i++) {
        if (sum.expansions[i] == 0) continue;
        printf("%s\"%s\":{\"spent\":%" PRIu64 ",\"us\":%" PRIu64 "}", separator, kinds[i].name, sum.expansions[i],
               (sum.ns[i] + 500) / 1000);
        separator = ",";
    }
    printf("},\"general\":{");
    separator = "";
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++) {
        if (sum.general[i] == 0) continue;
        printf("%s\"%s\":%" PRIu64, separator, wend_constant_name(WEND_NAME_GENERAL, i), sum.general[i]);
        separator = ",";
    }
    printf("},");
}

void work_csv_head(FILE *out) {
    for (int i = 0; i < WEND_WORK_COUNT; i++) fprintf(out, ",%s_expansions,%s_us", kinds[i].name, kinds[i].name);
}

void work_csv(FILE *out, const wend_frame *frame) {
    for (int i = 0; i < WEND_WORK_COUNT; i++)
        fprintf(out, ",%" PRIu64 ",%.1f", frame->work_expansions[i], (double)frame->work_ns[i] / 1000);
}

void work_line(FILE *out, const wend_figures *figures) {
    const work_sum sum = work_of(figures);
    const char *separator = "  Expansions  ";
    for (int i = 0; i < WEND_WORK_COUNT; i++) {
        if (sum.expansions[i] == 0) continue;
        fprintf(out, "%s%s %s, %.1f ns each", separator, GROUPED(sum.expansions[i]), kinds[i].text,
                (double)sum.ns[i] / (double)sum.expansions[i]);
        separator = "; ";
    }
    if (sum.all_expansions > 0) fputc('\n', out);
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++)
        if (sum.general[i] > 0)
            fprintf(out, "  General A*  %s answers, because: %s\n", GROUPED(sum.general[i]),
                    wend_constant_name(WEND_NAME_GENERAL_TEXT, i));
}
