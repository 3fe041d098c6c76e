/* SPDX-License-Identifier: MIT */
/* Agents by name, and the orders to them. */
#include <stdlib.h>
#include <string.h>

#include "live/must/must.h"
#include "base/hash.h"
#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "world/rows.h"
#include <wend/agents.h>
#include <wend/movers.h>
#include <wend/routes.h>

/* ---- names ---- */

static size_t bucket_of(const world_agents *agents, const char *name, size_t length) {
    return (size_t)wend__hash_name(WEND__HASH_START, name, length) & (agents->bucket_count - 1);
}

/// Agents of a name: here now; there after all checked orders are done; coming; leaving.
typedef enum when { NOW, EXPECTED, COMING, GOING } when;

static bool fits(const world_agent *agent, when at) {
    switch (at) {
    case NOW: return agent->here;
    case EXPECTED: return agent->will;
    case COMING: return !agent->here;
    default: return !agent->will;
    }
}

/* Returns the newest one from an agent of its bucket on. */
static world_agent *find_from(world_agent *agent, const char *name, size_t length, when at) {
    while (agent && !(fits(agent, at) && agent->length == length && memcmp(agent->name, name, length) == 0))
        agent = agent->next_named;
    return agent;
}

static world_agent *find(const world_state *w, const char *name, size_t length, when at) {
    const world_agents *agents = &w->agents;
    if (agents->bucket_count == 0) return NULL;
    return find_from(agents->buckets[bucket_of(agents, name, length)], name, length, at);
}

world_agent *world_agent_find(const world_state *w, const char *name, size_t length) {
    return find(w, name, length, NOW);
}

world_agent *world_agent_coming(const world_state *w, wend_name name) {
    return find(w, name.text, name.length, COMING);
}

static void link_name(world_agents *agents, world_agent *agent) {
    world_agent **bucket = &agents->buckets[bucket_of(agents, agent->name, agent->length)];
    agent->next_named = *bucket;
    *bucket = agent;
}

/* Doubles the buckets; the order of agents with one name stays. */
static bool grow_buckets(world_agents *agents) {
    world_agents larger = {.bucket_count = agents->bucket_count == 0 ? 64 : agents->bucket_count * 2};
    larger.buckets = cli_alloc_zero(larger.bucket_count, sizeof *larger.buckets);
    if (!larger.buckets) return false;
    for (size_t i = 0; i < agents->bucket_count; i++) {
        world_agent *reversed = NULL, *next;
        for (world_agent *agent = agents->buckets[i]; agent; agent = next) {
            next = agent->next_named;
            agent->next_named = reversed;
            reversed = agent;
        }
        for (; reversed; reversed = next) {
            next = reversed->next_named;
            link_name(&larger, reversed);
        }
    }
    cli_free(agents->buckets);
    agents->buckets = larger.buckets;
    agents->bucket_count = larger.bucket_count;
    return true;
}

static void free_removed(world_agents *agents) {
    for (world_agent *agent = agents->removed, *next; agent; agent = next) {
        next = agent->next_removed;
        cli_free(agent);
    }
    agents->removed = NULL;
}

/* Checks a present agent of the crowd. */
static void check_agent(const world_state *w, const world_agent *agent) {
    const world_agents *agents = &w->agents;
    MUST(agent->here && agent->id.index < agents->most && agents->by_index[agent->id.index] == agent);
    MUST(agents->names[agent->id.index] == agent->name && agents->sizes[agent->id.index] >= 1);
    MUST((agent->previous ? agent->previous->next : agents->first) == agent);
    MUST((agent->next ? agent->next->previous : agents->last) == agent);
    MUST(find(w, agent->name, agent->length, NOW) == agent);
    MUST(agent->name[agent->length] == '\0' && agent->waits <= WEND_MAX_WAITED_FOR);
    MUST(agent->mover == WEND_MOVER_DEFAULT || agent->mover > 0);
}

/* Checks what holds after an update. A few agents are looked at in each, so that ten thousand take no time. */
static void check_agents(world_state *w) {
    enum { FEW = 16 };
    world_agents *agents = &w->agents;
    MUST(!agents->first == !agents->last);
    MUST(agents->count <= agents->entries && agents->entries <= agents->bucket_count);
    MUST(!w->crowd == (agents->most == 0) && (w->crowd || (!w->has_bodies && !w->jams)));
    for (uint64_t i = 0; i < FEW && agents->most > 0; i++) {
        agents->checked = (agents->checked + 1) % agents->most;
        if (agents->by_index[agents->checked]) check_agent(w, agents->by_index[agents->checked]);
    }
}

