/* SPDX-License-Identifier: MIT */
/* What few requests set, in one line of a test: more_of(&request)->engine = WEND_ENGINE_ASTAR. */
#ifndef WEND_TESTS_MODELS_MORE_H
#define WEND_TESTS_MODELS_MORE_H

#include <stdatomic.h>

#include <wend/request_more.h>

enum { MORE_SLOTS = 16384 }; ///< requests with a `more` that a file of tests keeps at a time

/// Returns the `more` of a request, defaults where it has none.
static inline wend_request_more read_more(const wend_request *request) {
    wend_request_more more;
    wend_request_more_init(&more, sizeof more);
    return request->more ? *request->more : more;
}

/// Returns the `more` that belongs to this request alone: a copied request gets a copy of its own.
static inline wend_request_more *more_of(wend_request *request) {
    static struct {
        wend_request_more more;
        const wend_request *owner;
    } slots[MORE_SLOTS];
    static atomic_uint taken;
    for (const wend_request_more *more = request->more; more;) {
        const size_t i = (size_t)((const char *)more - (const char *)slots) / sizeof slots[0];
        if ((const char *)more < (const char *)slots || i >= MORE_SLOTS || slots[i].owner != request) break;
        return &slots[i].more;
    }
    const size_t i = atomic_fetch_add(&taken, 1) % MORE_SLOTS;
    const wend_request_more own = read_more(request);
    slots[i].more = own;
    slots[i].owner = request;
    request->more = &slots[i].more;
    return &slots[i].more;
}

#endif
