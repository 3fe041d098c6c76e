/* SPDX-License-Identifier: MIT */
/* The longest that an urgent request may take: its own expansions, and those of the urgent ones beside it, at the share
   of the budget that the fair lane leaves. */
#ifndef WEND_SRC_CLI_LOAD_URGENT_BOUND_H
#define WEND_SRC_CLI_LOAD_URGENT_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct urgent_record {
    uint64_t number, asked, ended; ///< frames
    uint64_t spent;
    uint64_t wait; ///< frames until its search began
} urgent_record;

/// Requests are judged when none is pending: then it is known what each of them took.
typedef struct urgent_bound {
    urgent_record *list;
    size_t count, capacity;
    size_t judged;    ///< records before it are judged
    uint64_t pending; ///< urgent requests that have not ended
} urgent_bound;

void urgent_bound_accept(urgent_bound *bound);
/// @return false where memory ran out
bool urgent_bound_end(urgent_bound *bound, const urgent_record *ended);
/// Take a request that has ended, while none is pending; *beside receives the expansions of all urgent requests that
/// were pending in one of its frames, its own with them. @return NULL where there is none: begin again
const urgent_record *urgent_bound_judge(urgent_bound *bound, uint64_t *beside);
void urgent_bound_free(urgent_bound *bound);

#endif