void world_agents_updated(world_state *w) {
    free_removed(&w->agents);
    check_agents(w);
}

void world_agents_free(world_agents *agents) {
    for (size_t i = 0; i < agents->bucket_count; i++)
        for (world_agent *agent = agents->buckets[i], *next; agent; agent = next) {
            next = agent->next_named;
            cli_free(agent);
        }
    free_removed(agents);
    cli_free(agents->buckets);
    cli_free(agents->by_index);
    cli_free(agents->names);
    cli_free(agents->sizes);
    *agents = (world_agents){.names_revision = agents->names_revision + 1};
}

/* ---- adding ---- */

uint8_t world_mover_size(const world_state *w, int32_t mover) {
    wend_mover kind = {.struct_bytes = sizeof kind};
    return !wend_map_get_mover(w->map, mover, &kind) ? (uint8_t)kind.size : 1;
}

/* Makes an agent that will come. NULL: no memory */
static world_agent *expect_agent(world_agents *agents, const char *name, size_t length, uint64_t session) {
    if (agents->entries == agents->bucket_count && !grow_buckets(agents)) return NULL;
    world_agent *agent = cli_alloc_zero(1, sizeof *agent + length + 1);
    if (!agent) return NULL;
    memcpy(agent->name, name, length);
    agent->length = (uint32_t)length;
    agent->owner = agent->orderer = session;
    agent->will = true;
    link_name(agents, agent);
    agents->entries++;
    agents->count++;
    return agent;
}

static void unlink_name(world_agents *agents, world_agent *agent) {
    world_agent **at = &agents->buckets[bucket_of(agents, agent->name, agent->length)];
    while (*at != agent) at = &(*at)->next_named;
    *at = agent->next_named;
    agents->entries--;
    agents->count -= agent->will;
}

static void append(world_agents *agents, world_agent *agent) {
    agent->previous = agents->last;
    *(agents->last ? &agents->last->next : &agents->first) = agent;
    agents->last = agent;
    agent->here = true;
}

/* Ends the wait of an agent that comes, or does not. */
static wend_error enter(world_state *w, world_agent *agent, const wend_agent_def *def, const wend_body_def *body) {
    world_agents *agents = &w->agents;
    agent->def = *def;
    agent->def.context = agent;
    agent->body = *body;
    agent->mover = def->mover;
    wend_error error = w->crowd ? wend_crowd_add(w->crowd, &agent->def, &agent->id) : WEND_OK;
    if (!error && w->crowd) {
        error = world_body_give(w, agent);
        if (error) wend_crowd_remove(w->crowd, agent->id);
    }
    if (error) {
        unlink_name(agents, agent);
        cli_free(agent);
        return error;
    }
    append(agents, agent);
    agents->names_revision++;
    if (!w->crowd) return WEND_OK;
    agents->by_index[agent->id.index] = agent;
    agents->names[agent->id.index] = agent->name;
    agents->sizes[agent->id.index] = world_mover_size(w, def->mover);
    return WEND_OK;
}

world_agent *world_agent_restore(world_state *w, const char *name, wend_agent_id id, int32_t mover, bool here) {
    world_agents *agents = &w->agents;
    const size_t length = strlen(name);
    if (here && (find(w, name, length, EXPECTED) || agents->by_index[id.index])) return NULL;
    world_agent *agent = expect_agent(agents, name, length, 0);
    if (!agent) return NULL;
    agent->id = id;
    agent->mover = mover;
    wend_agent_def_init(&agent->def, sizeof agent->def); /* the crowd has changed fields */
    agent->def.mover = mover;
    agent->def.context = agent;
    if (here) {
        append(agents, agent);
        agents->by_index[id.index] = agent;
        agents->names[id.index] = agent->name;
        agents->sizes[id.index] = world_mover_size(w, mover);
    } else {
        unlink_name(agents, agent);
        agent->will = false;
        agent->next_removed = agents->removed;
        agents->removed = agent;
    }
    return agent;
}

