/* SPDX-License-Identifier: MIT */
/* The command mover: kinds of agents. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "cli/world/world.h"
#include <wend/movers.h>

/* Takes the numbers of a walker, and refuses them of other movers. */
static int read_walker(script_state *script, const wend_order *order, wend_mover *out) {
    const int32_t *const numbers[] = {&order->mover.step_up, &order->mover.drop, &order->mover.headroom};
    out->walker = order->mover.walker;
    out->step_up = order->mover.step_up, out->drop = order->mover.drop, out->headroom = order->mover.headroom;
    for (size_t i = 0; i < 3 && !out->walker; i++)
        if (wend_order_gave(order, numbers[i]))
            return script_fail(script, script_word_of(script, order, numbers[i]).column,
                               "step_up, drop and headroom are for walkers: mover NAME walker ...");
    if (out->walker && script->kind != WEND_KIND_VOXEL)
        return script_fail(script, script_word_of(script, order, &order->mover.walker).column,
                           "a walker needs a map in space: voxels W H D, or a file with layers");
    if (out->walker && out->size > 1)
        return script_fail(script, script_word_of(script, order, &order->mover.size).column, "a walker has size 1");
    return CLI_DONE;
}

/* Takes the mover that this one is like. */
static int read_like(script_state *script, const wend_order *order, wend_mover *out) {
    const script_word word = script_word_of(script, order, &order->mover.like);
    const wend_name *like = &order->mover.like;
    if (!wend_order_gave(order, like)) return CLI_DONE;
    out->like = cli_movers_find(&script->built.movers, like->text, like->length);
    if (out->like < 0)
        return script_fail(script, word.column, "there is no mover '%s'",
                           wend__show_word((wend__span){like->text, like->length, 0}).text);
    if (!script_word_is(script->reader.words[1], "default")) return CLI_DONE;
    return script_fail(script, word.column, "the default mover is like no other one");
}

/* The map's rules always have the classes of `default`: a class without a name is the same. */
static int make_mover(script_state *script, const wend_order *order, wend_map_rules *rules, wend_mover *out) {
    const wend_factors *said = &order->mover.factors;
    wend_mover_init(out, sizeof *out);
    script_rules(script, rules);
    out->size = order->mover.size;
    for (uint32_t class = 0; class < 256; class++)
        if (said->given[class / 64] >> class % 64 & 1 &&
            (said->factors[class] > 0 || !(said->shunned.bits[class / 64] >> class % 64 & 1)))
            rules->factors[class] = said->factors[class];
    memcpy(out->factors, rules->factors, sizeof out->factors);
    memcpy(out->avoided, said->avoided.bits, sizeof out->avoided);
    memcpy(out->shunned, said->shunned.bits, sizeof out->shunned);
    int status = read_walker(script, order, out);
    if (!status) status = read_like(script, order, out);
    const uint32_t stairs = WEND_CLASS_STAIRS;
    if (out->walker && !(said->given[stairs / 64] >> stairs % 64 & 1)) out->factors[stairs] = 1;
    if (status || script->kind != WEND_KIND_GRAPH || out->size == 1) return status;
    return script_fail(script, script_word_of(script, order, &order->mover.size).column,
                       "on a graph every mover has size 1");
}

#define MOST_MOVERS "a map has at most %d movers, `default` with each size it had"

static int fail_twice(script_state *script, script_word name) {
    return script_fail(script, name.column, "there is a mover '%s' already", wend__show_word(name).text);
}

static int add_mover(script_state *script, script_word name, const wend_mover *mover, int32_t *id) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    if (info.movers >= WEND_MAX_MOVERS) return script_fail(script, name.column, MOST_MOVERS, WEND_MAX_MOVERS);
    wend_error error = wend_map_add_mover(script->built.map, mover, id);
    if (error == WEND_OUT_OF_MEMORY) return script_no_memory(script);
    if (error) return script_fail(script, name.column, "mover: %s", wend_error_detail(error));
    return cli_movers_add(&script->built.movers, *id, name.text, name.length) ? CLI_DONE : script_no_memory(script);
}

static bool shuns(const wend_mover *mover) {
    return (mover->shunned[0] | mover->shunned[1] | mover->shunned[2] | mover->shunned[3]) != 0;
}

/* The map's first mover has size 1, needs no floor, and shuns nothing: another `default` is a mover of its own. */
static int set_default(script_state *script, const wend_map_rules *rules, const wend_mover *mover) {
    const script_word first = script->reader.words[0], name = script->reader.words[1];
    int32_t id = WEND_MOVER_DEFAULT;
    if (script->requested) return script_fail(script, first.column, "mover default comes before the first request");
    const wend_error error = cli_world_set_rules(&script->built, rules);
    int status = !error ? CLI_DONE : script_fail(script, first.column, "%s", wend_error_detail(error));
    if (!status && (mover->size > 1 || mover->walker || shuns(mover))) status = add_mover(script, name, mover, &id);
    if (!status) script->built.movers.standard = id;
    return status;
}

int script_act_mover(script_state *script, wend_order *order) {
    const script_word name = script_name_of(script, order, &order->mover.name);
    wend_map_rules rules;
    wend_mover mover;
    int32_t id;
    const int status = make_mover(script, order, &rules, &mover);
    if (status) return status;
    if (script_word_is(name, "default")) return set_default(script, &rules, &mover);
    if (cli_movers_find(&script->built.movers, name.text, name.length) >= 0) return fail_twice(script, name);
    return add_mover(script, name, &mover, &id);
}
