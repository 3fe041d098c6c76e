/* SPDX-License-Identifier: MIT */
/* Finds a planted difference: pairs of runs of a random script, in the second of which one value of one object is
 * changed after one frame. wend diff must name that frame and that object. Pairs without a change must be the same.
 *
 *     check_diff [PAIRS [SEED]]      default 1000 and 1 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/discs/state.h"
#include "agents/manners/traffic_state.h"
#include "agents/state/bodies.h"
#include "agents/state/crowd_state.h"
#include "cli/output/messages.h"
#include "diff/diff.h"
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "service/state/service_state.h"
#include <wend/units.h>

enum { SIDE = 24, AGENTS = 6, FRAMES = 30, TEXT = 1 << 12 };

/// Changes something, and names it as `wend diff` should. @return false: there is nothing to change now
typedef bool change_fn(script_state *script, uint64_t *random, char *name, size_t room);

static uint32_t any_agent(const script_state *script, uint64_t *random, char *name, size_t room) {
    uint32_t skip = draw(random, AGENTS);
    const world_agent *agent = script->world.agents.first;
    while (skip-- > 0 && agent->next) agent = agent->next;
    snprintf(name, room, "%s", agent->name);
    return agent->id.index;
}

static bool faster(script_state *script, uint64_t *random, char *name, size_t room) {
    script->world.crowd->speed[any_agent(script, random, name, room)]++;
    return true;
}

static bool less_left(script_state *script, uint64_t *random, char *name, size_t room) {
    const uint32_t index = any_agent(script, random, name, room);
    if (script->world.crowd->remaining[index] == 0) return false;
    script->world.crowd->remaining[index]++;
    return true;
}

static bool more_urgent(script_state *script, uint64_t *random, char *name, size_t room) {
    wend__agent_touch(script->world.crowd, any_agent(script, random, name, room))->urgency++;
    return true;
}

static bool other_goal(script_state *script, uint64_t *random, char *name, size_t room) {
    wend__agent *agent = wend__agent_touch(script->world.crowd, any_agent(script, random, name, room));
    if (agent->goal.kind == 0) return false;
    agent->goal.cell.x ^= 1;
    return true;
}

static bool more_patient(script_state *script, uint64_t *random, char *name, size_t room) {
    wend__stall_touch(script->world.crowd, any_agent(script, random, name, room))->tries++;
    return true;
}

static bool waited_longer(script_state *script, uint64_t *random, char *name, size_t room) {
    script->world.crowd->traffic->agents[any_agent(script, random, name, room)].waited++;
    return true;
}

/* Makes a disc turn better than its definition says. */
static bool turns_better(script_state *script, uint64_t *random, char *name, size_t room) {
    (void)random;
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        if (!script->world.crowd->in_traffic[agent->id.index].body) continue;
        script->world.crowd->bodies->engine->of[agent->id.index].turn++;
        snprintf(name, room, "%s", agent->name);
        return true;
    }
    return false;
}

static wend_cell any_cell(uint64_t *random, char *name, size_t room) {
    const wend_cell cell = {(int32_t)draw(random, SIDE), (int32_t)draw(random, SIDE), 0};
    snprintf(name, room, "%d,%d", cell.x, cell.y);
    return cell;
}

static bool other_class(script_state *script, uint64_t *random, char *name, size_t room) {
    uint8_t class = 0;
    const wend_cell cell = any_cell(random, name, room);
    if (wend_map_get_terrain(script->world.map, cell, &class)) return false;
    return !wend_map_set_cell(script->world.map, cell, class ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN, NULL);
}

static bool one_more_unit(script_state *script, uint64_t *random, char *name, size_t room) {
    return !wend_map_occupy(script->world.map, any_cell(random, name, room));
}

static bool other_value(script_state *script, uint64_t *random, char *name, size_t room) {
    uint8_t value = 0;
    char text[32];
    const wend_cell cell = any_cell(random, text, sizeof text);
    const wend_box box = {cell, cell};
    if (wend_map_get_layer_box(script->world.map, 0, box, &value, 1)) return false;
    snprintf(name, room, "danger %s", text);
    value++;
    return !wend_map_set_layer_box(script->world.map, 0, box, &value, 1);
}

static bool one_more_link(script_state *script, uint64_t *random, char *name, size_t room) {
    char from[32], to[32];
    wend_edit *edit;
    const wend_cell a = any_cell(random, from, sizeof from), b = any_cell(random, to, sizeof to);
    if (abs(a.x - b.x) + abs(a.y - b.y) < 4 || wend_edit_begin(script->world.map, &edit)) return false;
    snprintf(name, room, "%s to %s", from, to);
    if (wend_edit_add_link(edit, &(wend_link){a, b, 30, 0})) return wend_edit_discard(edit), false;
    return !wend_edit_publish(edit, NULL);
}

