/* SPDX-License-Identifier: MIT */
/* The results of a run: JSON, a table, a picture. */
#ifndef WEND_LAB_REPORT_REPORT_H
#define WEND_LAB_REPORT_REPORT_H

#include <stdio.h>

#include "run/lab.h"
#include <wend/extra.h>

/// Print one JSON object on standard output, or a table.
void report_json(lab_run *run);
void report_table(lab_run *run, FILE *out);

/// A picture of the map and the tracks, and what it points to.
typedef struct lab_picture {
    wend_picture picture;
    wend_picture_path *paths;
    wend_cell *starts, *goals;
} lab_picture;

/// @return false where memory ran out. lab_picture_close() in any case.
bool lab_picture_open(const lab_run *run, lab_picture *out);
void lab_picture_close(lab_picture *picture);

#endif
