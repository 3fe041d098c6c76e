/* SPDX-License-Identifier: MIT */
/* Agents by name, and the orders to them. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/output/cells.h"
#include "world/rows.h"
#include <wend/agents.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/routes.h>
#include <wend/units.h>

/* ---- names ---- */

static size_t bucket_of(const host_agents *agents, const char *name, size_t length) {
    return (size_t)wend__hash_name(WEND__HASH_START, name, length) & (agents->bucket_count - 1);
}

/// Agents of a name: here now; there when all orders that were checked are done; on their way; about to go.
typedef enum when { NOW, EXPECTED, COMING, GOING } when;

static bool fits(const host_agent *agent, when at) {
    switch (at) {
    case NOW: return agent->here;
    case EXPECTED: return agent->will;
    case COMING: return !agent->here;
    default: return !agent->will;
    }
}

/* Returns the newest one from an agent of its bucket on. */
static host_agent *find_from(host_agent *agent, const char *name, size_t length, when at) {
    while (agent && !(fits(agent, at) && agent->length == length && memcmp(agent->name, name, length) == 0))
        agent = agent->next_named;
    return agent;
}

static host_agent *find(const host *h, const char *name, size_t length, when at) {
    const host_agents *agents = &h->agents;
    if (agents->bucket_count == 0) return NULL;
    return find_from(agents->buckets[bucket_of(agents, name, length)], name, length, at);
}

host_agent *host_agent_find(const host *h, const char *name, size_t length) {
    return find(h, name, length, NOW);
}

static void link_name(host_agents *agents, host_agent *agent) {
    host_agent **bucket = &agents->buckets[bucket_of(agents, agent->name, agent->length)];
    agent->next_named = *bucket;
    *bucket = agent;
}

/* Twice as many buckets; the order of those of a name stays. */
static bool grow_buckets(host_agents *agents) {
    host_agents larger = {.bucket_count = agents->bucket_count == 0 ? 64 : agents->bucket_count * 2};
    larger.buckets = calloc(larger.bucket_count, sizeof *larger.buckets);
    if (!larger.buckets) return false;
    for (size_t i = 0; i < agents->bucket_count; i++) {
        host_agent *reversed = NULL, *next;
        for (host_agent *agent = agents->buckets[i]; agent; agent = next) {
            next = agent->next_named;
            agent->next_named = reversed;
            reversed = agent;
        }
        for (; reversed; reversed = next) {
            next = reversed->next_named;
            link_name(&larger, reversed);
        }
    }
    free(agents->buckets);
    agents->buckets = larger.buckets;
    agents->bucket_count = larger.bucket_count;
    return true;
}

static void free_removed(host_agents *agents) {
    for (host_agent *agent = agents->removed, *next; agent; agent = next) {
        next = agent->next_removed;
        free(agent);
    }
    agents->removed = NULL;
}

void host_agents_updated(host *h) {
    free_removed(&h->agents);
}

void host_agents_free(host_agents *agents) {
    for (size_t i = 0; i < agents->bucket_count; i++)
        for (host_agent *agent = agents->buckets[i], *next; agent; agent = next) {
            next = agent->next_named;
            free(agent);
        }
    free_removed(agents);
    free(agents->buckets);
    free(agents->by_index);
    free(agents->names);
    free(agents->sizes);
    *agents = (host_agents){.names_revision = agents->names_revision + 1};
}

/* ---- adding ---- */

static uint8_t size_of(const host *h, int32_t mover) {
    wend_mover kind = {.struct_bytes = sizeof kind};
    return !wend_map_get_mover(h->map, mover, &kind) ? (uint8_t)kind.size : 1;
}

