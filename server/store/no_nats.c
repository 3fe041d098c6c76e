/* SPDX-License-Identifier: MIT */
/* Where libnats is not installed. */
#include <stdio.h>

#include "store/store.h"

cluster_store *cluster_store_open_nats(const char *url, char why[CLUSTER_WHY_BYTES]) {
    snprintf(why, CLUSTER_WHY_BYTES, "%.60s: this wend was built without libnats", url);
    return NULL;
}
