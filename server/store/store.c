/* SPDX-License-Identifier: MIT */
/* Finds the store of a URL. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "store/store.h"

bool cluster_is_name(const char *name) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    enum { MOST = 63 };
    const size_t length = strlen(name);
    return length >= 1 && length <= MOST && strspn(name, good) == length;
}

cluster_store *cluster_store_open(const char *url, char why[CLUSTER_WHY_BYTES]) {
    if (strncmp(url, "file:", strlen("file:")) == 0) return cluster_store_open_file(url + strlen("file:"), true, why);
    if (strncmp(url, "nats://", strlen("nats://")) == 0) return cluster_store_open_nats(url, why);
    snprintf(why, CLUSTER_WHY_BYTES, "a cluster is nats://HOST:PORT or file:DIR, not '%s'", url);
    return NULL;
}
