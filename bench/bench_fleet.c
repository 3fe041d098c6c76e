/* SPDX-License-Identifier: MIT */
/* Many maps on many nodes, simulated: bench_fleet [NAME=VALUE]... Prints CSV, a line for each second, and what it found
 * as comments. docs/scale.md has what is assumed and what came out.
 *
 * A map has an owner and a follower. Its load goes up and down with its players. Nodes fail: their maps are claimed by
 * their followers once the lease has ended, read on, and get a new follower somewhere. A balancer moves one
 * follower at a time from the busiest node to the idlest one. What a map costs was measured: bench/cluster.py. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

enum {
    MAPS,
    AGENTS,
    NODES,
    CORES,
    SECONDS,
    OWNER_MS,
    FOLLOWER_MS,
    IDLE_MS,
    WAKE_MS,
    LEASE_MS,
    GOALS,
    GOAL_BYTES,
    PLACE_BYTES,
    PLACES_HZ,
    ENTRIES,
    QUIET_MESSAGES,
    ENTRY_MESSAGES,
    NATS_US,
    SWING,
    BALANCE,
    MARGIN,
    MOVE_S,
    FAIL_AT,
    FAIL_NODES,
    RACK_AT,
    RACK_NODES,
    BACK_AFTER,
    SPREAD,
    SEED,
    SETTINGS
};

static struct {
    const char *name;
    double value;
    const char *what;
} settings[SETTINGS] = {
    [MAPS] = {"maps", 10000, "maps"},
    [AGENTS] = {"agents", 1000, "agents of a map, in the mean"},
    [NODES] = {"nodes", 64, "nodes"},
    [CORES] = {"cores", 16, "processors of a node that wend may use"},
    [SECONDS] = {"seconds", 1800, "that are simulated"},
    [OWNER_MS] = {"owner_ms", 27, "processor time a second of an owner, for a thousand agents"},
    [FOLLOWER_MS] = {"follower_ms", 27, "and of a follower"},
    [IDLE_MS] = {"idle_ms", 4, "of a map without agents, each"},
    [WAKE_MS] = {"wake_ms", 60, "processor time of a takeover: routes are searched again, tables and fields made"},
    [LEASE_MS] = {"lease_ms", 2000, "of a lease"},
    [GOALS] = {"wishes", 100, "orders a second, for a thousand agents"},
    [GOAL_BYTES] = {"wish_bytes", 330, "that NATS gets for an order"},
    [PLACE_BYTES] = {"place_bytes", 16, "an agent, in a message of places"},
    [PLACES_HZ] = {"places_hz", 4, "messages of places a second"},
    [ENTRIES] = {"entries", 100, "entries of a map's log a second, at most: more orders share one"},
    [QUIET_MESSAGES] = {"quiet_messages", 70, "that NATS gets a second of a map without orders"},
    [ENTRY_MESSAGES] = {"entry_messages", 2, "and for an entry"},
    [NATS_US] = {"nats_us", 98, "processor time of NATS, a message"},
    [SWING] = {"swing", 0.8, "how far a map's agents go up and down: 0.8 is from 0.2 to 1.8 of the mean"},
    [BALANCE] = {"balance", 1, "0: maps stay where they are"},
    [MARGIN] = {"margin", 0.1, "of a node's processors: as much must the busiest be above the idlest"},
    [MOVE_S] = {"move_s", 0.5, "between two moves"},
    [FAIL_AT] = {"fail_at", 300, "second in which fail_nodes nodes fail"},
    [FAIL_NODES] = {"fail_nodes", 1, "nodes"},
    [RACK_AT] = {"rack_at", 700, "second in which rack_nodes nodes fail"},
    [RACK_NODES] = {"rack_nodes", 8, "nodes"},
    [BACK_AFTER] = {"back_after", 300, "seconds after which they are back"},
    [SPREAD] = {"spread", 1, "1: a map's follower is on any node; 0: on the one next to the owner's"},
    [SEED] = {"seed", 1, "of all chances"},
};

#define IS(name) (settings[name].value)

static void read_settings(int count, char **words) {
    for (int i = 1; i < count; i++) {
        const size_t length = strcspn(words[i], "=");
        int at = 0;
        char *end = words[i] + length;
        while (at < SETTINGS &&
               (strlen(settings[at].name) != length || strncmp(settings[at].name, words[i], length) != 0))
            at++;
        if (at < SETTINGS && *end == '=') settings[at].value = strtod(end + 1, &end);
        if (at < SETTINGS && *end == '\0' && isfinite(IS(at)) && IS(at) >= 0) continue;
        fprintf(stderr, "fleet: %s: NAME=VALUE, and NAME is one of:\n", words[i]);
        for (at = 0; at < SETTINGS; at++)
            fprintf(stderr, "  %-13s %-7g %s\n", settings[at].name, IS(at), settings[at].what);
        exit(2);
    }
    if (IS(NODES) < 3 || IS(NODES) > 4096 || IS(MAPS) < 1 || IS(MAPS) > 1e6 ||
        IS(FAIL_NODES) + IS(RACK_NODES) > IS(NODES) - 2) {
        fprintf(stderr, "fleet: 3 to 4096 nodes, of which two never fail; 1 to 1000000 maps\n");
        exit(2);
    }
}

/* ---- chances ---- */

