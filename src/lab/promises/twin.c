/* SPDX-License-Identifier: MIT */
/* Keeps the waits of each request in both services until both are known. */
#include <stdlib.h>

#include "lab/promises/twin.h"

typedef struct pair {
    uint64_t number;
    uint64_t waits[2]; /* frames until the search began: in the service, in the twin; 0: not answered yet */
} pair;

struct twin {
    wend_service *service;
    pair *pairs; /* from `front` on, at their index modulo the capacity */
    size_t capacity;
    uint64_t front, count;
    uint64_t *index_of; /* by number: the index of the pair plus 1; 0: none */
    size_t number_capacity;
};

twin *twin_create(const wend_service_def *def) {
    twin *other = calloc(1, sizeof *other);
    if (other == NULL) return NULL;
    wend_service_def alike = *def;
    alike.allocator = (wend_allocator){0};
    if (wend_service_create(&alike, &other->service) == WEND_OK) return other;
    free(other);
    return NULL;
}

void twin_free(twin *other) {
    if (other == NULL) return;
    wend_service_destroy(other->service);
    free(other->pairs);
    free(other->index_of);
    free(other);
}

static pair *pair_at(const twin *other, uint64_t index) {
    return &other->pairs[index & (other->capacity - 1)];
}

static bool make_room(twin *other, uint64_t number) {
    if (number >= other->number_capacity) {
        const size_t capacity = (size_t)number * 2 + 1024;
        uint64_t *larger = realloc(other->index_of, capacity * sizeof *larger);
        if (larger == NULL) return false;
        for (size_t i = other->number_capacity; i < capacity; i++) larger[i] = 0;
        other->index_of = larger;
        other->number_capacity = capacity;
    }
    if (other->count - other->front < other->capacity) return true;
    twin larger = *other;
    larger.capacity = other->capacity == 0 ? 1024 : other->capacity * 2;
    larger.pairs = calloc(larger.capacity, sizeof *larger.pairs);
    if (larger.pairs == NULL) return false;
    for (uint64_t i = other->front; i < other->count; i++) *pair_at(&larger, i) = *pair_at(other, i);
    free(other->pairs);
    *other = larger;
    return true;
}

/* A request that the twin refused, or that was cancelled in one of both, counts as one that waited as long in both. */
static void remember(twin *other, uint64_t number, int which, uint64_t wait, wend_status status) {
    if (number >= other->number_capacity || other->index_of[number] == 0) return;
    pair *both = pair_at(other, other->index_of[number] - 1);
    both->waits[which] = wait;
    if (status == WEND_STATUS_CANCELLED) both->waits[0] = both->waits[1] = wait;
}

/* The twin of the one run; a completion's context is only a number. */
static twin *ticking;

static void take(void *context, const wend_completion *completion) {
    if (ticking == NULL) return; /* the end: nobody compares any more */
    remember(ticking, (uint64_t)(uintptr_t)context, 1, completion->wait_frames, completion->status);
}

bool twin_submit(twin *other, uint64_t number, const wend_request *request) {
    if (!make_room(other, number)) return false;
    wend_request alike = *request;
    alike.on_done = take;
    alike.context = (void *)(uintptr_t)number;
    *pair_at(other, other->count++) = (pair){.number = number};
    other->index_of[number] = other->count;
    if (wend_service_submit(other->service, &alike, NULL) != WEND_OK)
        remember(other, number, 1, 1, WEND_STATUS_CANCELLED);
    return true;
}

void twin_tick(twin *other, const wend_budget *budget) {
    ticking = other;
    wend_service_tick(other->service, budget, NULL);
    ticking = NULL;
}

void twin_answered(twin *other, uint64_t number, const wend_completion *completion) {
    remember(other, number, 0, completion->wait_frames, completion->status);
}

bool twin_compare(twin *other, uint64_t *number, uint64_t *wait, uint64_t *twin_wait) {
    if (other->front == other->count) return false;
    const pair *both = pair_at(other, other->front);
    if (both->waits[0] == 0 || both->waits[1] == 0) return false;
    *number = both->number;
    *wait = both->waits[0], *twin_wait = both->waits[1];
    other->front++;
    return true;
}