/* Checks the agents that an agent is to wait for. */
static bool check_waits(const world_state *w, wend_name who, const wend_names *names, world_error *error) {
    for (size_t i = 0; i < names->count; i++) {
        const wend_name name = wend__names_at(names, i);
        const bool itself = name.length == who.length && memcmp(name.text, who.text, name.length) == 0;
        if (itself)
            return world_refuse(error, WORLD_BAD_ARGUMENT, names, "'%.*s' cannot wait for itself", (int)name.length,
                                name.text);
        if (!world_is_players(name) && !find(w, name.text, name.length, EXPECTED))
            return world_refuse(error, WORLD_UNKNOWN, names, "there is no agent '%s'",
                                wend__show_word((wend__span){name.text, name.length, 0}).text);
    }
    return true;
}

/* Agents removed since the check are left out. */
static void set_waits(world_state *w, world_agent *agent, const wend_names *names) {
    world_agent *others[WEND_MAX_WAITED_FOR];
    uint32_t count = 0;
    for (size_t i = 0; i < names->count && count < WEND_MAX_WAITED_FOR; i++) {
        const wend_name name = wend__names_at(names, i);
        world_agent *other = world_is_players(name) ? NULL : find(w, name.text, name.length, NOW);
        if (other && other != agent) others[count++] = other;
    }
    world_set_waits(w, agent, others, count);
}

bool world_check_agent(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_name name = order->agent.name;
    if (find(w, name.text, name.length, EXPECTED))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->agent.name, "there is an agent '%s' already",
                            wend__show_word((wend__span){name.text, name.length, 0}).text);
    if (world_agent_mover(w, order, error) < 0) return false;
    if (!check_waits(w, name, &order->agent.waits_for, error)) return false;
    if (!world_check_weights(w, &order->agent.layers, error)) return false;
    if (w->crowd && w->agents.count == w->agents.most)
        return world_refuse(error, WORLD_BUSY, NULL, "there are at most %llu agents at once",
                            (unsigned long long)w->agents.most);
    return expect_agent(&w->agents, name.text, name.length, who->session) || world_no_memory(error);
}

void world_forget_agent(world_state *w, const wend_order *order) {
    world_agent *agent = find(w, order->agent.name.text, order->agent.name.length, COMING);
    if (!agent) return;
    world_free_place(w, agent);
    unlink_name(&w->agents, agent);
    cli_free(agent);
}

bool world_refuse_place(const world_state *w, world_error *out, wend_error error, const void *member, wend_cell cell) {
    const cli_cell_words at = cli_cell_text(w->kind, cell);
    out->error = error;
    if (error == WEND_BUSY)
        return world_refuse(out, WORLD_BUSY, member, "an agent or a unit stands on %s already", at.text);
    if (error == WEND_BLOCKED)
        return world_refuse(out, WORLD_BAD_ARGUMENT, member, "the agent cannot stand on %s", at.text);
    return world_refuse_error(out, error, member);
}

bool world_do_agent(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    wend_agent_def def = order->agent.def;
    world_agent *oldest = NULL, *agent = find(w, order->agent.name.text, order->agent.name.length, COMING);
    (void)who;
    for (; agent; agent = find_from(agent->next_named, agent->name, agent->length, COMING)) oldest = agent;
    def.mover = world_agent_mover(w, order, error);
    def.profile = oldest ? world_profile_of(w, &order->agent.layers, error) : WEND_PROFILE_NONE;
    if (def.profile < 0) {
        unlink_name(&w->agents, oldest);
        cli_free(oldest);
        return false;
    }
    const wend_body_def *body = &order->agent.body;
    if (oldest) world_free_place(w, oldest);
    const wend_error refused = oldest ? enter(w, oldest, &def, body) : WEND_BUSY;
    if (!refused && order->agent.waits_for.count > 0) set_waits(w, oldest, &order->agent.waits_for);
    const bool of_body = body->radius_milli > 0 && (refused == WEND_BAD_ARGUMENT || refused == WEND_UNSUPPORTED);
    const void *member = of_body ? (const void *)&body->radius_milli : &order->agent.def.cell;
    return world_refuse_place(w, error, refused, member, def.cell);
}

