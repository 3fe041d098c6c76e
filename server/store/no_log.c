/* SPDX-License-Identifier: MIT */
/* Replaces the log in a build without libnats. */
#include <stdio.h>

#include "store/log.h"

cluster_log *cluster_log_open(const cluster_log_def *def, char why[CLUSTER_LOG_WHY_BYTES]) {
    (void)def;
    snprintf(why, CLUSTER_LOG_WHY_BYTES, "this wend was built without libnats");
    return NULL;
}
