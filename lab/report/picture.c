/* SPDX-License-Identifier: MIT */
/* The picture of a stress run: the map and the last path of each agent. */
#include <stdlib.h>

#include "report/report.h"

bool lab_picture_open(const lab_run *run, lab_picture *out) {
    const size_t most = run->track_count > 0 ? run->track_count : 1;
    wend_picture *picture = &out->picture;
    out->paths = malloc(most * sizeof *out->paths);
    out->starts = malloc(most * sizeof *out->starts);
    out->goals = malloc(most * sizeof *out->goals);
    if (!out->paths || !out->starts || !out->goals) return false;
    size_t count = 0;
    for (size_t i = 0; i < run->track_count; i++) {
        const lab_track *track = &run->tracks[i];
        if (track->count == 0) continue;
        out->paths[count] = (wend_picture_path){track->cells, track->count};
        out->starts[count] = track->cells[0];
        out->goals[count++] = track->cells[track->count - 1];
    }
    wend_picture_init(picture, sizeof *picture);
    picture->map = run->map;
    picture->paths = out->paths;
    picture->starts = out->starts;
    picture->goals = out->goals;
    picture->path_count = picture->start_count = picture->goal_count = count;
    picture->caption = "the path last walked by each agent";
    return true;
}

void lab_picture_close(lab_picture *picture) {
    free(picture->paths);
    free(picture->starts);
    free(picture->goals);
}