/* Makes an agent that will come. NULL: no memory */
static host_agent *expect_agent(host_agents *agents, const char *name, size_t length, uint64_t session) {
    if (agents->entries == agents->bucket_count && !grow_buckets(agents)) return NULL;
    host_agent *agent = calloc(1, sizeof *agent + length + 1);
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

static void unlink_name(host_agents *agents, host_agent *agent) {
    host_agent **at = &agents->buckets[bucket_of(agents, agent->name, agent->length)];
    while (*at != agent) at = &(*at)->next_named;
    *at = agent->next_named;
    agents->entries--;
    agents->count -= agent->will;
}

static void append(host_agents *agents, host_agent *agent) {
    agent->previous = agents->last;
    *(agents->last ? &agents->last->next : &agents->first) = agent;
    agents->last = agent;
    agent->here = true;
}

/* It comes, or does not. */
static wend_error enter(host *h, host_agent *agent, const wend_agent_def *def) {
    host_agents *agents = &h->agents;
    agent->def = *def;
    agent->def.context = agent;
    agent->mover = def->mover;
    const wend_error error = h->crowd ? wend_crowd_add(h->crowd, &agent->def, &agent->id) : WEND_OK;
    if (error) {
        unlink_name(agents, agent);
        free(agent);
        return error;
    }
    append(agents, agent);
    agents->names_revision++;
    if (!h->crowd) return WEND_OK;
    agents->by_index[agent->id.index] = agent;
    agents->names[agent->id.index] = agent->name;
    agents->sizes[agent->id.index] = size_of(h, def->mover);
    return WEND_OK;
}

bool host_check_agent(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const wend_name name = order->agent.name;
    if (find(h, name.text, name.length, EXPECTED))
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->agent.name, "there is an agent '%s' already",
                           wend__show_word((wend__span){name.text, name.length, 0}).text);
    if (host_mover_of(h, &order->agent.mover, error) < 0) return false;
    if (h->crowd && h->agents.count == h->agents.most)
        return host_refuse(error, HOST_BUSY, NULL, "there are at most %llu agents at once",
                           (unsigned long long)h->agents.most);
    return expect_agent(&h->agents, name.text, name.length, who->session) || host_no_memory(error);
}

void host_forget_agent(host *h, const wend_order *order) {
    host_agent *agent = find(h, order->agent.name.text, order->agent.name.length, COMING);
    if (!agent) return;
    unlink_name(&h->agents, agent);
    free(agent);
}

/* Words for the library's answers about a place. */
static bool refuse_place(const host *h, host_error *out, wend_error error, const void *member, wend_cell cell) {
    const host_cell_words at = host_cell_text(h->kind, cell);
    out->error = error;
    if (error == WEND_BUSY)
        return host_refuse(out, HOST_BUSY, member, "an agent or a unit stands on %s already", at.text);
    if (error == WEND_BLOCKED)
        return host_refuse(out, HOST_BAD_ARGUMENT, member, "the agent cannot stand on %s", at.text);
    return host_refuse_error(out, error, member);
}

bool host_do_agent(host *h, const host_client *who, const wend_order *order, host_error *error) {
    wend_agent_def def = order->agent.def;
    host_agent *oldest = NULL, *agent = find(h, order->agent.name.text, order->agent.name.length, COMING);
    (void)who;
    for (; agent; agent = find_from(agent->next_named, agent->name, agent->length, COMING)) oldest = agent;
    def.mover = host_mover_of(h, &order->agent.mover, error);
    return refuse_place(h, error, oldest ? enter(h, oldest, &def) : WEND_BUSY, &order->agent.def.cell, def.cell);
}

int host_agent_orders(const host *h, const host_agent *agent, wend_order out[2]) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_name name = {.text = agent->name, .length = agent->length};
    out[0] = (wend_order){.kind = WEND_ORDER_AGENT, .agent = {.name = name, .def = agent->def}};
    wend_agent_def *def = &out[0].agent.def;
    if (h->crowd) {
        wend_crowd_get_agent(h->crowd, agent->id, &state);
        def->cell = state.cell, def->speed_milli = state.speed_milli, def->urgency = state.urgency;
        def->flags = state.flags;
    }
    if (agent->mover != h->movers->standard && agent->mover > 0)
        out[0].agent.mover = wend__named(h->movers->names[agent->mover - 1]);
    out[1] = (wend_order){.kind = WEND_ORDER_STEER, .steer = {name, def->cell}};
    return (def->flags & WEND_AGENT_STEERED) != 0 ? 2 : 1;
}

