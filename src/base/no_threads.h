/* SPDX-License-Identifier: MIT */
/* pthreads where there is one thread: locks do nothing, and no thread starts, so a service with workers is refused. */
#ifndef WEND_SRC_BASE_NO_THREADS_H
#define WEND_SRC_BASE_NO_THREADS_H

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

#define pthread_mutex_init(mutex, attributes) (*(mutex) = 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) (*(condition) = 0)
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex))
#define pthread_cond_signal(condition) ((void)(condition))
#define pthread_cond_broadcast(condition) ((void)(condition))
#define pthread_create(thread, attributes, run, argument) ((void)(thread), (void)(run), (void)(argument), 1)
#define pthread_join(thread, result) ((void)(thread))

#endif
