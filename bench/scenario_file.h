/* SPDX-License-Identifier: MIT */
/* Scenario files of benches, read by the laboratory. */
#ifndef WEND_BENCH_SCENARIO_FILE_H
#define WEND_BENCH_SCENARIO_FILE_H

#include "scen/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a scenario, for scenario_free(). Ends the program where it is not good.
scenario read_scenario(const char *path);

#ifdef __cplusplus
}
#endif
#endif
