/* SPDX-License-Identifier: MIT */
/* Internal: in debug builds (--enable-debug), fixed memory faults that can be put back, so that a test can
 * show that it finds them: WEND_FAULT=NAME in the environment. Other builds have none of this. */
#ifndef WEND_SRC_BASE_FAULT_H
#define WEND_SRC_BASE_FAULT_H

/* layers-after-version    a search keeps its layers when its version is released
 * goals-of-ended-request  a request that ends without a search reads goals that were not copied for it
 * far-job-version         the repair of a far layer holds another version than its job reads
 * journal-under-writer    the server closes its journal while the thread that syncs it runs */

#ifdef WEND_DEBUG

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Returns whether WEND_FAULT has this name. Each file reads it once; simultaneous reads give the same answer.
static inline bool wend__fault_is(const char *name) {
    static _Atomic(const char *) chosen;
    const char *fault = chosen;
    if (!fault) {
        fault = getenv("WEND_FAULT");
        chosen = fault = fault ? fault : "";
    }
    return strcmp(fault, name) == 0;
}
#define WEND__FAULT(name) wend__fault_is(name)

#else

#define WEND__FAULT(name) false

#endif
#endif