static void ignore(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static bool one_more_request(script_state *script, uint64_t *random, char *name, size_t room) {
    wend_request request = default_request();
    char cell[32];
    request.map = script->world.map, request.start = any_cell(random, cell, sizeof cell), request.on_done = ignore;
    snprintf(name, room, "queue");
    return !wend_service_submit(script->service, &request, NULL);
}

/* Adds an expansion to those that a pending request has spent. */
static bool more_spent(script_state *script, uint64_t *random, char *name, size_t room) {
    (void)random;
    for (size_t i = 0; i < script->names.capacity; i++) {
        const script_name *own = script->names.items[i];
        if (!own || !own->pending) continue;
        const uint32_t at = script->service->inbox.backlog.waiters[own->ticket.index].entry;
        if (at == WEND__NONE || script->service->entries[at].slot == WEND__NONE) continue;
        if (!script->service->entries[at].begun) continue;
        script->service->entries[at].spent++;
        snprintf(name, room, "%s", own->text);
        return true;
    }
    return false;
}

static const struct {
    const char *what;
    change_fn *change;
} changes[] = {{"agent", faster},       {"agent", less_left},     {"agent", more_urgent},  {"agent", other_goal},
               {"agent", more_patient}, {"agent", waited_longer}, {"agent", turns_better}, {"cell", other_class},
               {"unit", one_more_unit}, {"layer", other_value},   {"link", one_more_link}, {"queue", one_more_request},
               {"request", more_spent}};
enum { CHANGES = sizeof changes / sizeof changes[0] };

/* ---- a pair ---- */

/// A change that is due.
typedef struct plan {
    uint64_t frame, random;
    int which;
    bool done;
    char name[64];
} plan;

/* Draws the same change in both runs of a script. */
static void change_there(void *context, script_state *script) {
    plan *own = context;
    uint64_t random = own->random;
    if (script->frames != own->frame) return;
    own->done = changes[own->which].change(script, &random, own->name, sizeof own->name);
}

static size_t write_script(char *text, uint64_t *random) {
    size_t at = (size_t)snprintf(text, TEXT, "grid %d %d\nlayer danger values\nlimit nodes 65536\n", SIDE, SIDE);
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(text + at, TEXT - at, "set %u,%u blocked\n", 1 + draw(random, SIDE - 2),
                               1 + draw(random, SIDE - 2));
    for (int i = 0; i < AGENTS; i++)
        at += (size_t)snprintf(text + at, TEXT - at, "agent a%d %d,0%s\ngo a%d to %u,%d\n", i, i * 4,
                               i % 3 == 2 ? " radius=300" : "", i, draw(random, SIDE), SIDE - 1);
    for (int i = 0; i < FRAMES / 5; i++)
        at += (size_t)snprintf(text + at, TEXT - at, "request r%d 0,0 %d,%u\nframe 5 budget=%u\n", i, SIDE - 1,
                               draw(random, SIDE), 4 + draw(random, 12));
    return at;
}

static void fail(const char *why, uint64_t pair, const plan *planned, const char *said) {
    printf("pair %" PRIu64 ": %s: %s %s in frame %" PRIu64 ", change %d; said: %s\n", pair, why,
           changes[planned->which].what, planned->name, planned->frame, planned->which, said);
    exit(1);
}

/* @return whether there was something to change */
static bool try_pair(uint64_t pair, uint64_t *random, bool differs) {
    static diff_side sides[2];
    char text[TEXT], said[2048] = "", wanted[160];
    const size_t size = write_script(text, random);
    plan planned = {1 + draw(random, FRAMES), *random, (int)draw(random, CHANGES), false, ""};
    FILE *out = tmpfile();
    if (!out) exit(99);
    for (int i = 0; i < 2; i++) sides[i] = (diff_side){.path = "pair", .text = text, .size = size, .budget = 100};
    if (differs) sides[1].change = change_there, sides[1].context = &planned;
    const int status = diff_scripts(sides, out);
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    if (!differs || !planned.done) {
        if (status != CLI_DONE || !strstr(said, "\"same\":true")) fail("it is the same", pair, &planned, said);
        return false;
    }
    snprintf(wanted, sizeof wanted, "{\"frame\":%" PRIu64 ",\"what\":\"%s\",\"name\":\"%s\"", planned.frame,
             changes[planned.which].what, planned.name);
    if (status != CLI_ANSWER_IS_NO || strncmp(said, wanted, strlen(wanted)) != 0)
        fail("it names another", pair, &planned, said);
    return true;
}

int main(int argc, char **argv) {
    const int usual = few_or_many(600, 10000);
    uint64_t pairs = (uint64_t)usual;
    if (argc > 1) pairs = strtoull(argv[1], NULL, 10);
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, found = 0, same = 0;
    for (uint64_t pair = 0; found < pairs; pair++) {
        const bool differs = pair % 20 > 0;
        if (try_pair(pair, &random, differs))
            found++;
        else
            same++;
    }
    printf("%" PRIu64 " pairs in which a value was changed: each was named; %" PRIu64 " the same\n", found, same);
    return 0;
}