int world_agent_orders(const world_state *w, const world_agent *agent, wend_order out[2]) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_name name = {.text = agent->name, .length = agent->length};
    out[0] = (wend_order){.kind = WEND_ORDER_AGENT, .agent = {.name = name, .def = agent->def, .body = agent->body}};
    wend_agent_def *def = &out[0].agent.def;
    if (w->crowd) {
        wend_crowd_get_agent(w->crowd, agent->id, &state);
        def->cell = state.cell, def->speed_milli = state.speed_milli, def->urgency = state.urgency;
        def->ghost = state.ghost, def->steered = state.steered, def->parked = state.parked;
        def->profile = state.profile;
    }
    out[0].agent.layers = world_weights_of(w, def->profile);
    const int32_t mover = world_named_mover(w, agent->mover, &out[0].agent.avoid, &out[0].agent.shun);
    if (mover != w->movers->standard && mover > 0) out[0].agent.mover = wend__named(cli_movers_name(w->movers, mover));
    out[1] = (wend_order){.kind = WEND_ORDER_STEER, .steer = {name, def->cell}};
    return def->steered ? 2 : 1;
}

bool world_agent_goal(const world_state *w, const world_agent *agent, wend_name *name, wend_order *out) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    *name = world_agent_name(agent);
    if (wend_crowd_get_agent(w->crowd, agent->id, &state) || !state.has_goal || agent->wanders) return false;
    if (agent->route) {
        *out = (wend_order){.kind = WEND_ORDER_TAKE, .take = {*name, wend__named(agent->route)}};
        return true;
    }
    *out = (wend_order){.kind = WEND_ORDER_GO, .go = {.names = {.items = name, .count = 1}}};
    out->go.def.struct_bytes = sizeof out->go.def;
    if (wend_crowd_get_goal(w->crowd, agent->id, &out->go.def)) return false;
    if (out->go.def.kind == WEND_CROWD_CELL) return true;
    const world_agent *target = w->agents.by_index[out->go.def.target.index];
    out->kind = out->go.def.kind == WEND_CROWD_FOLLOW ? WEND_ORDER_FOLLOW : WEND_ORDER_FLEE;
    out->go.name = *name;
    if (target) out->go.target = world_agent_name(target);
    return target;
}

/* ---- the agents that an order names ---- */

/// Agents that an order names.
typedef struct named {
    world_agent **agents;
    wend_agent_id *ids;
    size_t count;
} named;

static void free_named(named *of) {
    cli_free(of->agents);
    cli_free(of->ids);
    *of = (named){0};
}

/* The first field of an order to agents names them. */
static wend_names names_of(const wend_order *order, const void **member) {
    const wend__order_field *field = &wend__order_rows[order->kind].fields[0];
    const void *at = *member = (const char *)order + field->offset;
    return field->kind == WEND__NAMES ? *(const wend_names *)at : (wend_names){.items = at, .count = 1};
}

/* Returns an agent of a name, from a field of the order, that the client may command. NULL: refused */
static world_agent *find_commanded(const world_state *w, const world_client *who, wend_name name, when at,
                                   const void *member, world_error *error) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    world_agent *agent = find(w, name.text, name.length, at);
    const bool asks = agent && at == NOW && w->crowd;
    if (!agent || (asks && wend_crowd_get_agent(w->crowd, agent->id, &state)))
        world_refuse(error, WORLD_UNKNOWN, member, "there is no agent '%s'",
                     wend__show_word((wend__span){name.text, name.length, 0}).text);
    else if (!who->owner && agent->owner != who->session)
        world_refuse(error, WORLD_DENIED, member, "the agent is another session's");
    else if (agent->named)
        world_refuse(error, WORLD_BAD_ARGUMENT, member, "'%s' is named twice", agent->name);
    else
        return agent;
    return NULL;
}

/* Finds them: each must be known to the crowd, commandable by the session, and named once. All checks of ids and owners
 * are here. @return false: refused */
static bool find_named(const world_state *w, const world_client *who, const wend_order *order, when at, named *out,
                       world_error *error) {
    const void *member;
    const wend_names names = names_of(order, &member);
    world_agent *agent = NULL;
    *out = (named){cli_alloc(names.count * sizeof *out->agents), cli_alloc(names.count * sizeof *out->ids), 0};
    const bool room = out->agents && out->ids;
    if (!room) world_no_memory(error);
    for (size_t i = 0; room && i < names.count; i++) {
        error->index = i;
        agent = find_commanded(w, who, wend__names_at(&names, i), at, member, error);
        if (!agent) break;
        agent->named = true;
        out->agents[out->count] = agent;
        out->ids[out->count++] = agent->id;
    }
    for (size_t i = 0; i < out->count; i++) out->agents[i]->named = false;
    if (!agent) free_named(out);
    if (agent) error->index = 0;
    return agent;
}

