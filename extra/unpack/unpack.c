/* SPDX-License-Identifier: MIT */
/* Decompresses the tiles of a layer, a window at a time: zlib, gzip, zstd. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "unpack/unpack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef WEND_HAVE_ZSTD
#include <zstd.h>
#endif

struct wend__unpacker {
    z_stream z;
    int32_t packing;
#ifdef WEND_HAVE_ZSTD
    ZSTD_DStream *zstd;
    ZSTD_inBuffer in;
#endif
};

/* ---- names ---- */

int32_t wend__packing_of(const char *name) {
    if (!name || !*name) return WEND__PACKED_NOT;
    if (strcmp(name, "zlib") == 0) return WEND__PACKED_ZLIB;
    if (strcmp(name, "gzip") == 0) return WEND__PACKED_GZIP;
#ifdef WEND_HAVE_ZSTD
    if (strcmp(name, "zstd") == 0) return WEND__PACKED_ZSTD;
#endif
    return -1;
}

const char *wend__packings(void) {
#ifdef WEND_HAVE_ZSTD
    return "zlib, gzip, zstd";
#else
    return "zlib, gzip";
#endif
}

uint64_t wend__packing_most(int32_t packing) {
    switch (packing) {
    case WEND__PACKED_NOT: return 1;
    case WEND__PACKED_ZSTD: return 1 << 15; /* a block of 4 bytes repeats one byte 128 Ki times */
    default: return 1032;
    }
}

/* ---- zlib and gzip ---- */

static bool begin_inflate(wend__unpacker *u, const unsigned char *bytes, uint32_t size) {
    enum { ZLIB = 15, GZIP = 31 };
    u->z.next_in = (unsigned char *)(uintptr_t)bytes; /* only read */
    u->z.avail_in = size;
    return inflateInit2(&u->z, u->packing == WEND__PACKED_GZIP ? GZIP : ZLIB) == Z_OK;
}

static wend__unpack_status run_inflate(wend__unpacker *u, unsigned char *window, uint32_t size, uint32_t *got) {
    int status;
    u->z.next_out = window, u->z.avail_out = size;
    do status = inflate(&u->z, Z_NO_FLUSH);
    while (status == Z_OK && u->z.avail_out && u->z.avail_in);
    *got = size - u->z.avail_out;
    if (status == Z_MEM_ERROR) return WEND__UNPACK_NO_MEMORY;
    if (status == Z_STREAM_END) return WEND__UNPACK_END;
    return status == Z_OK && u->z.avail_out == 0 ? WEND__UNPACK_MORE : WEND__UNPACK_BAD;
}

/* ---- zstd ---- */

#ifdef WEND_HAVE_ZSTD
/* A frame that names a large window takes that much memory: no larger one than the tiles need. */
static bool begin_zstd(wend__unpacker *u, const unsigned char *bytes, uint32_t size, uint64_t most) {
    enum { USUAL = 23, LARGEST = 27 };
    int32_t log = USUAL;
    while (log < LARGEST && (UINT64_C(1) << log) < most) log++;
    u->in = (ZSTD_inBuffer){bytes, size, 0};
    u->zstd = ZSTD_createDStream();
    return u->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, log));
}

static wend__unpack_status run_zstd(wend__unpacker *u, unsigned char *window, uint32_t size, uint32_t *got) {
    ZSTD_outBuffer out = {window, size, 0};
    size_t status, before;
    do {
        before = out.pos + u->in.pos;
        status = ZSTD_decompressStream(u->zstd, &out, &u->in);
    } while (!ZSTD_isError(status) && status != 0 && out.pos < size && out.pos + u->in.pos > before);
    *got = (uint32_t)out.pos;
    if (ZSTD_isError(status)) return WEND__UNPACK_BAD;
    if (status == 0) return WEND__UNPACK_END;
    return out.pos == size ? WEND__UNPACK_MORE : WEND__UNPACK_BAD;
}
#endif

/* ---- any ---- */

wend__unpacker *wend__unpacker_new(int32_t packing, const unsigned char *bytes, uint32_t size, uint64_t most) {
    wend__unpacker *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->packing = packing;
#ifdef WEND_HAVE_ZSTD
    const bool good = packing == WEND__PACKED_ZSTD ? begin_zstd(u, bytes, size, most) : begin_inflate(u, bytes, size);
#else
    (void)most;
    const bool good = begin_inflate(u, bytes, size);
#endif
    if (good) return u;
    wend__unpacker_free(u);
    return NULL;
}

void wend__unpacker_free(wend__unpacker *u) {
    if (!u) return;
    if (u->packing != WEND__PACKED_ZSTD) inflateEnd(&u->z);
#ifdef WEND_HAVE_ZSTD
    ZSTD_freeDStream(u->zstd);
#endif
    free(u);
}

wend__unpack_status wend__unpack(wend__unpacker *u, unsigned char *window, uint32_t size, uint32_t *got) {
#ifdef WEND_HAVE_ZSTD
    if (u->packing == WEND__PACKED_ZSTD) return run_zstd(u, window, size, got);
#endif
    return run_inflate(u, window, size, got);
}

size_t wend__unpacker_left(const wend__unpacker *u) {
#ifdef WEND_HAVE_ZSTD
    if (u->packing == WEND__PACKED_ZSTD) return u->in.size - u->in.pos;
#endif
    return u->z.avail_in;
}
