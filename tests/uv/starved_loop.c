/* SPDX-License-Identifier: MIT */
/* The libuv adapter where memory or descriptors run out while it is attached: it returns an error, nothing is left, and
 * the service can be attached afterwards. A plain program, as it defines malloc(). */
#define _GNU_SOURCE
#include "models/defaults.h"
#include "models/starving.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wend/uv.h>

#if !STARVING
int main(void) {
    return 77;
}
#else

static int bad;

static void complain(const char *what, size_t at) {
    printf("allocation or descriptor %zu: %s\n", at, what);
    bad++;
}

static void note_closed(void *context) {
    ++*(int *)context;
}

/* From now on `left` more descriptors can be opened; -1: as many as at the beginning. */
static void limit_descriptors(int left) {
    static struct rlimit before;
    const int next = dup(STDOUT_FILENO);
    close(next);
    if (before.rlim_cur == 0) getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit limit = before;
    if (left >= 0) limit.rlim_cur = (rlim_t)(next + left);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void detach(uv_loop_t *loop, wend_uv *adapter) {
    int closed = 0;
    wend_uv_detach(adapter, note_closed, &closed);
    uv_run(loop, UV_RUN_DEFAULT);
    if (closed != 1) complain("it was not closed once", 0);
}

/* Attaches where allocation `at` fails, or where `left` descriptors are left. Returns libuv's error. */
static int attach_starved(wend_service *service, size_t at, int left, size_t *calls) {
    uv_loop_t loop;
    wend_uv_def def;
    wend_uv *adapter = NULL;
    const size_t live = starving_live;
    wend_uv_def_init(&def, sizeof def);
    if (uv_loop_init(&loop) != 0) exit(99);
    /* libuv ends the program where its own table of descriptors cannot grow; it has grown then. */
    if (at > 0 && wend_uv_attach(&loop, service, &def, &adapter) == 0) detach(&loop, adapter);
    adapter = NULL;
    limit_descriptors(left);
    starving_begin(at, false);
    const int error = wend_uv_attach(&loop, service, &def, &adapter);
    *calls = starving_end();
    limit_descriptors(-1);
    if ((error == 0) != (adapter != NULL)) complain("an error with an adapter, or neither", at);
    if (error == 0) detach(&loop, adapter);
    uv_run(&loop, UV_RUN_DEFAULT); /* closes all opened handles */
    if (error && wend_uv_attach(&loop, service, &def, &adapter) == 0)
        detach(&loop, adapter);
    else if (error)
        complain("it cannot be attached any more", at);
    if (uv_loop_close(&loop) != 0) complain("a handle is left", at);
    if (starving_live != live) complain("blocks are left", at);
    return error;
}

int main(void) {
    wend_service_def def = default_service();
    wend_service *service;
    size_t calls = 1, refused = 0;
    if (wend_service_create(&def, &service) != WEND_OK) return 99;
    (void)attach_starved(service, 0, -1, &calls);
    for (size_t at = 1; calls + 1 >= at && at < 100; at++) {
        const int error = attach_starved(service, at, -1, &calls);
        if (error && error != WEND_OUT_OF_MEMORY) complain(wend_error_name(error), at);
        refused += error != 0;
    }
    for (int left = 0; left < 4; left++) {
        const int error = attach_starved(service, 0, left, &calls);
        if (error && error != WEND_OUT_OF_MEMORY) complain(wend_error_name(error), (size_t)left);
        refused += error != 0;
        if (left == 0 && !error) complain("it needs no descriptor", 0);
    }
    wend_service_destroy(service);
    printf("%zu refusals, %d wrong answers\n", refused, bad);
    return bad > 0 || refused < 2;
}
#endif
