/* SPDX-License-Identifier: MIT */
/* The head of an entry of a map's log: its second line. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cluster/member.h"
#include "journal/journal_read.h"

bool cluster_head_read(const char *bytes, cluster_head *out) {
    static const char first[] = SERVE_JOURNAL_FIRST_LINE;
    char words[CLUSTER_NODE_BYTES + 16] = "";
    *out = (cluster_head){.term = 0};
    if (strncmp(bytes, first, sizeof first - 1) != 0) return false;
    const int count = sscanf(bytes + sizeof first - 1,
                             "# map %63s term %" SCNu64 " entry %" SCNu64 " after %" SCNx64 "%*1[ ]%75[^\n]", out->map,
                             &out->term, &out->entry, &out->after, words);
    if (count < 4 || !cluster_is_name(out->map)) return false;
    out->fresh = strcmp(words, "fresh") == 0;
    if (sscanf(words, "snapshot %" SCNu64 " of %" SCNu64 " epoch %" SCNu64, &out->piece, &out->pieces, &out->epoch) < 3)
        out->piece = 0;
    return sscanf(words, "to %63s", out->heir) != 1 || cluster_is_name(out->heir);
}
