/* SPDX-License-Identifier: MIT */
/* The command accelerate: makes the data of the fast engine where the script says so. */
#include <wend/acceleration.h>

#include "cli/script/script.h"
#include "cli/script/world.h"
#include "cli/shared/engine.h"

int cli_script_accelerate_first(cli_script *script) {
    int status;
    if (script->recorded) return -1;
    cli_place place = cli_script_mark(script);
    while (!script->accelerated && cli_script_next_line(script, &status))
        script->accelerated = script->reader.word_count > 0 && cli_word_is(script->reader.words[0], "accelerate");
    if (!cli_script_return(script, &place)) return cli_script_no_memory(script);
    if (script->accelerated) return -1;
    const uint64_t landmarks = script->options->trial ? 4 : script->options->landmarks;
    return cli_engine_prepare(script->built.map, script->options->engine, landmarks);
}

/* Before the first frame the map is epoch 0, whatever was published: the data is made for the map as built so far.
 * Later on it is made for the newest version, and edits that wait are applied to it when they are published. */
int cli_act_accelerate(cli_script *script, wend__order *order) {
    wend_acceleration def = order->accelerate.def;
    host_error refusal = {0};
    def.mover = host_mover_of(&script->host, &order->accelerate.mover, &refusal);
    int status = def.mover >= 0 ? -1 : cli_script_refused(script, order, &refusal);
    if (status == -1 && script->frames == 0) status = cli_script_publish(script);
    if (status != -1) return status;
    script->changed = script->accelerated = true;
    if (order->kind == WEND__ORDER_ACCELERATE) {
        const int32_t mover = def.mover, landmarks = def.landmarks;
        wend_acceleration_init(&def, sizeof def);
        def.mover = mover, def.landmarks = landmarks;
    }
    if (!wend__order_gave(order, &order->accelerate.def.landmarks)) def.landmarks = (int32_t)script->options->landmarks;
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (error == WEND_OK) return -1;
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    return cli_script_fail(script, script->reader.words[0].column, "accelerate: %s", wend_error_detail(error));
}
