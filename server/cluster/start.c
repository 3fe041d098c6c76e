/* SPDX-License-Identifier: MIT */
/* Finds where a node can start, entry by entry. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "cluster/start.h"

void cluster_events_free(cluster_event *first) {
    for (cluster_event *event = first, *next; event; event = next) {
        next = event->next;
        free(event->bytes.bytes);
        free(event);
    }
}

void cluster_start_drop(cluster_start *place) {
    cluster_events_free(place->pieces);
    place->pieces = NULL;
    place->next = 0;
}

/* @return false: no memory */
static bool keep_piece(cluster_start *place, cluster_bytes bytes) {
    cluster_event *event = calloc(1, sizeof *event);
    if (!event) {
        free(bytes.bytes);
        return false;
    }
    *event = (cluster_event){.kind = CLUSTER_SNAPSHOT, .bytes = bytes};
    if (!place->pieces) place->last = &place->pieces;
    *place->last = event;
    place->last = &event->next;
    place->next++;
    return true;
}

/* A world of the first entry, or a fresh one, needs no snapshot. */
static bool is_whole(const cluster_head *head) {
    return head->entry == 1 || head->fresh;
}

bool cluster_start_read(cluster_start *place, cluster_bytes bytes) {
    cluster_head head;
    place->after = bytes.sequence;
    if (!cluster_head_read(bytes.bytes, &head)) head = (cluster_head){.piece = 0};
    if (place->first == 0) place->first_sequence = bytes.sequence, place->first = head.entry;
    const bool starts = is_whole(&head) || head.piece == 1;
    if (starts) {
        cluster_start_drop(place);
        place->sequence = bytes.sequence, place->head = head, place->next = 1;
    }
    if (head.piece > 0 && head.piece == place->next && head.pieces == place->head.pieces) {
        if (keep_piece(place, bytes)) return place->next > head.pieces;
        cluster_start_drop(place);
        return false;
    }
    free(bytes.bytes);
    if (head.piece > 0) cluster_start_drop(place);
    return is_whole(&head);
}