bool host_agent_wish(const host *h, const host_agent *agent, wend_name *name, wend_order *out) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    *name = host_agent_name(agent);
    if (wend_crowd_get_agent(h->crowd, agent->id, &state) || !state.has_goal || agent->wanders) return false;
    if (agent->route) {
        *out = (wend_order){.kind = WEND_ORDER_TAKE, .take = {*name, wend__named(agent->route)}};
        return true;
    }
    *out = (wend_order){.kind = WEND_ORDER_GO, .go = {.names = {.items = name, .count = 1}, .def = state.goal}};
    if (state.goal.kind == WEND_CROWD_CELL) return true;
    const host_agent *target = h->agents.by_index[state.goal.target.index];
    out->kind = state.goal.kind == WEND_CROWD_FOLLOW ? WEND_ORDER_FOLLOW : WEND_ORDER_FLEE;
    out->go.name = *name;
    if (target) out->go.target = host_agent_name(target);
    return target;
}

/* ---- the agents that an order names ---- */

/// Agents that an order names.
typedef struct named {
    host_agent **agents;
    wend_agent_id *ids;
    size_t count;
} named;

static void free_named(named *of) {
    free(of->agents);
    free(of->ids);
    *of = (named){0};
}

/* The first field of an order to agents names them. */
static wend_names names_of(const wend_order *order, const void **member) {
    const wend__order_field *field = &wend__order_rows[order->kind].fields[0];
    const void *at = *member = (const char *)order + field->offset;
    return field->kind == WEND__NAMES ? *(const wend_names *)at : (wend_names){.items = at, .count = 1};
}

/* Returns the agent of a name that the client may command, of a field of the order. NULL: refused */
static host_agent *find_commanded(const host *h, const host_client *who, wend_name name, when at, const void *member,
                                  host_error *error) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    host_agent *agent = find(h, name.text, name.length, at);
    const bool asks = agent && at == NOW && h->crowd;
    if (!agent || (asks && wend_crowd_get_agent(h->crowd, agent->id, &state)))
        host_refuse(error, HOST_UNKNOWN, member, "there is no agent '%s'",
                    wend__show_word((wend__span){name.text, name.length, 0}).text);
    else if (!who->owner && agent->owner != who->session)
        host_refuse(error, HOST_DENIED, member, "the agent is another session's");
    else if (agent->named)
        host_refuse(error, HOST_BAD_ARGUMENT, member, "'%s' is named twice", agent->name);
    else
        return agent;
    return NULL;
}

/* Find them: each is known to the crowd, the session may command it, and it is named once. Nothing else looks at ids
 * and owners. @return false: refused */
