/* SPDX-License-Identifier: MIT */
/* The page that `wend stress --report` writes: one file that fetches nothing, with plots, tables and the map. */
#ifndef WEND_SRC_CLI_REPORT_PAGE_H
#define WEND_SRC_CLI_REPORT_PAGE_H

#include <stdio.h>

#include "cli/stress/stress.h"

/// @return −1 to go on, else the exit status. Prints errors.
int page_write(stress_run *run, const char *name);

/// The beginning of the page with its style, and its end.
void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

#endif