world_agent *world_named_agent(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    named of;
    if (!find_named(w, who, order, NOW, &of, error)) return NULL;
    world_agent *agent = of.agents[0];
    free_named(&of);
    return agent;
}

bool world_check_named(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    named of;
    if (!find_named(w, who, order, EXPECTED, &of, error)) return false;
    free_named(&of);
    return true;
}

/* ---- removing ---- */

bool world_check_remove(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    named of;
    if (!find_named(w, who, order, EXPECTED, &of, error)) return false;
    for (size_t i = 0; i < of.count; i++) of.agents[i]->will = false;
    w->agents.count -= of.count;
    free_named(&of);
    return true;
}

void world_forget_remove(world_state *w, const wend_order *order) {
    for (size_t i = 0; i < order->names.count; i++) {
        const wend_name name = wend__names_at(&order->names, i);
        world_agent *agent = find(w, name.text, name.length, GOING);
        if (!agent) continue;
        agent->will = true;
        w->agents.count++;
    }
}

static void remove_agent(world_state *w, world_agent *agent) {
    world_agents *agents = &w->agents;
    unlink_name(agents, agent);
    world_drop_waits(w, agent);
    *(agent->previous ? &agent->previous->next : &agents->first) = agent->next;
    *(agent->next ? &agent->next->previous : &agents->last) = agent->previous;
    agent->here = false;
    agent->next_removed = agents->removed;
    agents->removed = agent;
    agents->names_revision++;
    if (!w->crowd) return;
    wend_crowd_remove(w->crowd, agent->id);
    agents->by_index[agent->id.index] = NULL;
    agents->names[agent->id.index] = NULL;
}

void world_agents_settle(world_state *w) {
    for (world_agent *agent = w->agents.first, *next; agent; agent = next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        next = agent->next;
        if (wend_crowd_get_agent(w->crowd, agent->id, &state)) {
            remove_agent(w, agent);
            agent->will = false;
        } else {
            agent->mover = state.mover;
            w->agents.sizes[agent->id.index] = world_mover_size(w, state.mover);
        }
    }
}

bool world_do_remove(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    named of;
    if (!find_named(w, who, order, NOW, &of, error)) return false;
    for (size_t i = 0; i < of.count; i++) remove_agent(w, of.agents[i]);
    free_named(&of);
    return true;
}

/* ---- goals ---- */

/* An order ends the agent's goal. `session` gets the outcome of the next one.
 * @param stays   it stands until the next order */
static void end_goal(world_agent *agent, uint64_t session, bool stays) {
    agent->unheard = agent->unheard || agent->wanders;
    agent->wanders = false;
    agent->route = NULL;
    agent->stays = stays;
    if (session != 0) agent->orderer = session; /* outcomes go to the session that ordered it here */
}

/* Graphs have no distances. */
static bool check_reach(const world_state *w, const wend_order *order, world_error *error) {
    const int32_t most = order->kind == WEND_ORDER_FOLLOW ? 1 : 0, reach = order->go.def.reach;
    if (w->kind != WEND_KIND_GRAPH || !wend_order_gave(order, &order->go.def.reach) || reach <= most) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, &order->go.def.reach,
                        "reach is a whole number from 0 to %d, not '%d'", most, reach);
}

static bool check_kind(const world_state *w, const wend_order *order, world_error *error) {
    const wend_crowd_goal *goal = &order->go.def;
    if (order->kind == WEND_ORDER_FLEE && w->kind == WEND_KIND_GRAPH)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "a graph has no cells to flee by");
    if (order->kind != WEND_ORDER_GO) return true;
    if (w->kind != WEND_KIND_GRID && goal->formation != WEND_AS_CROWD)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &goal->formation, "formations are for flat grids");
    if (w->kind == WEND_KIND_GRAPH && goal->near_enough > 0)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &goal->near_enough, "on a graph near is 0");
    return true;
}

static bool has_target(const world_state *w, const wend_order *order, when at, world_error *error) {
    const wend_name target = order->go.target;
    if (order->kind == WEND_ORDER_GO || find(w, target.text, target.length, at)) return true;
    return world_refuse(error, WORLD_UNKNOWN, &order->go.target, "there is no agent '%s'",
                        wend__show_word((wend__span){target.text, target.length, 0}).text);
}

