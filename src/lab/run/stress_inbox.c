/* SPDX-License-Identifier: MIT */
/* The inbox: completions wait here until the tick is over. */
#include <stdlib.h>
#include <string.h>

#include "lab/run/stress.h"

/* The inbox in use. A context cannot be trusted to name it. */
static stress_inbox *current;

void stress_take_into(stress_inbox *inbox) {
    current = inbox;
}

void *stress_context(uint32_t agent) {
    return (void *)((uintptr_t)agent + 1);
}

uint32_t stress_context_agent(const void *context) {
    uintptr_t number = (uintptr_t)context;
    return number >= 1 && number <= AGENTS_NONE ? (uint32_t)(number - 1) : AGENTS_NONE;
}

/* Make room for `more` elements. @return NULL where memory ran out; the old array stays then */
static void *grow(void *array, size_t count, size_t more, size_t *capacity, size_t size) {
    if (more <= *capacity - count) return array;
    size_t wanted = *capacity < 1024 ? 1024 : *capacity;
    while (wanted - count < more) {
        if (wanted > SIZE_MAX / size / 2) return NULL;
        wanted *= 2;
    }
    void *larger = realloc(array, wanted * size);
    if (larger != NULL) *capacity = wanted;
    return larger;
}

static bool make_room(stress_inbox *inbox, size_t cells) {
    size_t capacity = inbox->capacity;
    void *list = grow(inbox->list, inbox->count, 1, &capacity, sizeof *inbox->list);
    if (list == NULL) return false;
    inbox->list = list;
    void *at = grow(inbox->cells_at, inbox->count, 1, &inbox->capacity, sizeof *inbox->cells_at);
    if (at == NULL) return false;
    inbox->cells_at = at;
    if (cells == 0) return true;
    void *room = grow(inbox->cells, inbox->cell_count, cells, &inbox->cell_capacity, sizeof *inbox->cells);
    if (room == NULL) return false;
    inbox->cells = room;
    return true;
}

void stress_take(void *context, const wend_completion *completion) {
    stress_inbox *inbox = current;
    if (inbox == NULL || inbox->out_of_memory) return;
    size_t cells = completion->cells != NULL ? completion->cell_count : 0;
    if (!make_room(inbox, cells)) {
        inbox->out_of_memory = true;
        return;
    }
    inbox->list[inbox->count] = *completion;
    /* The context comes back in two ways, which must agree. */
    if (completion->context != context) inbox->list[inbox->count].context = NULL;
    inbox->cells_at[inbox->count++] = inbox->cell_count;
    if (cells > 0) memcpy(inbox->cells + inbox->cell_count, completion->cells, cells * sizeof *inbox->cells);
    inbox->cell_count += cells;
}

wend_completion stress_inbox_get(const stress_inbox *inbox, size_t index) {
    wend_completion completion = inbox->list[index];
    if (completion.cells != NULL) completion.cells = inbox->cells + inbox->cells_at[index];
    return completion;
}

void stress_inbox_clear(stress_inbox *inbox) {
    inbox->count = inbox->cell_count = 0;
}

void stress_inbox_free(stress_inbox *inbox) {
    free(inbox->list);
    free(inbox->cells_at);
    free(inbox->cells);
    *inbox = (stress_inbox){0};
}
