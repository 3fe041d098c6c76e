/* SPDX-License-Identifier: MIT */
/* Services with threads that at times stop for a while at each slice's beginning and end. They read the clock there, as
 * their figures keep slices, and the clock takes its time. */
#define _POSIX_C_SOURCE 200809L

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <wend/figures.h>
#include <wend/wend.h>

#include "cli/shared/options.h"

wend_error __real_wend_service_create(const wend_service_def *def, wend_service **out);
wend_error __wrap_wend_service_create(const wend_service_def *def, wend_service **out);
wend_error __real_wend_service_destroy(wend_service *service);
wend_error __wrap_wend_service_destroy(wend_service *service);

static wend_figures *figures;
static wend_service *noted; ///< service of the figures

/* At random: one reading in eight waits up to 60 microseconds, and a few much longer. */
static uint64_t read_late(void *context) {
    static atomic_uint_fast64_t state = 1;
    const uint64_t drawn = atomic_fetch_add(&state, UINT64_C(0x9e3779b97f4a7c15)), mixed = drawn ^ drawn >> 29;
    struct timespec time = {0, (long)(mixed * UINT64_C(0xbf58476d1ce4e5b9) >> 40) % 60000};
    (void)context;
    if (mixed % 501 == 0) time.tv_nsec *= 10;
    if (mixed % 8 == 0) nanosleep(&time, NULL);
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

wend_error __wrap_wend_service_create(const wend_service_def *def, wend_service **out) {
    wend_service_def late = *def;
    late.clock.now_ns = read_late;
    const wend_error error = __real_wend_service_create(&late, out);
    if (error != WEND_OK || noted) return error;
    wend_figures_def kept;
    wend_figures_def_init(&kept, sizeof kept);
    kept.slices = 64;
    if (wend_figures_create(&kept, &figures) != WEND_OK || wend_service_set_figures(*out, figures) != WEND_OK) abort();
    noted = *out;
    return WEND_OK;
}

wend_error __wrap_wend_service_destroy(wend_service *service) {
    const wend_error error = __real_wend_service_destroy(service);
    if (!service || service != noted) return error;
    wend_figures_destroy(figures);
    noted = NULL;
    return error;
}

int main(int argc, char **argv) {
    return cli_stress.run(argc, argv);
}
