/* SPDX-License-Identifier: MIT */
/* Prints the table of scenes as Markdown: updates until the end of each mix, or how many have arrived after SCENE_MOST.
 * "open": known not to meet the limit. A cross: it should meet it, or should be open no longer. Below it: how many miss
 * their limits, and how many goals of scenes at random have no end. */
#include "crowd/scenes.h"

#include <stdio.h>

enum { RANDOM_MIXED = 120, RANDOM_DISCS = 60 };

/* Returns whether the scene misses its limit. */
static bool print_cell(const scene *s, int mix) {
    const scene_result result = scene_run(s, mix);
    if (result.updates > 0)
        printf(" %u", result.updates);
    else
        printf(" never (%u of %u)", result.there, result.awaited);
    if (result.gave_up > 0) printf(", %u gave up", result.gave_up);
    const bool open = s->limit.open >> mix & 1;
    printf("%s%s", open ? " (open)" : "", open == scene_is_met(s, &result) ? " ✗" : "");
    if (result.fault[0]) printf(" %s", result.fault);
    printf(" |");
    return !scene_is_met(s, &result);
}

static uint32_t random_without_end(uint32_t scenes, int mix) {
    uint32_t goals = 0;
    for (uint32_t seed = 1; seed <= scenes; seed++) goals += scene_random_without_end(seed, mix);
    return goals;
}

int main(void) {
    uint32_t missed[SCENE_MIXES] = {0};
    printf("| scene | limit | cells | discs | mixed |\n|---|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < scene_count; i++) {
        printf("| %s | %u |", scene_table[i].name, scene_limit(&scene_table[i]));
        for (int mix = 0; mix < SCENE_MIXES; mix++) missed[mix] += print_cell(&scene_table[i], mix);
        printf("\n");
    }
    printf("\nScenes missed: cells %u, discs %u, mixed %u.\n", missed[SCENE_CELLS], missed[SCENE_DISCS],
           missed[SCENE_MIXED]);
    printf("Goals without an end at random: discs %u of %d scenes, mixed %u of %d.\n",
           random_without_end(RANDOM_DISCS, SCENE_DISCS), RANDOM_DISCS, random_without_end(RANDOM_MIXED, SCENE_MIXED),
           RANDOM_MIXED);
    return 0;
}
