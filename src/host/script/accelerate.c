/* SPDX-License-Identifier: MIT */
/* The command accelerate: makes the data of the fast engine where the script says so. */
#include <wend/acceleration.h>

#include "host/script/script.h"
#include "host/script/world.h"
#include "host/world/engine.h"

int host_script_accelerate_first(host_script *script) {
    int status;
    if (script->recorded) return HOST_DONE;
    host_place place = host_script_mark(script);
    while (!script->accelerated && host_script_next_line(script, &status))
        script->accelerated = script->reader.word_count > 0 && host_word_is(script->reader.words[0], "accelerate");
    if (!host_script_return(script, &place)) return host_script_no_memory(script);
    if (script->accelerated) return HOST_DONE;
    const uint64_t landmarks = script->options->trial ? 4 : script->options->landmarks;
    return host_engine_prepare(script->built.map, script->options->engine, landmarks);
}

/* Before the first frame the map is epoch 0, whatever was published: the data is made for the map as built so far.
 * Later on it is made for the newest version, and edits that wait are applied to it when they are published. */
int host_act_accelerate(host_script *script, wend__order *order) {
    wend_acceleration def = order->accelerate.def;
    host_error refusal = {0};
    def.mover = host_mover_of(&script->host, &order->accelerate.mover, &refusal);
    int status = def.mover >= 0 ? HOST_DONE : host_script_refused(script, order, &refusal);
    if (!status && script->frames == 0) status = host_script_publish(script);
    if (status) return status;
    script->changed = script->accelerated = true;
    if (order->kind == WEND__ORDER_ACCELERATE) {
        const int32_t mover = def.mover, landmarks = def.landmarks;
        wend_acceleration_init(&def, sizeof def);
        def.mover = mover, def.landmarks = landmarks;
    }
    if (!wend__order_gave(order, &order->accelerate.def.landmarks)) def.landmarks = (int32_t)script->options->landmarks;
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (!error) return HOST_DONE;
    if (error == WEND_OUT_OF_MEMORY) return host_script_no_memory(script);
    return host_script_fail(script, script->reader.words[0].column, "accelerate: %s", wend_error_detail(error));
}
