/* SPDX-License-Identifier: MIT */
/* Writes a film as one SVG without script: the map, ground that changes, goals, and agents that glide (SMIL). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text/svg.h"
#include "film/film.h"

/* A frame takes a twentieth of a second; at the end the picture stands still for a second. */
enum { FRAME_MS = 50, PAUSE_FRAMES = 20 };

typedef struct writer {
    FILE *out;
    wend__svg_film film; ///< the whole film
    bool hexagons;       ///< see film
} writer;

static void put_place(const writer *w, film_point point) {
    const int64_t x = point.x, y = point.y;
    fprintf(w->out, "%s %s", WEND__DECIMAL(w->hexagons ? 2 * x + y + 1500 : x + 500),
            WEND__DECIMAL(w->hexagons ? 2 * y + 1500 : y + 500));
}

/* ---- ground ---- */

static const char *colour_of(uint8_t ground) {
    if (ground == WEND_CLASS_BLOCKED) return "#343c48";
    return ground == WEND_CLASS_OPEN ? "#faf8f2" : "#d9c9a3";
}

static void put_hexagons(const writer *w, const film_change *c) {
    fputs("<path d=\"", w->out);
    for (int32_t y = c->y; y < c->y + c->height; y++)
        for (int32_t x = c->x; x < c->x + c->width; x++)
            fprintf(w->out, WEND__SVG_HEXAGON, (int)(2 * x + y + 1), (int)(2 * y));
}

static void put_changes(const writer *w, const film *f) {
    fputs("<g shape-rendering=\"crispEdges\">\n", w->out);
    for (uint32_t i = 0; i < f->change_count; i++) {
        const film_change *c = &f->changes[i];
        if (w->hexagons)
            put_hexagons(w, c);
        else
            fprintf(w->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d", (int)c->x, (int)c->y, (int)c->width,
                    (int)c->height);
        fprintf(w->out, "\" fill=\"%s\">", colour_of(c->ground));
        wend__svg_show(&w->film, c->frame, UINT32_MAX);
        fputs(w->hexagons ? "</path>\n" : "</rect>\n", w->out);
    }
    fputs("</g>\n", w->out);
}

/* ---- goals ---- */

/* A missing goal is moved out of sight. */
static void put_goal(const writer *w, film_point point) {
    if (point.x == INT32_MIN)
        fputs("-9 -9", w->out);
    else
        put_place(w, point);
}

/* Returns the golden angle between neighbours' hues. */
static unsigned hue_of(uint32_t track) {
    return (unsigned)((uint64_t)track * 222492 / 1000 % 360);
}

static void put_goals(const writer *w, const film *f, uint32_t index) {
    const film_track *track = &f->tracks[index];
    const film_line *goals = &track->goals;
    if (goals->count == 0) return;
    fprintf(w->out, "<path d=\"M-.3-.3h.6v.6h-.6z\" stroke=\"hsl(%u,70%%,38%%)\">", hue_of(index));
    fputs("<animateTransform attributeName=\"transform\" type=\"translate\" calcMode=\"discrete\" values=\"-9 -9",
          w->out);
    for (uint32_t i = 0; i < goals->count; i++) fputc(';', w->out), put_goal(w, goals->points[i]);
    if (track->end_frame < w->film.frames) fputs(";-9 -9", w->out);
    fputs("\" keyTimes=\"0", w->out);
    for (uint32_t i = 0; i < goals->count; i++) fputc(';', w->out), wend__svg_moment(&w->film, goals->points[i].frame);
    if (track->end_frame < w->film.frames) fputc(';', w->out), wend__svg_moment(&w->film, track->end_frame);
    wend__svg_animated(&w->film);
    fputs("</path>\n", w->out);
}

/* ---- agents ---- */

/* The way, and its ends as the whole film has them: key times go from 0 to 1. */
static void put_way(const writer *w, const film_track *track) {
    const film_line *way = &track->way;
    const film_point last = track->pending ? track->last : way->points[way->count - 1];
    const bool late = way->points[0].frame > 0;
    fputs("<animateTransform attributeName=\"transform\" type=\"translate\" values=\"", w->out);
    if (late) put_place(w, way->points[0]), fputc(';', w->out);
    for (uint32_t i = 0; i < way->count; i++) put_place(w, way->points[i]), fputc(';', w->out);
    if (track->pending) put_place(w, last), fputc(';', w->out);
    put_place(w, last);
    fputs("\" keyTimes=\"", w->out);
    if (late) fputs("0;", w->out);
    for (uint32_t i = 0; i < way->count; i++) wend__svg_moment(&w->film, way->points[i].frame), fputc(';', w->out);
    if (track->pending) wend__svg_moment(&w->film, last.frame), fputc(';', w->out);
    fputc('1', w->out);
    wend__svg_animated(&w->film);
}

/* ---- bodies ---- */

