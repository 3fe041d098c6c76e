/* SPDX-License-Identifier: MIT */
/* Internal: LaCAM (Okumura 2023, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding") moves a few agents
 * among a few cells until those that must arrive are on their goals. In each step all agents move, or stay. The search
 * is complete: with enough nodes it finds a way, or proves that none exists. Cells are numbers, without a map. */
#ifndef WEND_SRC_AGENTS_FLOOR_LACAM_H
#define WEND_SRC_AGENTS_FLOOR_LACAM_H

#include "base/base.h"
#include "map/store/directions.h"

enum { WEND__LACAM_CELLS = 255, WEND__LACAM_AGENTS = 60, WEND__LACAM_NODES = 2048, WEND__LACAM_NONE = 255 };

/// A cell, known by its number.
typedef struct wend__lacam_cell {
    uint8_t neighbours[WEND__DIRECTIONS]; ///< the numbers of the cells around it; WEND__LACAM_NONE: none
    uint8_t steps;                        ///< bit d: a step leads in direction d to one of these
} wend__lacam_cell;

typedef struct wend__lacam_agent {
    uint8_t start;
    uint8_t goal; ///< WEND__LACAM_NONE: none; it moves only to make room
    bool must;    ///< the search ends when all such agents are on their goals. No two have the same goal
} wend__lacam_agent;

typedef struct wend__lacam_node wend__lacam_node;

typedef struct wend__lacam {
    uint32_t cell_count, agent_count; ///< in: these two and the next three are the question
    bool no_circles;                  ///< in: agents must not move round in a circle
    wend__lacam_cell cells[WEND__LACAM_CELLS];
    wend__lacam_agent agents[WEND__LACAM_AGENTS];
    uint32_t most_agents;
    uint32_t node_count, open_count, tries;
    uint32_t searches;          ///< number of searches begun
    wend__lacam_node *solution; ///< the last node of the solution; NULL: none
    uint16_t *distances;        ///< distance from each agent's goal to each cell
    uint8_t *nodes;
    uint16_t *open; ///< a stack of nodes; of a solution: its nodes, by step
    int16_t buckets[WEND__LACAM_NODES];
    uint8_t next[WEND__LACAM_AGENTS];   ///< the step that is being made, by agent
    uint8_t holder[WEND__LACAM_CELLS];  ///< agent on each cell
    uint8_t claimer[WEND__LACAM_CELLS]; ///< agent that will be on each cell
    const uint8_t *from;                ///< where the agents are in the step that is being made
} wend__lacam;

/// @param agents   most agents, 1 to WEND__LACAM_AGENTS
size_t wend__lacam_bytes(uint32_t agents);
/// @param memory   8-byte aligned, wend__lacam_bytes() long
wend__lacam *wend__lacam_init(void *memory, uint32_t agents);

/// Begins the search that *l describes. An agent with a goal out of reach drops it.
void wend__lacam_begin(wend__lacam *l);

enum { WEND__LACAM_RUNNING, WEND__LACAM_SOLVED, WEND__LACAM_FAILED };

/// Tries one more step for all agents. SOLVED: no agent comes back to a cell where no other was in the meantime. FAILED: there is no solution, or no room for another node.
/// Cost: O(agents).
int wend__lacam_try(wend__lacam *l);

/// Returns the number of steps of a solution.
uint32_t wend__lacam_steps(const wend__lacam *l);
/// Returns the cells of the agents after a step, 0 to wend__lacam_steps(). Valid until the next search begins.
const uint8_t *wend__lacam_after(const wend__lacam *l, uint32_t step);

#endif
