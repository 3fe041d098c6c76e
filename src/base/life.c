/* SPDX-License-Identifier: MIT */
/* Living objects, in a table of sets of a few places each: no allocation, and an object is searched for in one set
 * only. */
#include "base/base.h"

#if defined(WEND_DEBUG) && defined(__GNUC__)

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SETS = 4096, PLACES = 8 };

typedef struct life {
    const void *object; ///< NULL: a free place
    const char *kind;   ///< "the map" and the like
    bool alive;
    uint32_t depth; ///< calls of `thread`, one inside another
    pthread_t thread;
    const char *function; ///< the outermost call
} life;

/* A set that was once full of living objects has lost some of them: it reports no mistakes. */
typedef struct set {
    life lives[PLACES];
    bool overflowed;
} set;

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the table */
static set table[SETS];

static set *set_of(const void *object) {
    return &table[((uint64_t)(uintptr_t)object >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 52];
}

static life *find(set *where, const void *object) {
    for (int i = 0; i < PLACES; i++)
        if (where->lives[i].object == object) return &where->lives[i];
    return NULL;
}

static life *find_room(set *where, const void *object) {
    life *place = find(where, object);
    if (!place) place = find(where, NULL);
    for (int i = 0; i < PLACES && !place; i++)
        if (!where->lives[i].alive) place = &where->lives[i];
    return place;
}

static void complain(const char *function, const char *kind, const char *what) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s(): %s %s", function, kind, what);
    wend__assert_failed(sentence, "", 0);
}

void wend__life_begin(const void *object, const char *kind) {
    pthread_mutex_lock(&table_mutex);
    set *where = set_of(object);
    life *place = find_room(where, object);
    if (place)
        *place = (life){.object = object, .kind = kind, .alive = true};
    else
        where->overflowed = true;
    pthread_mutex_unlock(&table_mutex);
}

/* Returns the kind of a living object; `wanted` where a set has lost it; NULL: no object. Requires the mutex. */
static const char *kind_of(const void *object, const char *wanted) {
    set *where = set_of(object);
    const life *place = find(where, object);
    if (place) return place->alive ? place->kind : NULL;
    return where->overflowed ? wanted : NULL;
}

void wend__life_check(const void *object, const char *kind, const char *function) {
    if (!object) {
        complain(function, kind, "is NULL");
        return;
    }
    pthread_mutex_lock(&table_mutex);
    const char *is = kind_of(object, kind);
    pthread_mutex_unlock(&table_mutex);
    char what[128];
    snprintf(what, sizeof what, "is an object of another kind: %s", is ? is : "");
    if (!is)
        complain(function, kind, "is destroyed already, or never was one");
    else if (strcmp(is, kind) != 0)
        complain(function, kind, what);
}

void wend__life_end(const void *object, const char *kind, const char *function) {
    wend__life_check(object, kind, function);
    pthread_mutex_lock(&table_mutex);
    life *place = find_room(set_of(object), object);
    if (place) *place = (life){.object = object, .kind = kind};
    pthread_mutex_unlock(&table_mutex);
}

void wend__life_forget(const void *first, size_t bytes) {
    pthread_mutex_lock(&table_mutex);
    for (int i = 0; i < SETS * PLACES; i++) {
        set *where = &table[i / PLACES];
        life *place = &where->lives[i % PLACES];
        if ((uintptr_t)place->object - (uintptr_t)first >= bytes) continue;
        *place = (life){0};
        where->overflowed = true;
    }
    pthread_mutex_unlock(&table_mutex);
}

wend__guard wend__guard_enter(const void *object, const char *kind, const char *function) {
    const char *other = NULL;
    wend__life_check(object, kind, function);
    pthread_mutex_lock(&table_mutex);
    life *place = find(set_of(object), object);
    if (place && place->depth > 0 && !pthread_equal(place->thread, pthread_self())) other = place->function;
    if (place && !other) {
        if (place->depth++ == 0) place->thread = pthread_self(), place->function = function;
    }
    pthread_mutex_unlock(&table_mutex);
    char what[192];
    if (other) {
        snprintf(what, sizeof what, "is in %s() on another thread: one thread at a time may call it", other);
        complain(function, kind, what);
    }
    return (wend__guard){place ? object : NULL};
}

void wend__guard_leave(wend__guard *guard) {
    if (!guard->object) return;
    pthread_mutex_lock(&table_mutex);
    life *place = find(set_of(guard->object), guard->object);
    if (place && place->depth > 0) place->depth--;
    pthread_mutex_unlock(&table_mutex);
}

#endif