static uint64_t state;

static double chance(void) {
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static int draw(int below) {
    return (int)(chance() * below);
}

/* ---- the fleet ---- */

typedef struct fleet_map {
    int owner, follower; ///< nodes; -1: none
    double size, period, phase;
    double free_at, wakes_until; ///< when it is claimed; until when its takeover's work is done
} fleet_map;

typedef struct fleet_node {
    bool up;
    double back_at, load, backlog; ///< ms a second; ms of unfinished takeovers
} fleet_node;

static fleet_map *maps;
static fleet_node *nodes;
static int map_count, node_count;

static double agents_of(const fleet_map *map, double now) {
    return map->size * (1 + IS(SWING) * sin(2 * acos(-1.0) * (now / map->period + map->phase)));
}

static double cost(double ms, double agents) {
    return IS(IDLE_MS) + ms * agents / 1000;
}

static int any_node(const fleet_map *map) {
    int node;
    if (IS(SPREAD) == 0) {
        for (node = (map->owner + 1) % node_count; !nodes[node].up && node != map->owner;)
            node = (node + 1) % node_count;
        return node == map->owner ? -1 : node;
    }
    do node = draw(node_count);
    while (!nodes[node].up || node == map->owner);
    return node;
}

static void begin(void) {
    map_count = (int)IS(MAPS), node_count = (int)IS(NODES), state = (uint64_t)IS(SEED);
    maps = calloc((size_t)map_count, sizeof *maps);
    nodes = calloc((size_t)node_count, sizeof *nodes);
    if (!maps || !nodes) exit(3);
    for (int i = 0; i < node_count; i++) nodes[i] = (fleet_node){.up = true, .back_at = -1};
    for (int i = 0; i < map_count; i++) {
        /* A few maps are full, most are not: sizes go from a fifth to five times the median. */
        const double size = IS(AGENTS) * exp(1.6 * (chance() - 0.5)) / 1.1066;
        maps[i] = (fleet_map){.owner = i % node_count,
                              .follower = -1,
                              .size = size,
                              .period = 600 + 3000 * chance(),
                              .phase = chance(),
                              .free_at = -1,
                              .wakes_until = -1};
        maps[i].follower = any_node(&maps[i]);
    }
}

static void add_loads(double now) {
    for (int i = 0; i < node_count; i++) nodes[i].load = 0;
    for (int i = 0; i < map_count; i++) {
        const double agents = agents_of(&maps[i], now);
        if (maps[i].owner >= 0) nodes[maps[i].owner].load += cost(IS(OWNER_MS), agents);
        if (maps[i].follower >= 0) nodes[maps[i].follower].load += cost(IS(FOLLOWER_MS), agents);
    }
}

/* ---- what happens ---- */

static uint64_t claims, moves;
static double longest_pause, worst_claims;

/* A map that lost its follower with its owner waits for a node that reads its log from the beginning. */
static void fail(int node, double now) {
    nodes[node] = (fleet_node){.up = false, .back_at = now + IS(BACK_AFTER)};
    for (int i = 0; i < map_count; i++) {
        fleet_map *map = &maps[i];
        if (map->follower == node) map->follower = map->owner >= 0 && map->owner != node ? any_node(map) : -1;
        if (map->owner != node) continue;
        /* Renewals come at any time of their third; candidates look eight times a lease, and wait a tenth longer. */
        const double lease = IS(LEASE_MS) / 1000;
        map->owner = -1;
        map->free_at = now + lease * (1.1 - chance() / 3 + chance() / 8);
    }
}

static void claim(fleet_map *map, double now) {
    enum { FROM_THE_LOG = 4 }; /* times the work of a follower that takes over */
    const bool warm = map->follower >= 0;
    const double work = IS(WAKE_MS) * agents_of(map, now) / 1000 * (warm ? 1 : FROM_THE_LOG);
    map->owner = warm ? map->follower : any_node(map);
    map->follower = any_node(map);
    fleet_node *node = &nodes[map->owner];
    node->backlog += work;
    const double spare = IS(CORES) * 1000 - node->load;
    const double wait = spare > 50 ? node->backlog / spare : node->backlog / 50;
    map->wakes_until = now + wait;
    const double pause = now - map->free_at + IS(LEASE_MS) / 1000 * 1.1 + (warm ? 0 : wait);
    if (pause > longest_pause) longest_pause = pause;
    claims++;
}

/* A follower of the busiest node goes to the idlest one, without a pause: the one that evens the two out most. An owner
 * costs about as much as a follower, so that handing maps over gains nothing. */
static bool balance(double now) {
    int busiest = -1, idlest = -1;
    for (int i = 0; i < node_count; i++) {
        if (!nodes[i].up) continue;
        if (busiest < 0 || nodes[i].load > nodes[busiest].load) busiest = i;
        if (idlest < 0 || nodes[i].load < nodes[idlest].load) idlest = i;
    }
    const double gap = nodes[busiest].load - nodes[idlest].load;
    double best = 0;
    fleet_map *chosen = NULL;
    for (int i = 0; i < map_count && gap > IS(MARGIN) * IS(CORES) * 1000; i++) {
        if (maps[i].follower != busiest || maps[i].owner == idlest) continue;
        const double moved = cost(IS(FOLLOWER_MS), agents_of(&maps[i], now));
        const double gain = fmin(moved, gap - moved);
        if (gain > best) best = gain, chosen = &maps[i];
    }
    if (!chosen) return false;
    chosen->follower = idlest;
    moves++;
    return true;
}

/* ---- a run ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double most_load, worst_messages, worst_bytes, unowned_seconds, late_seconds;

static void report(double now, int new_claims) {
    double loads[4096], agents = 0;
    int up = 0, unowned = 0;
    for (int i = 0; i < node_count; i++)
        if (nodes[i].up) loads[up++] = nodes[i].load / (IS(CORES) * 10); /* percent */
    qsort(loads, (size_t)up, sizeof *loads, compare);
    for (int i = 0; i < map_count; i++) {
        agents += maps[i].owner >= 0 ? agents_of(&maps[i], now) : 0;
        unowned += maps[i].owner < 0;
    }
    const double owned = map_count - unowned, orders = IS(GOALS) * agents / 1000;
    const double messages =
        owned * IS(QUIET_MESSAGES) + fmin(owned * IS(ENTRIES), orders) * IS(ENTRY_MESSAGES) + new_claims * 6;
    const double bytes = agents * (IS(PLACES_HZ) * IS(PLACE_BYTES) + IS(GOALS) * IS(GOAL_BYTES) / 1000);
    printf("%.0f,%d,%.1f,%.1f,%.1f,%d,%d,%.0f,%.1f\n", now, up, loads[0], loads[up / 2], loads[up - 1], unowned,
           new_claims, messages, bytes / 1e6);
    most_load = fmax(most_load, loads[up - 1]);
    worst_messages = fmax(worst_messages, messages);
    worst_bytes = fmax(worst_bytes, bytes / 1e6);
    worst_claims = fmax(worst_claims, new_claims);
    unowned_seconds += unowned;
    for (int i = 0; i < up; i++) late_seconds += loads[i] > 100;
}

