/* SPDX-License-Identifier: MIT */
/* The command nearest: which places are the nearest by what the way there costs. It is answered in the next frame. */
#include <inttypes.h>
#include <stdlib.h>

#include "run/run.h"
#include "cli/output/messages.h"

static int print_places(script_state *script, const wend_order *order) {
    FILE *out = script->options->out;
    world_error refusal = {0};
    size_t count = 0;
    wend_hit *hits = malloc(order->nearest.k * sizeof *hits);
    if (!hits) return script_no_memory(script);
    const bool found = world_nearest(&script->world, order, hits, &count, &refusal);
    if (!script->options->trial) {
        fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
        cli_json_string(out, order->nearest.id.text);
        fputc(',', out);
        if (found)
            world_put_places(out, script->kind, hits, count);
        else
            fprintf(out, "\"error\":\"%s\"", script_refusal_name(refusal.error, (char[SCRIPT_REFUSAL_BYTES]){0}));
        fputs("}\n", out);
    }
    free(hits);
    return CLI_DONE;
}

int script_act_nearest(script_state *script, wend_order *order) {
    world_error refusal = {0};
    if (!world_check_nearest(&script->world, order, &refusal)) return script_refused(script, order, &refusal);
    return cli_keep_order(&script->nearest, order, script->line) ? CLI_DONE : script_no_memory(script);
}

int script_nearest_step(script_state *script) {
    int status = CLI_DONE;
    for (size_t i = 0; !status && i < script->nearest.count; i++)
        status = print_places(script, script->nearest.items[i].order);
    cli_kept_free(&script->nearest);
    return status;
}
