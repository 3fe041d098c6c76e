/* SPDX-License-Identifier: MIT */
/* Internal: in debug builds (--enable-debug), the living objects, and the thread in a call on each. Mistakes of the
 * host that would crash, or worse, end in an assertion with a sentence. Other builds have none of this. */
#ifndef WEND_SRC_BASE_LIFE_H
#define WEND_SRC_BASE_LIFE_H

#if defined(WEND_DEBUG) && defined(__GNUC__)

/// Records a new object, and its end. An end asserts that the object is alive. `kind` is "the map" and the like.
void wend__life_begin(const void *object, const char *kind);
void wend__life_end(const void *object, const char *kind, const char *function);

/// Handles that memory went back to an earlier state: it is unknown then which objects in it are alive.
void wend__life_forget(const void *first, size_t bytes);

/// Asserts that an object is alive, and of that kind.
void wend__life_check(const void *object, const char *kind, const char *function);

/// Records a call that one thread at a time may make on an object. Entering asserts that no other thread is in one.
typedef struct wend__guard {
    const void *object;
} wend__guard;
wend__guard wend__guard_enter(const void *object, const char *kind, const char *function);
void wend__guard_leave(wend__guard *guard);

#define WEND__REBORN(first, bytes) wend__life_forget(first, bytes)
#define WEND__BORN(object, kind) wend__life_begin(object, kind)
#define WEND__GONE(object, kind) wend__life_end(object, kind, __func__)
#define WEND__ALIVE(object, kind) wend__life_check(object, kind, __func__)
/// The same in a function that a public one calls. @param function   its name
#define WEND__ALIVE_IN(function, object, kind) wend__life_check(object, kind, function)
/// Holds until the end of the block. At most one in a block.
#define WEND__ALONE(object, kind)                                                                                      \
    wend__guard guard __attribute__((cleanup(wend__guard_leave), unused)) = wend__guard_enter(object, kind, __func__)

#else

#define WEND__REBORN(first, bytes) ((void)0)
#define WEND__BORN(object, kind) ((void)0)
#define WEND__GONE(object, kind) ((void)0)
#define WEND__ALIVE(object, kind) ((void)0)
#define WEND__ALIVE_IN(function, object, kind) ((void)0)
#define WEND__ALONE(object, kind) ((void)0)

#endif
#endif
