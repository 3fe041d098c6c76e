/* SPDX-License-Identifier: MIT */
/* Changes of the map: they wait for the next frame, as no batch may be open while rules may still change. */
#include "host/script/script.h"

int host_act_change(host_script *script, wend__order *order) {
    const int status = host_act_host(script, order);
    if (status) return status;
    script->changed = script->changed || order->kind == WEND__ORDER_SET || order->kind == WEND__ORDER_FILL;
    script->stepped = script->stepped || order->kind == WEND__ORDER_STEP;
    return HOST_DONE;
}

static int publish(host_script *script) {
    const host_edits *edits = &script->host.edits;
    for (size_t i = 0; i < edits->count; i++) {
        const wend__change_item *item = &edits->items[i].item;
        host_film_edit(script, item);
        if (item->kind == WEND__ORDER_LINK || item->kind == WEND__ORDER_UNLINK)
            host_world_forget_teleport(&script->built, item->change.from, item->change.to);
    }
    const wend_error error = host_publish(&script->host, edits->count);
    if (!error) return HOST_DONE;
    return host_script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1,
                            "the map cannot be edited: %s", wend_error_detail(error));
}

int host_script_publish(host_script *script) {
    return script->host.edits.count > 0 ? publish(script) : HOST_DONE;
}

/* A recording says of a batch without changes, too, that it made an epoch. */
int host_act_publish(host_script *script, wend__order *order) {
    (void)order;
    script->changed = true;
    return script->recorded ? publish(script) : host_script_publish(script);
}
