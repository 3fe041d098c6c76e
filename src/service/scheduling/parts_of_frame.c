/* SPDX-License-Identifier: MIT */
/* Divides the expansions of a frame: a lane's slice of a round, and the quantum after which a search may go behind its
 * peers. Both follow from the host's budget and from counts alone. So they are the same for any number of workers, and
 * a frame of as many rounds repeats a timed one. */
#include "service/scheduling/scheduling.h"

#include "service/state/service_state.h"
#include "service/store/lines.h"

enum {
    ROUNDS = 16,          /* least rounds of a frame with a large budget */
    LONGER = 8,           /* most factor by which its slices exceed the tuning's */
    QUANTA = 4,           /* quanta in a lane's share of a frame */
    SHORT = 128,          /* expansions of a short search, if a lane's share of a frame has room for two of them */
    LEAST_QUANTUM = 16,   /* a search with fewer expansions is short in any frame */
    MOST_QUANTUM = 32768, /* a search with more expansions is never short */
    LEAST_SLICE = 32,     /* below, dividing takes longer than searching */
    CLOSER = 2,           /* divisor: the part of a frame's expected expansions that a timed round spends at most */
    REMEMBERED = 8        /* divisor: the weight of a busy frame in the average */
};

/* Returns whether the host limits the frame by something else than expansions, which then have to be estimated. */
static bool is_open_ended(const wend__budget *budget) {
    return budget->us != WEND_NO_LIMIT || budget->rounds != WEND_NO_LIMIT;
}

/* Returns the expected expansions of a frame with enough work; WEND_NO_LIMIT: unknown. */
static uint64_t expected_of(const wend_service *service, const wend__budget *budget) {
    const uint64_t usual = service->usual_spent > 0 ? service->usual_spent : WEND_NO_LIMIT;
    return is_open_ended(budget) && usual < budget->expansions ? usual : budget->expansions;
}

static uint64_t clamped(uint64_t value, uint64_t least, uint64_t most) {
    return value < least ? least : value > most ? most : value;
}

/* A search gets a quantum before all requests that come later. So quanta are a small part of the frame: with a few long
 * searches in front of it, a short one is answered in the frame in which it comes. */
static uint64_t quantum_of(const wend_service *service, uint64_t expected) {
    if (service->tuning.quantum > 0) return service->tuning.quantum;
    const uint64_t share = expected / service->tuning.lanes;
    return clamped(share / QUANTA, clamped(share / 2, LEAST_QUANTUM, SHORT), MOST_QUANTUM);
}

/* Long slices make few rounds, so that threads seldom wait for one another. If time or rounds limit the frame, slices
 * stay short, so that the frame ends in time. */
static uint64_t slice_of(const wend_service *service, const wend__budget *budget) {
    const uint64_t slice = service->tuning.slice, part = budget->expansions / service->tuning.lanes / ROUNDS;
    if (is_open_ended(budget) || part <= slice) return slice;
    return part / LONGER < slice ? part : slice * LONGER;
}

void wend__parts_begin(wend_service *service, const wend__budget *budget) {
    service->slice = slice_of(service, budget);
    service->quantum = quantum_of(service, expected_of(service, budget));
    if (service->tuning.quantum > 0) return;
    if (service->slice > service->quantum) service->slice = service->quantum;
}

/* The nearer a timed frame comes to what it usually spends, the shorter are its rounds, so that the last one ends close
 * to the end of its time. */
void wend__parts_next_round(wend_service *service, const wend__budget *budget, uint64_t spent) {
    service->last_slice = service->slice;
    if (service->tuning.quantum > 0 || service->usual_spent == 0 || !is_open_ended(budget)) return;
    const uint64_t left = service->usual_spent > spent ? service->usual_spent - spent : 0;
    const uint64_t most = service->tuning.slice < service->quantum ? service->tuning.slice : service->quantum;
    const uint64_t least = most < LEAST_SLICE ? most : LEAST_SLICE;
    service->slice = clamped(left / service->tuning.lanes / CLOSER, least, most);
}

/* A frame that leaves work shows the most that a frame can spend; others show only a lower bound. */
void wend__parts_end(wend_service *service, uint64_t spent) {
    const uint64_t usual = service->usual_spent;
    const bool busy = wend__lines_first(&service->lines) != WEND__NONE;
    if (usual == 0 || (busy && spent > 0))
        service->usual_spent = usual == 0 ? spent : usual - usual / REMEMBERED + spent / REMEMBERED;
    else if (spent > usual)
        service->usual_spent = spent;
}
