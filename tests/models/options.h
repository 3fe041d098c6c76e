/* SPDX-License-Identifier: MIT */
/* Fields that few hosts set, in one line of a test: options_of(&request)->engine = WEND_ENGINE_ASTAR. The struct behind
 * a request, a budget or a definition of a crowd belongs to it alone: a copy gets one of its own. */
#ifndef WEND_TESTS_MODELS_OPTIONS_H
#define WEND_TESTS_MODELS_OPTIONS_H

#include <stdatomic.h>
#include <stdint.h>

#include <wend/crowd_tuning.h>
#include <wend/search_options.h>
#include <wend/service_tuning.h>

/* Number of inner structs that a test file keeps at a time; a file that needs more sets it. */
#ifndef MORE_SLOTS
#define MORE_SLOTS 16384
#endif

/// read(const outer *) returns a copy of the struct behind, or defaults; of(outer *) the struct that belongs to it.
#define BEHIND(read, of, outer, member, type)                                                                          \
    static inline type read(const outer *from) {                                                                       \
        type own;                                                                                                      \
        type##_init(&own, sizeof own);                                                                                 \
        return from->member ? *from->member : own;                                                                     \
    }                                                                                                                  \
    static inline type *of(outer *from) {                                                                              \
        static struct {                                                                                                \
            type own;                                                                                                  \
            const outer *owner;                                                                                        \
        } slots[MORE_SLOTS];                                                                                           \
        static atomic_uint taken;                                                                                      \
        size_t i =                                                                                                     \
            (size_t)((uintptr_t)from->member - (uintptr_t)slots) / sizeof slots[0]; /* a number, if elsewhere */       \
        if (i < MORE_SLOTS && slots[i].owner == from) return &slots[i].own;                                            \
        const type own = read(from);                                                                                   \
        i = atomic_fetch_add(&taken, 1) % MORE_SLOTS;                                                                  \
        slots[i].own = own;                                                                                            \
        slots[i].owner = from;                                                                                         \
        from->member = &slots[i].own;                                                                                  \
        return &slots[i].own;                                                                                          \
    }
BEHIND(read_options, options_of, wend_request, options, wend_search_options)
BEHIND(read_limits, limits_of, wend_budget, limits, wend_frame_limits)
BEHIND(read_tuning, tuning_of, wend_crowd_def, tuning, wend_crowd_tuning)
#undef BEHIND

#endif