static bool find_named(const host *h, const host_client *who, const wend_order *order, when at, named *out,
                       host_error *error) {
    const void *member;
    const wend_names names = names_of(order, &member);
    host_agent *agent = NULL;
    *out = (named){malloc(names.count * sizeof *out->agents), malloc(names.count * sizeof *out->ids), 0};
    const bool room = out->agents && out->ids;
    if (!room) host_no_memory(error);
    for (size_t i = 0; room && i < names.count; i++) {
        error->index = i;
        agent = find_commanded(h, who, wend__names_at(&names, i), at, member, error);
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

bool host_check_named(host *h, const host_client *who, const wend_order *order, host_error *error) {
    named of;
    if (!find_named(h, who, order, EXPECTED, &of, error)) return false;
    free_named(&of);
    return true;
}

/* ---- removing ---- */

bool host_check_remove(host *h, const host_client *who, const wend_order *order, host_error *error) {
    named of;
    if (!find_named(h, who, order, EXPECTED, &of, error)) return false;
    for (size_t i = 0; i < of.count; i++) of.agents[i]->will = false;
    h->agents.count -= of.count;
    free_named(&of);
    return true;
}

void host_forget_remove(host *h, const wend_order *order) {
    for (size_t i = 0; i < order->names.count; i++) {
        const wend_name name = wend__names_at(&order->names, i);
        host_agent *agent = find(h, name.text, name.length, GOING);
        if (!agent) continue;
        agent->will = true;
        h->agents.count++;
    }
}

static void remove_agent(host *h, host_agent *agent) {
    host_agents *agents = &h->agents;
    unlink_name(agents, agent);
    *(agent->previous ? &agent->previous->next : &agents->first) = agent->next;
    *(agent->next ? &agent->next->previous : &agents->last) = agent->previous;
    agent->here = false;
    agent->next_removed = agents->removed;
    agents->removed = agent;
    agents->names_revision++;
    if (!h->crowd) return;
    wend_crowd_remove(h->crowd, agent->id);
    agents->by_index[agent->id.index] = NULL;
    agents->names[agent->id.index] = NULL;
}

bool host_do_remove(host *h, const host_client *who, const wend_order *order, host_error *error) {
    named of;
    if (!find_named(h, who, order, NOW, &of, error)) return false;
    for (size_t i = 0; i < of.count; i++) remove_agent(h, of.agents[i]);
    free_named(&of);
    return true;
}

/* ---- goals ---- */

/* An order ends the agent's goal. What becomes of the next one is told to `session`.
 * @param stays   it stands until it is ordered again */
static void end_goal(host_agent *agent, uint64_t session, bool stays) {
    agent->unheard = agent->unheard || agent->wanders;
    agent->wanders = false;
    agent->route = NULL;
    agent->stays = stays;
    if (session != 0) agent->orderer = session; /* what is repeated of others is heard by who ordered it here */
}

/* Graphs have no distances. */
static bool check_reach(const host *h, const wend_order *order, host_error *error) {
    const int32_t most = order->kind == WEND_ORDER_FOLLOW ? 1 : 0, reach = order->go.def.reach;
    if (h->kind != WEND_KIND_GRAPH || !wend_order_gave(order, &order->go.def.reach) || reach <= most) return true;
    return host_refuse(error, HOST_BAD_ARGUMENT, &order->go.def.reach, "reach is a whole number from 0 to %d, not '%d'",
                       most, reach);
}

static bool has_target(const host *h, const wend_order *order, when at, host_error *error) {
    const wend_name target = order->go.target;
    if (order->kind == WEND_ORDER_GO || find(h, target.text, target.length, at)) return true;
    return host_refuse(error, HOST_UNKNOWN, &order->go.target, "there is no agent '%s'",
                       wend__show_word((wend__span){target.text, target.length, 0}).text);
}

bool host_check_goal(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const wend_name target = order->go.target;
    if (!host_check_named(h, who, order, error)) return false;
    if (order->kind == WEND_ORDER_GO) return check_reach(h, order, error);
    if (!has_target(h, order, EXPECTED, error)) return false;
    if (target.length == order->go.name.length && memcmp(target.text, order->go.name.text, target.length) == 0)
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->go.target, "'%.*s' is named twice", (int)target.length,
                           target.text);
    return order->kind != WEND_ORDER_FOLLOW || check_reach(h, order, error);
}

/// Gives an order to the agents that it names.
typedef wend_error give_fn(const host *h, const named *of, const wend_order *order);

static wend_error give_goal(const host *h, const named *of, const wend_order *order) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.reach = order->go.def.reach;
    if (order->kind == WEND_ORDER_GO) {
        goal.cell = order->go.def.cell;
        return wend_crowd_go(h->crowd, of->ids, of->count, &goal);
    }
    goal.kind = order->kind == WEND_ORDER_FOLLOW ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
    goal.target = find(h, order->go.target.text, order->go.target.length, NOW)->id;
    goal.keep = order->go.def.keep;
    if (order->kind == WEND_ORDER_FLEE) goal.distance = order->go.def.distance;
    return wend_crowd_go(h->crowd, of->ids, of->count, &goal);
}