bool world_check_goal(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_name target = order->go.target;
    if (!world_check_named(w, who, order, error) || !check_kind(w, order, error)) return false;
    if (order->kind == WEND_ORDER_GO) return check_reach(w, order, error);
    if (!has_target(w, order, EXPECTED, error)) return false;
    if (target.length == order->go.name.length && memcmp(target.text, order->go.name.text, target.length) == 0)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->go.target, "'%.*s' is named twice", (int)target.length,
                            target.text);
    return order->kind != WEND_ORDER_FOLLOW || check_reach(w, order, error);
}

/// Gives an order to the agents that it names.
typedef wend_error give_fn(const world_state *w, const named *of, const wend_order *order);

static wend_error give_goal(const world_state *w, const named *of, const wend_order *order) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.reach = order->go.def.reach;
    if (order->kind == WEND_ORDER_GO) {
        goal.cell = order->go.def.cell;
        goal.near_enough = order->go.def.near_enough;
        goal.formation = order->go.def.formation;
        goal.spacing = order->go.def.spacing;
        goal.pace = order->go.def.pace;
        return wend_crowd_go(w->crowd, of->ids, of->count, &goal);
    }
    goal.kind = order->kind == WEND_ORDER_FOLLOW ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
    goal.target = find(w, order->go.target.text, order->go.target.length, NOW)->id;
    goal.keep = order->go.def.keep;
    if (order->kind == WEND_ORDER_FLEE) goal.distance = order->go.def.distance;
    return wend_crowd_go(w->crowd, of->ids, of->count, &goal);
}

/* Repeated orders find agents at their old places. A steered agent stands where its last step was to lead. */
static wend_error give_step(const world_state *w, const named *of, const wend_order *order) {
    const wend_cell cell = order->steer.cell;
    const wend_error error = wend_crowd_step(w->crowd, of->ids[0], cell);
    if (!error && w->repeats && !wend_crowd_move(w->crowd, of->ids[0], cell))
        (void)wend_crowd_step(w->crowd, of->ids[0], cell);
    return error;
}

static wend_error give_halt(const world_state *w, const named *of, const wend_order *order) {
    (void)order;
    return wend_crowd_halt(w->crowd, of->ids, of->count);
}

static wend_error give_route(const world_state *w, const named *of, const wend_order *order) {
    cli_route *route = cli_route_find(w->routes, order->take.route.text, order->take.route.length);
    const wend_error error = world_route_add(route, w->crowd);
    return error ? error : wend_crowd_patrol(w->crowd, of->ids[0], route->number);
}

/* Events of ended goals wait for the next update, which may be far, as a server may be paused. An update of zero time
 * delivers them. */
static bool give(world_state *w, const world_client *who, const wend_order *order, give_fn *fn, bool stays,
                 world_error *error) {
    named of;
    if (!find_named(w, who, order, NOW, &of, error)) return false;
    wend_error refused = fn(w, &of, order);
    if (refused == WEND_BUSY && w->tells_events && !world_crowd_update(w, 0, NULL)) refused = fn(w, &of, order);
    for (size_t i = 0; !refused && i < of.count; i++)
        end_goal(of.agents[i], fn == give_halt ? of.agents[i]->orderer : who->session, stays);
    free_named(&of);
    return world_refuse_error(error, refused, NULL);
}

bool world_do_goal(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return has_target(w, order, NOW, error) && give(w, who, order, give_goal, false, error);
}

/* An agent that is only listed can be steered to its own cell: then it is steered, and stands. */
static bool list_steered(world_state *w, const wend_order *order, world_error *error) {
    world_agent *agent = find(w, order->steer.name.text, order->steer.name.length, NOW);
    if (memcmp(&agent->def.cell, &order->steer.cell, sizeof agent->def.cell) != 0)
        return world_refuse(error, WORLD_NO_CROWD, &order->steer.cell,
                            "in a world file an agent is steered to its own cell");
    agent->def.steered = true;
    return true;
}

bool world_do_steer(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    if (!w->crowd) return list_steered(w, order, error);
    return give(w, who, order, give_step, true, error);
}

bool world_do_halt(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return give(w, who, order, give_halt, true, error);
}

bool world_check_take(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return world_check_named(w, who, order, error) && world_names_route(w, order, error);
}

