/* SPDX-License-Identifier: MIT */
/* Finds the written pages of a piece of address space, with the system's help. */
#define _GNU_SOURCE
#include "base/system/pages.h"

#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#elif defined(__wasm__)
#include <stdlib.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

/* ---- address space ---- */

uint8_t *wend__space_reserve(size_t bytes) {
#if defined(_WIN32)
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#elif defined(__wasm__)
    uint8_t *first =
        aligned_alloc(WEND__PAGE_BYTES, (bytes + WEND__PAGE_BYTES - 1) / WEND__PAGE_BYTES * WEND__PAGE_BYTES);
    return first ? memset(first, 0, bytes) : NULL;
#else
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    uint8_t *first = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return first == MAP_FAILED ? NULL : first;
#endif
}

void wend__space_release(uint8_t *first, size_t bytes) {
    if (!first) return;
#if defined(_WIN32)
    (void)bytes;
    VirtualFree(first, 0, MEM_RELEASE);
#elif defined(__wasm__)
    (void)bytes;
    free(first);
#else
    munmap(first, bytes);
#endif
}

static void unwatch(wend__pages *pages) {
#if defined(__linux__)
    if (pages->faults >= 0) close(pages->faults);
    if (pages->scans >= 0) close(pages->scans);
#endif
    pages->faults = pages->scans = -1;
}

static size_t rounded_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

bool wend__pages_open(wend__pages *pages, size_t bytes) {
    enum { LARGEST = 1 << 16 }; /* the system's own page */
    const size_t rounded = rounded_up(bytes, LARGEST);
    *pages = (wend__pages){.bytes = rounded, .first = wend__space_reserve(rounded), .faults = -1, .scans = -1};
    pages->copy = pages->first ? wend__space_reserve(rounded) : NULL;
    if (!pages->copy) wend__pages_close(pages);
    return pages->first;
}

void wend__pages_close(wend__pages *pages) {
    unwatch(pages);
    wend__space_release(pages->first, pages->bytes);
    wend__space_release(pages->copy, pages->bytes);
    *pages = (wend__pages){.faults = -1, .scans = -1};
}

/* ---- written pages ---- */

static bool is_zero(const uint8_t *page) {
    return page[0] == 0 && memcmp(page, page + 1, WEND__PAGE_BYTES - 1) == 0;
}

/* The copy is all zero before. */
static void copy_whole(const wend__pages *pages, wend__page_range range, uint8_t *copy) {
    for (size_t at = range.from * WEND__PAGE_BYTES; at < range.to * WEND__PAGE_BYTES; at += WEND__PAGE_BYTES)
        if (!is_zero(pages->first + at)) memcpy(copy + at, pages->first + at, WEND__PAGE_BYTES);
}

#if defined(__linux__) && defined(UFFDIO_REGISTER_MODE_WP) && defined(SYS_userfaultfd) && defined(MFD_CLOEXEC) &&      \
    defined(MREMAP_FIXED)

/* Headers older than the calls lack these. */
enum {
    USER_MODE_ONLY = 1,
    WP_ASYNC = 1 << 15,
    IS_WRITTEN = 2,
    IS_PRESENT = 8,
    IS_SWAPPED = 16,
    PROTECTS = 1,
    CHECKS = 2,
    POPULATE_READ = 22
};

/// A range that PAGEMAP_SCAN lists.
typedef struct found {
    uint64_t start, end, categories;
} found;

/// The argument of that call.
typedef struct scan {
    uint64_t size, flags, start, end, walk_end, found, found_count, most_pages;
    uint64_t inverted, mask, any_of, returned;
} scan;

#define SCAN _IOWR('f', 16, scan)

/* Lists ranges of pages of some categories. Pages without contents are in none.
 * @return how many, WEND__PAGE_RANGES at most; below 0: failed */
static int scan_some(const wend__pages *pages, wend__page_range within, uint64_t any_of, uint64_t flags, found *out) {
    const size_t unit = (size_t)sysconf(_SC_PAGESIZE);
    scan all = {.size = sizeof all,
                .flags = flags,
                .start = (uintptr_t)pages->first + within.from * WEND__PAGE_BYTES,
                .end = (uintptr_t)pages->first + rounded_up(within.to * WEND__PAGE_BYTES, unit),
                .found = (uintptr_t)out,
                .found_count = WEND__PAGE_RANGES,
                .any_of = any_of, /* a mask would include pages without contents */
                .returned = any_of};
    return ioctl(pages->scans, SCAN, &all);
}

static wend__page_range range_of(const wend__pages *pages, const found *range) {
    return (wend__page_range){(size_t)(range->start - (uintptr_t)pages->first) / WEND__PAGE_BYTES,
                              (size_t)(range->end - (uintptr_t)pages->first) / WEND__PAGE_BYTES};
}