/* Repeated orders find agents where they began. One that is steered stands where its last step was to lead. */
static wend_error give_step(const host *h, const named *of, const wend_order *order) {
    const wend_cell cell = order->steer.cell;
    const wend_error error = wend_crowd_step(h->crowd, of->ids[0], cell);
    if (!error && h->repeats && !wend_crowd_move(h->crowd, of->ids[0], cell))
        (void)wend_crowd_step(h->crowd, of->ids[0], cell);
    return error;
}

static wend_error give_halt(const host *h, const named *of, const wend_order *order) {
    (void)order;
    return wend_crowd_halt(h->crowd, of->ids, of->count);
}

static wend_error give_route(const host *h, const named *of, const wend_order *order) {
    host_route *route = host_route_find(h->routes, order->take.route.text, order->take.route.length);
    const wend_error error = host_route_add(route, h->crowd);
    return error ? error : wend_crowd_take(h->crowd, of->ids[0], route->number);
}

/* Events of goals that ended wait for the next update, which may be far: a server may be paused. One of no time tells
 * of them. */
static bool give(host *h, const host_client *who, const wend_order *order, give_fn *fn, bool stays, host_error *error) {
    named of;
    if (!find_named(h, who, order, NOW, &of, error)) return false;
    wend_error refused = fn(h, &of, order);
    if (refused == WEND_BUSY && h->tells_events && !wend_crowd_update(h->crowd, 0)) refused = fn(h, &of, order);
    for (size_t i = 0; !refused && i < of.count; i++)
        end_goal(of.agents[i], fn == give_halt ? of.agents[i]->orderer : who->session, stays);
    free_named(&of);
    return host_refuse_error(error, refused, NULL);
}

bool host_do_goal(host *h, const host_client *who, const wend_order *order, host_error *error) {
    return has_target(h, order, NOW, error) && give(h, who, order, give_goal, false, error);
}

/* An agent that is only listed can be steered to its own cell: then it is a steered one, which stands. */
static bool list_steered(host *h, const wend_order *order, host_error *error) {
    host_agent *agent = find(h, order->steer.name.text, order->steer.name.length, NOW);
    if (memcmp(&agent->def.cell, &order->steer.cell, sizeof agent->def.cell) != 0)
        return host_refuse(error, HOST_NO_CROWD, &order->steer.cell,
                           "in a world file an agent is steered to its own cell");
    agent->def.flags |= WEND_AGENT_STEERED;
    return true;
}

bool host_do_steer(host *h, const host_client *who, const wend_order *order, host_error *error) {
    if (!h->crowd) return list_steered(h, order, error);
    return give(h, who, order, give_step, true, error);
}

bool host_do_halt(host *h, const host_client *who, const wend_order *order, host_error *error) {
    return give(h, who, order, give_halt, true, error);
}

bool host_check_take(host *h, const host_client *who, const wend_order *order, host_error *error) {
    return host_check_named(h, who, order, error) && host_names_route(h, order, error);
}

bool host_do_take(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const wend_name name = order->take.name, route = order->take.route;
    if (!host_has_route(h, order, error) || !give(h, who, order, give_route, false, error)) return false;
    find(h, name.text, name.length, NOW)->route = host_route_find(h->routes, route.text, route.length)->name;
    return true;
}

/* ---- becoming faster, more urgent, or of another kind ---- */

bool host_check_adjust(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const wend_cell *cell = &order->adjust.cell;
    if (!host_check_named(h, who, order, error)) return false;
    if (host_mover_of(h, &order->adjust.mover, error) < 0) return false;
    if (!wend_order_gave(order, cell)) return true;
    if (order->adjust.names.count == 1) return true;
    return host_refuse(error, HOST_BAD_ARGUMENT, cell, "a cell is for one agent");
}

static void change_mover(host *h, const named *of, int32_t mover) {
    for (size_t i = 0; i < of->count; i++) {
        of->agents[i]->mover = mover;
        h->agents.sizes[of->ids[i].index] = size_of(h, mover);
    }
    h->agents.names_revision++; /* it tells sizes, too */
}

