/* SPDX-License-Identifier: MIT */
/* Shared parts of the writers of SVG: hexagons, and shapes that a film shows for a time. */
#ifndef WEND_BASE_TEXT_SVG_H
#define WEND_BASE_TEXT_SVG_H

#include <stdbool.h>

#include "base/text/decimal.h"

/// A hexagon two units wide as data of a path, for printf(): x and y of the middle, each 0.5 and 1 less.
#define WEND__SVG_HEXAGON "M%d.5 %d.167l1 .666v1.334l-1 .666-1-.666v-1.334z"

/// A film (SMIL) that begins again at its end.
typedef struct wend__svg_film {
    FILE *out;
    uint32_t frames, frame_ms;
} wend__svg_film;

/// Writes when a frame is, as a part of the film. It begins with 0 and ends with 1.
static inline void wend__svg_moment(const wend__svg_film *film, uint32_t frame) {
    const uint64_t millionths = (uint64_t)frame * 1000000 / film->frames;
    if (millionths >= 1000000)
        fputc('1', film->out);
    else
        fprintf(film->out, frame == 0 ? "0" : ".%06" PRIu64, millionths);
}

/// Ends the moments of an animation, and its tag.
static inline void wend__svg_animated(const wend__svg_film *film) {
    fprintf(film->out, "\" dur=\"%ss\" repeatCount=\"indefinite\"/>",
            WEND__DECIMAL((int64_t)film->frames * film->frame_ms));
}

/// Makes the shape visible from one frame until before another. Writes nothing if it is always visible.
static inline void wend__svg_show(const wend__svg_film *film, uint32_t first, uint32_t end) {
    const bool late = first > 0, leaves = end < film->frames;
    if (!late && !leaves) return;
    fprintf(film->out, "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"%s%s\" keyTimes=\"0",
            late ? "hidden;visible" : "visible", leaves ? ";hidden" : "");
    if (late) fputc(';', film->out), wend__svg_moment(film, first);
    if (leaves) fputc(';', film->out), wend__svg_moment(film, end);
    wend__svg_animated(film);
}

#endif