/* Returns the direction of the way's next stretch longer than a fiftieth of a cell, in degrees near `before`. */
static int heading_at(const film_track *track, size_t i, int before) {
    const film_line *way = &track->way;
    const film_point *next = i + 1 < way->count ? &way->points[i + 1] : &track->last;
    if (i + 1 == way->count && !track->pending) return before;
    const double x = next->x - way->points[i].x, y = next->y - way->points[i].y;
    if (x * x + y * y < 400) return before;
    int degrees = (int)lround(atan2(y, x) * 180 / 3.14159265358979);
    while (degrees - before > 180) degrees -= 360;
    while (degrees - before < -180) degrees += 360;
    return degrees;
}

/* Draws a line from the middle to the rim, in the direction of the body. */
static void put_heading(const writer *w, const film_track *track) {
    const film_line *way = &track->way;
    int heading = heading_at(track, 0, 0), last = heading;
    fprintf(w->out, "<path d=\"M0 0H%s\"><animateTransform attributeName=\"transform\" type=\"rotate\" values=\"%d",
            WEND__DECIMAL(track->radius), heading);
    for (size_t i = 0; i < way->count; i++) {
        const int at = heading_at(track, i, heading);
        heading = at;
        fprintf(w->out, ";%d", at);
        last = at;
    }
    fprintf(w->out, ";%d\" keyTimes=\"0", last);
    for (size_t i = 0; i < way->count; i++) fputc(';', w->out), wend__svg_moment(&w->film, way->points[i].frame);
    fputs(";1", w->out);
    wend__svg_animated(&w->film);
    fputs("</path>", w->out);
}

/* Draws the way of a body, as a faint line, to hundredths. */
static void put_trail(const writer *w, const film *f, uint32_t index) {
    const film_track *track = &f->tracks[index];
    const film_line *way = &track->way;
    if (track->radius == 0 || way->count == 0) return;
    fprintf(w->out, "<path d=\"M");
    for (size_t i = 0; i < way->count; i++) {
        const int64_t x = way->points[i].x + 505, y = way->points[i].y + 505;
        fprintf(w->out, "%s%s %s", i > 0 ? " " : "", WEND__DECIMAL(x / 10 * 10), WEND__DECIMAL(y / 10 * 10));
    }
    if (track->pending) fputc(' ', w->out), put_place(w, track->last);
    fprintf(w->out, "\" stroke=\"hsl(%u,70%%,50%%)\"/>\n", hue_of(index));
}

/* Draws a disc of its size. */
static void put_body(const writer *w, const film *f, uint32_t index) {
    const film_track *track = &f->tracks[index];
    fprintf(w->out, "<g fill=\"hsl(%u,70%%,50%%)\"><circle r=\"%s\"/>", hue_of(index), WEND__DECIMAL(track->radius));
    put_heading(w, track);
    wend__svg_show(&w->film, track->first_frame, track->end_frame);
    put_way(w, track);
    fputs("</g>\n", w->out);
}

/* Draws a large agent over all the cells that it covers. */
static void put_agent(const writer *w, const film *f, uint32_t index) {
    const film_track *track = &f->tracks[index];
    if (track->way.count == 0) return;
    if (track->radius > 0) {
        put_body(w, f, index);
        return;
    }
    const char *middle = WEND__DECIMAL((track->size - 1) * 500);
    fprintf(w->out, "<circle r=\"%s", WEND__DECIMAL(track->size * 400));
    if (track->size > 1) fprintf(w->out, "\" cx=\"%s\" cy=\"%s", middle, middle);
    fprintf(w->out, "\" fill=\"hsl(%u,70%%,50%%)\"%s>", hue_of(index), track->ghost ? " fill-opacity=\".45\"" : "");
    wend__svg_show(&w->film, track->first_frame, track->end_frame);
    put_way(w, track);
    fputs("</circle>\n", w->out);
}

wend_error film_write(film *f) {
    FILE *out = f->out.stream;
    const writer w = {out, {out, f->frames + PAUSE_FRAMES, FRAME_MS}, f->hexagons};
    fwrite(f->base, 1, f->base_bytes, out);
    put_changes(&w, f);
    fputs("<g fill=\"none\" stroke-width=\".06\" stroke-opacity=\".35\">\n", out);
    for (uint32_t i = 0; i < f->track_count; i++) put_trail(&w, f, i);
    fputs("</g>\n<g fill=\"none\" stroke-width=\".12\">\n", out);
    for (uint32_t i = 0; i < f->track_count; i++) put_goals(&w, f, i);
    fputs("</g>\n<g stroke=\"#222\" stroke-width=\".07\">\n", out);
    for (uint32_t i = 0; i < f->track_count; i++) put_agent(&w, f, i);
    fputs("</g>\n</svg>\n", out);
    return ferror(out) ? WEND_IO : WEND_OK;
}