bool host_do_adjust(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const bool moves = wend_order_gave(order, &order->adjust.cell);
    const bool becomes = wend_order_gave(order, &order->adjust.mover);
    const int32_t mover = host_mover_of(h, &order->adjust.mover, error);
    const void *member = moves ? (const void *)&order->adjust.cell : &order->adjust.mover;
    named of;
    if (!find_named(h, who, order, NOW, &of, error)) return false;
    wend_error refused = moves ? wend_crowd_move(h->crowd, of.ids[0], order->adjust.cell) : WEND_OK;
    if (h->repeats) refused = WEND_OK; /* the cell may be taken now */
    if (!refused && becomes) {
        member = &order->adjust.mover;
        refused = wend_crowd_set_mover(h->crowd, of.ids, of.count, mover);
        if (!refused) change_mover(h, &of, mover);
    }
    for (size_t i = 0; !refused && i < of.count; i++) {
        if (wend_order_gave(order, &order->adjust.speed_milli))
            wend_crowd_set_speed(h->crowd, of.ids[i], order->adjust.speed_milli);
        if (wend_order_gave(order, &order->adjust.urgency))
            wend_crowd_set_urgency(h->crowd, of.ids[i], order->adjust.urgency);
    }
    free_named(&of);
    return host_refuse_error(error, refused, member);
}

/* ---- is there room? ---- */

static bool covers(const host *h, wend_cell at, int32_t size, wend_cell cell) {
    const int32_t x = cell.x - at.x, y = cell.y - at.y, z = cell.z - at.z;
    const int32_t deep = h->kind == WEND_KIND_VOXEL ? size : 1;
    return x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < deep;
}

/* Checks that an agent of a mover could be on a cell now.
 * @param own   cells along a side that it holds there already */
static wend_error check_place(const host *h, int32_t mover, wend_cell at, int32_t own, bool ghost) {
    const int32_t size = size_of(h, mover), deep = h->kind == WEND_KIND_VOXEL ? size : 1;
    wend_cell cell;
    int32_t found = 1;
    const wend_error error = wend_map_nearest_open(h->map, mover, at, 0, &found, &cell);
    if (error && error != WEND_UNSUPPORTED) return error;
    if (!found) return WEND_BLOCKED;
    for (cell.z = at.z; !ghost && cell.z < at.z + deep; cell.z++)
        for (cell.y = at.y; cell.y < at.y + size; cell.y++)
            for (cell.x = at.x; cell.x < at.x + size; cell.x++) {
                uint32_t units = 0;
                wend_map_get_occupants(h->map, cell, &units);
                if (units > 0 && !covers(h, at, own, cell)) return WEND_BUSY;
            }
    return WEND_OK;
}

bool host_has_room(const host *h, const wend_order *order, host_error *error) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (order->kind == WEND_ORDER_AGENT) {
        const wend_agent_def *def = &order->agent.def;
        const int32_t mover = host_mover_of(h, &order->agent.mover, error);
        return refuse_place(h, error, check_place(h, mover, def->cell, 0, def->flags & WEND_AGENT_GHOST), &def->cell,
                            def->cell);
    }
    if (order->kind != WEND_ORDER_ADJUST || !wend_order_gave(order, &order->adjust.mover)) return true;
    const int32_t mover = host_mover_of(h, &order->adjust.mover, error);
    for (size_t i = 0; i < order->adjust.names.count; i++) {
        const wend_name name = wend__names_at(&order->adjust.names, i);
        const host_agent *agent = host_agent_find(h, name.text, name.length);
        if (!agent || agent->mover == mover) continue;
        wend_crowd_get_agent(h->crowd, agent->id, &state);
        const wend_error refused =
            check_place(h, mover, state.cell, size_of(h, agent->mover), state.flags & WEND_AGENT_GHOST);
        if (!refuse_place(h, error, refused, &order->adjust.names, state.cell)) return false;
    }
    return true;
}
