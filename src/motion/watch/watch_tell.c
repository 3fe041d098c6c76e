/* SPDX-License-Identifier: MIT */
/* Telling the host of broken paths, once each, in the order of their adding. */
#include "map/store/sort.h"
#include "motion/watch/watch_state.h"

enum { PATH_BITS = 20 };

static uint64_t key_of(const wend_watcher *w, uint32_t path) {
    return w->paths[path].sequence << PATH_BITS | path;
}

static uint32_t path_of(uint64_t key) {
    return (uint32_t)key & ((UINT32_C(1) << PATH_BITS) - 1);
}

void wend__watch_break(wend_watcher *w, uint32_t number, uint32_t index, wend_cell cell) {
    wend__watched *path = &w->paths[number];
    if (path->state == WEND__WATCH_BROKEN) {
        if (index < path->broken_at && index > path->from) path->broken_at = index, path->cell = cell;
        return; /* an older serial has the break looked at again */
    }
    if (path->state != WEND__WATCH_WATCHED || index <= path->from) return;
    path->state = WEND__WATCH_BROKEN;
    path->broken_at = index;
    path->cell = cell;
    path->epoch = w->held->serial;
    w->broken[w->broken_count++] = key_of(w, number);
}

void wend__watch_forget_break(wend_watcher *w, uint32_t number) {
    const uint64_t key = key_of(w, number);
    for (uint32_t i = 0; i < w->broken_count; i++)
        if (w->broken[i] == key) w->broken[i--] = w->broken[--w->broken_count];
}

void wend__watch_queue_push(wend_watcher *w, wend__watch_queue *queue, uint32_t path) {
    w->paths[path].next = WEND__NO_WATCH;
    if (queue->first == WEND__NO_WATCH)
        queue->first = path;
    else
        w->paths[queue->last].next = path;
    queue->last = path;
}

uint32_t wend__watch_queue_pop(wend_watcher *w, wend__watch_queue *queue) {
    const uint32_t path = queue->first;
    if (path != WEND__NO_WATCH) queue->first = w->paths[path].next;
    return path;
}

/* Make its event ready. Since the break was found the agent may have gone on beyond it, or an edit may have mended
   it. */
static bool tell(wend_watcher *w, uint32_t number) {
    wend__watched *path = &w->paths[number];
    if (path->broken_at <= path->from || path->epoch != w->held->serial) {
        path->broken_at = wend__watch_walk(w, path);
        if (path->broken_at == path->count) {
            path->state = WEND__WATCH_WATCHED;
            return false;
        }
        path->cell = wend__watched_cell(w, number, path->broken_at);
    }
    path->epoch = w->held->epoch;
    path->state = WEND__WATCH_TOLD;
    w->watched--;
    w->of_mover[path->mover]--;
    wend__watch_queue_push(w, &w->told, number);
    return true;
}

/* The next event. The path's cells and pieces are freed when their room is needed. */
static bool take_event(wend_watcher *w, wend_watch_event *event) {
    const uint32_t number = wend__watch_queue_pop(w, &w->told);
    if (number == WEND__NO_WATCH) return false;
    wend__watched *path = &w->paths[number];
    *event = (wend_watch_event){.struct_bytes = sizeof *event,
                                .id = {number, path->generation},
                                .cell = path->cell,
                                .index = path->broken_at,
                                .epoch = path->epoch,
                                .context = path->context};
    path->state = WEND__WATCH_DEAD;
    wend__watch_queue_push(w, &w->dead, number);
    return true;
}

static void call_host(wend_watcher *w) {
    wend_watch_event event;
    w->calling = true;
    while (take_event(w, &event)) w->def.on_broken(w->def.context, &event);
    w->calling = false;
}

wend_error wend_watcher_update(wend_watcher *w, size_t *broken) {
    if (w->calling) return wend__refuse(WEND_IN_CALLBACK, "the watcher's callback runs: update it after that");
    wend__watch_sync(w);
    size_t told = 0;
    const uint32_t count = w->broken_count;
    wend__sort_numbers(w->broken, w->scratch, count);
    w->broken_count = 0;
    for (uint32_t i = 0; i < count; i++) told += tell(w, path_of(w->broken[i]));
    if (w->def.on_broken) call_host(w);
    if (broken) *broken = told;
    return WEND_OK;
}

wend_error wend_watcher_poll(wend_watcher *w, wend_watch_event *event) {
    wend_watch_event own;
    if (!WEND__FITS(wend_watch_event, context, event)) return WEND_BAD_ARGUMENT;
    if (!take_event(w, &own)) return wend__refuse(WEND_EMPTY, "no event waits for a poll");
    (void)WEND__GIVE(wend_watch_event, context, event, &own);
    return WEND_OK;
}