/* Pages that were never written take no memory in the copy, either. */
static void copy_used(const wend__pages *pages, size_t used, uint8_t *copy) {
    found ranges[WEND__PAGE_RANGES];
    wend__page_range rest = {0, rounded_up(used, WEND__PAGE_BYTES) / WEND__PAGE_BYTES};
    int count = WEND__PAGE_RANGES;
    while (count == WEND__PAGE_RANGES && rest.from < rest.to) {
        count = pages->scans >= 0 ? scan_some(pages, rest, IS_PRESENT | IS_SWAPPED, 0, ranges) : -1;
        for (int i = 0; i < count; i++) {
            const wend__page_range range = range_of(pages, &ranges[i]);
            memcpy(copy + range.from * WEND__PAGE_BYTES, pages->first + range.from * WEND__PAGE_BYTES,
                   (range.to - range.from) * WEND__PAGE_BYTES);
            rest.from = range.to;
        }
        if (count < 0) copy_whole(pages, rest, copy);
    }
}

/* A limit of file sizes is for files in memory, too: a process that exceeds it is ended by a signal. */
static bool may_have_file(size_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) != 0 || bytes <= most.rlim_cur;
}

/* The copy is a file in memory, and the pages are private pages of that file, so that the system copies those that are
 * written. They are mapped when the file is filled: in a process that locks its memory (MCL_FUTURE) the system copies
 * all of them at once. @return false: nothing has changed */
static bool share(wend__pages *pages, size_t used) {
    const int both = PROT_READ | PROT_WRITE;
    const size_t bytes = rounded_up(used, (size_t)sysconf(_SC_PAGESIZE));
    const int file = memfd_create("wend", MFD_CLOEXEC);
    uint8_t *copy = MAP_FAILED, *own = MAP_FAILED;
    if (file < 0 || bytes > pages->bytes || !may_have_file(bytes) || ftruncate(file, (off_t)bytes)) goto fail;
    copy = mmap(NULL, bytes, both, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (copy == MAP_FAILED) goto fail;
    copy_used(pages, used, copy);
    own = mmap(NULL, bytes, both, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (own == MAP_FAILED) goto fail;
    if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages->copy) != pages->copy) goto fail;
    if (mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages->first) == pages->first)
        pages->shared = bytes;
    else
        munmap(own, bytes);
    close(file);
    return true;
fail:
    if (copy != MAP_FAILED) munmap(copy, bytes);
    if (own != MAP_FAILED) munmap(own, bytes);
    if (file >= 0) close(file);
    return false;
}

static bool begin(wend__pages *pages) {
    struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC};
    struct uffdio_register all = {.range = {(uintptr_t)pages->first, pages->bytes}, .mode = UFFDIO_REGISTER_MODE_WP};
    pages->faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    return pages->faults >= 0 && !ioctl(pages->faults, UFFDIO_API, &api) &&
           !ioctl(pages->faults, UFFDIO_REGISTER, &all);
}

/* A system that cannot list pages watches none. */
void wend__pages_watch(wend__pages *pages, size_t used) {
    found ranges[WEND__PAGE_RANGES];
    pages->scans = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (!share(pages, used)) copy_used(pages, used, pages->copy);
    if (pages->scans < 0 || !begin(pages) || scan_some(pages, (wend__page_range){0, 1}, IS_WRITTEN, 0, ranges) < 0)
        unwatch(pages);
}

/* Should that fail, each page has its fault. */
void wend__pages_unprotect(wend__pages *pages, wend__page_range range) {
    struct uffdio_writeprotect all = {
        .range = {(uintptr_t)pages->first + range.from * WEND__PAGE_BYTES, (range.to - range.from) * WEND__PAGE_BYTES}};
    if (wend__pages_are_watched(pages)) (void)ioctl(pages->faults, UFFDIO_WRITEPROTECT, &all);
}

size_t wend__pages_written(wend__pages *pages, wend__page_range within, bool protect,
                           wend__page_range out[WEND__PAGE_RANGES]) {
    found ranges[WEND__PAGE_RANGES];
    if (within.from >= within.to) return 0;
    const int count = wend__pages_are_watched(pages)
                          ? scan_some(pages, within, IS_WRITTEN, protect ? PROTECTS | CHECKS : 0, ranges)
                          : -1;
    if (count < 0) {
        out[0] = within;
        return 1;
    }
    for (int i = 0; i < count; i++) out[i] = range_of(pages, &ranges[i]);
    return (size_t)count;
}

#else

void wend__pages_watch(wend__pages *pages, size_t used) {
    copy_whole(pages, (wend__page_range){0, rounded_up(used, WEND__PAGE_BYTES) / WEND__PAGE_BYTES}, pages->copy);
}

void wend__pages_unprotect(wend__pages *pages, wend__page_range range) {
    (void)pages, (void)range;
}

size_t wend__pages_written(wend__pages *pages, wend__page_range within, bool protect,
                           wend__page_range out[WEND__PAGE_RANGES]) {
    (void)pages, (void)protect;
    if (within.from >= within.to) return 0;
    out[0] = within;
    return 1;
}

#endif
