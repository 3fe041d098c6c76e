/* SPDX-License-Identifier: MIT */
/* Writes a completion as JSON: the same keys in lines of scripts and in messages. */
#include "orders/out.h"

static void put_count(wend__out *out, const char *key, uint64_t count) {
    wend__out_text(out, key);
    wend__out_number(out, (int64_t)count, true);
}

static uint64_t epoch_since(uint64_t epoch, uint64_t first) {
    return epoch > first ? epoch - first : 0;
}

void wend__completion_write_json(const wend__completion_line *line, wend__put_fn *put, void *context) {
    const wend_completion *done = line->done;
    wend__out out = {.put = put, .context = context, .axes = line->axes};
    wend__out_text(&out, "\"status\":\"");
    wend__out_text(&out, wend_status_name(done->status));
    wend__out_text(&out, "\",\"cost\":");
    wend__out_number(&out, done->cost, false);
    if (!line->no_cells) {
        wend__out_text(&out, ",\"cells\":");
        wend__out_cells(&out, done->cells, done->cell_count);
    }
    put_count(&out, ",\"expansions\":", done->expansions);
    put_count(&out, ",\"frames\":", line->frames);
    put_count(&out, ",\"epoch\":", epoch_since(done->epoch, line->first_epoch));
    put_count(&out, ",\"checked\":", epoch_since(done->checked, line->first_epoch));
    wend__out_text(&out, done->exact ? ",\"exact\":true" : ",\"exact\":false");
    wend__out_text(&out, done->engine == WEND_ENGINE_JUMP ? ",\"engine\":\"jump\"" : ",\"engine\":\"astar\"");
    if (done->shared) wend__out_text(&out, ",\"shared\":true");
    wend__out_flush(&out);
}
