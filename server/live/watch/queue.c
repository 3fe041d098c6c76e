/* SPDX-License-Identifier: MIT */
/* Writes the requests in the host's service: waiting ones by urgency, and each lane's present one. */
#define _GNU_SOURCE

#include "live/watch/watch.h"

#include <wend/figures.h>

enum { MOST_LANES = 64 }; /* most lanes of a service */

static void put_signed_field(live_text *text, const char *name, int32_t number) {
    live_put_key(text, name);
    live_put_signed(text, number);
}

static void put_bands(live_text *text, const wend_queue *queue) {
    live_puts(text, ",\"bands\":[");
    for (int i = 0; i < WEND_BAND_COUNT; i++) {
        const wend_queue_band *band = &queue->bands[i];
        live_puts(text, i > 0 ? ",{\"least\":" : "{\"least\":");
        live_put_signed(text, band->least);
        put_signed_field(text, "most", band->most);
        live_put_field(text, "waiting", band->waiting);
        live_put_field(text, "running", band->running);
        live_put_field(text, "oldest", band->oldest_frames);
        live_puts(text, "}");
    }
    live_puts(text, "]");
}

static const char *engine_name(int32_t engine) {
    return engine == WEND_ENGINE_JUMP ? "jump" : "astar";
}

/* Cells of an unshown map are omitted. */
static void put_lane(const wend_live *live, live_text *text, const wend_lane_record *lane) {
    live_puts(text, "{\"lane\":");
    live_put_number(text, lane->lane);
    live_put_field(text, "number", lane->number);
    put_signed_field(text, "urgency", lane->urgency);
    live_puts(text, ",\"engine\":\"");
    live_puts(text, engine_name(lane->engine));
    live_puts(text, "\"");
    live_put_field(text, "expansions", lane->expansions);
    live_put_field(text, "submitted", lane->submitted_frame);
    live_put_field(text, "since", lane->since);
    if (lane->agent != WEND_NO_AGENT) live_put_field(text, "agent", lane->agent);
    if (lane->map == live->map) {
        live_puts(text, ",\"from\":");
        live_put_cell(text, live->kind, lane->start);
        live_puts(text, ",\"to\":");
        live_put_cell(text, live->kind, lane->goal);
    }
    live_puts(text, "}");
}

/* Writes how many answers came by the general A*, by reason, if the service has figures. */
static void put_general(live_text *text, const wend_service *service) {
    const wend_figures *figures = wend_service_get_figures(service);
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    const char *separator = "\"";
    if (!figures || wend_figures_get_stats(figures, &counts)) return;
    live_puts(text, ",\"general\":{");
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++) {
        if (counts.general_answers[i] == 0) continue;
        live_puts(text, separator);
        live_puts(text, wend_constant_name(WEND_NAME_GENERAL, i));
        live_puts(text, "\":");
        live_put_number(text, counts.general_answers[i]);
        separator = ",\"";
    }
    live_puts(text, "}");
}

void live_put_queue(const wend_live *live, live_text *text) {
    wend_queue queue = {.struct_bytes = sizeof queue};
    wend_lane_record lanes[MOST_LANES];
    size_t count = 0;
    text->used = 0;
    if (!live->service || wend_service_get_queue(live->service, &queue)) return;
    if (wend_service_get_lanes(live->service, lanes, sizeof *lanes, MOST_LANES, &count)) return;
    live_unasked_begin(text, "queue");
    live_puts(text, ",\"queue\":{\"frame\":");
    live_put_number(text, queue.frame);
    live_put_field(text, "waiting", queue.waiting);
    live_put_field(text, "running", queue.running);
    live_put_field(text, "finished", queue.finished);
    put_bands(text, &queue);
    put_general(text, live->service);
    live_put_field(text, "lane_count", queue.lanes);
    live_puts(text, ",\"lanes\":[");
    for (size_t i = 0; i < count && i < MOST_LANES; i++) {
        if (i > 0) live_puts(text, ",");
        put_lane(live, text, &lanes[i]);
    }
    live_puts(text, "]}}");
}