static void second(double now) {
    enum { STEPS = 10 };
    int new_claims = 0;
    for (int step = 0; step < STEPS; step++) {
        const double at = now + (double)step / STEPS;
        for (int i = 0; i < map_count; i++)
            if (maps[i].owner < 0 && maps[i].free_at <= at) claim(&maps[i], at), new_claims++;
    }
    for (int i = 0; i < node_count; i++) {
        const double spare = fmax(IS(CORES) * 1000 - nodes[i].load, 50);
        nodes[i].backlog = fmax(nodes[i].backlog - spare, 0);
        if (!nodes[i].up && nodes[i].back_at <= now) nodes[i].up = true;
    }
    for (double left = IS(BALANCE) != 0 ? 1 : 0; left > 0 && balance(now); left -= IS(MOVE_S)) add_loads(now);
    report(now, new_claims);
}

int main(int count, char **words) {
    read_settings(count, words);
    begin();
    printf("second,nodes,idlest,median,busiest,unowned,claims,messages_per_s,mb_per_s\n");
    for (double now = 0; now < IS(SECONDS); now++) {
        const int failing = now == IS(FAIL_AT) ? (int)IS(FAIL_NODES) : now == IS(RACK_AT) ? (int)IS(RACK_NODES) : 0;
        for (int i = 0; i < failing; i++) fail(now == IS(FAIL_AT) ? i : (int)IS(FAIL_NODES) + i, now);
        add_loads(now);
        second(now);
    }
    printf("# busiest node, most: %.0f %% of its processors; node seconds above 100 %%: %.0f\n", most_load,
           late_seconds);
    printf("# takeovers: %llu, at most %.0f in a second; longest pause %.1f s; map seconds without owner: %.0f\n",
           (unsigned long long)claims, worst_claims, longest_pause, unowned_seconds);
    printf("# moves to balance: %llu\n", (unsigned long long)moves);
    printf("# at most %.0f messages a second, which take %.0f processors of NATS, and %.0f MB a second\n",
           worst_messages, worst_messages * IS(NATS_US) / 1e6, worst_bytes);
    free(maps);
    free(nodes);
    return 0;
}