bool world_do_take(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_name name = order->take.name, route = order->take.route;
    if (!world_has_route(w, order, error) || !give(w, who, order, give_route, false, error)) return false;
    find(w, name.text, name.length, NOW)->route = cli_route_find(w->routes, route.text, route.length)->name;
    return true;
}

/* ---- becoming faster, more urgent, or of another kind ---- */

bool world_check_adjust(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_cell *cell = &order->adjust.cell;
    if (!world_check_named(w, who, order, error)) return false;
    if (world_mover_of(w, &order->adjust.mover, error) < 0) return false;
    for (size_t i = 0; order->adjust.waits_for.count > 0 && i < order->adjust.names.count; i++)
        if (!check_waits(w, wend__names_at(&order->adjust.names, i), &order->adjust.waits_for, error)) return false;
    if (!world_check_weights(w, &order->adjust.layers, error)) return false;
    if (!wend_order_gave(order, cell)) return true;
    if (order->adjust.names.count == 1) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, cell, "a cell is for one agent");
}

int32_t world_adjusted_mover(const world_state *w, const wend_order *order, const world_agent *agent,
                             world_error *error) {
    wend_classes avoid = order->adjust.avoid, shun = order->adjust.shun;
    const bool gave = wend_order_gave(order, &order->adjust.mover);
    const int32_t mover =
        gave ? world_mover_of(w, &order->adjust.mover, error) : world_named_mover(w, agent->mover, &avoid, &shun);
    const int32_t own = world_mover_minding(w, mover, &avoid, &shun, error);
    if (own < 0 && error->member == &avoid) error->member = &order->adjust.avoid;
    if (own < 0 && error->member == &shun) error->member = &order->adjust.shun;
    return own;
}

/* Makes all agents their new mover, or none. Those of one mover go together, so that a recording has one line. */
static bool change_movers(world_state *w, const named *of, const wend_order *order, world_error *error) {
    size_t done = 0;
    bool good = true;
    while (good && done < of->count) {
        const int32_t mover = world_adjusted_mover(w, order, of->agents[done], error);
        size_t end = done + 1;
        while (end < of->count && world_adjusted_mover(w, order, of->agents[end], error) == mover) end++;
        good =
            mover >= 0 && world_refuse_error(error, wend_crowd_set_mover(w->crowd, &of->ids[done], end - done, mover),
                                             world_mover_member(order));
        if (good) done = end;
    }
    for (size_t i = 0; i < done; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (!good) (void)wend_crowd_set_mover(w->crowd, &of->ids[i], 1, of->agents[i]->mover);
        (void)wend_crowd_get_agent(w->crowd, of->ids[i], &state);
        of->agents[i]->mover = state.mover;
        w->agents.sizes[of->ids[i].index] = world_mover_size(w, state.mover);
    }
    w->agents.names_revision++; /* names include sizes */
    return good;
}

bool world_do_adjust(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const bool moves = wend_order_gave(order, &order->adjust.cell);
    const bool becomes = world_becomes(order);
    const bool minds = wend_order_gave(order, &order->adjust.layers);
    const int32_t profile = world_profile_of(w, &order->adjust.layers, error);
    named of;
    if (profile < 0 || !find_named(w, who, order, NOW, &of, error)) return false;
    wend_error refused = moves ? wend_crowd_move(w->crowd, of.ids[0], order->adjust.cell) : WEND_OK;
    if (w->repeats) refused = WEND_OK; /* the cell may be taken now */
    if (!refused && becomes && !change_movers(w, &of, order, error)) {
        free_named(&of);
        return false;
    }
    if (!refused && minds) refused = wend_crowd_set_profile(w->crowd, of.ids, of.count, profile);
    for (size_t i = 0; !refused && i < of.count; i++) {
        if (wend_order_gave(order, &order->adjust.speed_milli))
            wend_crowd_set_speed(w->crowd, of.ids[i], order->adjust.speed_milli);
        if (wend_order_gave(order, &order->adjust.urgency))
            wend_crowd_set_urgency(w->crowd, of.ids[i], order->adjust.urgency);
        if (order->adjust.waits_for.count > 0) set_waits(w, of.agents[i], &order->adjust.waits_for);
    }
    free_named(&of);
    return world_refuse_error(error, refused, moves ? (const void *)&order->adjust.cell : &order->adjust.mover);
}
