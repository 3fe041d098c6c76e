/* SPDX-License-Identifier: MIT */
/* Locks, on pthreads. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <pthread.h>

struct wend__mutex {
    pthread_mutex_t handle;
};

size_t wend__mutex_bytes(void) {
    return sizeof(wend__mutex);
}

void wend__mutex_init(wend__mutex *mutex) {
    WEND__ASSERT(pthread_mutex_init(&mutex->handle, NULL) == 0);
}

void wend__mutex_destroy(wend__mutex *mutex) {
    pthread_mutex_destroy(&mutex->handle);
}

void wend__mutex_lock(wend__mutex *mutex) {
    pthread_mutex_lock(&mutex->handle);
}

void wend__mutex_unlock(wend__mutex *mutex) {
    pthread_mutex_unlock(&mutex->handle);
}
