/* SPDX-License-Identifier: MIT */
/* Prints the table of scenes as Markdown: updates until the end of each mix, or how many have arrived after SCENE_MOST.
 * "open": known not to meet the limit. A cross: it should meet it, or should be open no longer. */
#include "crowd/scenes.h"

#include <stdio.h>

static void print_cell(const scene *s, int mix) {
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
}

int main(void) {
    printf("| scene | limit | cells | discs | mixed |\n|---|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < scene_count; i++) {
        printf("| %s | %u |", scene_table[i].name, scene_limit(&scene_table[i]));
        for (int mix = 0; mix < SCENE_MIXES; mix++) print_cell(&scene_table[i], mix);
        printf("\n");
    }
    return 0;
}
