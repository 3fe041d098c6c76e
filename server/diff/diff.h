/* SPDX-License-Identifier: MIT */
/* The first object in which two worlds differ, and the first frame after which they do. */
#ifndef WEND_SERVER_DIFF_DIFF_H
#define WEND_SERVER_DIFF_DIFF_H

#include "script/script.h"

/// The object, and its contents in each of the two.
typedef struct diff_object {
    const char *what; ///< "agent", "cell", …
    char name[128];
    char has[2][1024]; ///< members of a JSON object; "": the world lacks the object
} diff_object;

/* say.c */

/// Returns whether the two texts differ, and then names the object.
bool diff_said(diff_object *out, const char *what, const char *name);
/// Appends members to a text, as far as there is room.
void diff_add(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
/// Appends the mover and the weights of layers by which an agent goes, or a request, where they are not the default.
/// Names are the script's, also of a recording that is compared with it.
void diff_add_way(script_state *const worlds[2], int own, int32_t mover, int32_t profile, char *text, size_t room);
/// Writes a cell as in the lines of a script.
void diff_name_cell(const script_state *script, wend_cell cell, char *out, size_t room);

/// Returns whether objects of two worlds are paired by the order of their creation, not by name: one world is of a
/// recording, which has other names.
static inline bool diff_by_order(script_state *const worlds[2]) {
    return worlds[0]->recorded != worlds[1]->recorded;
}

/* Each function returns whether it has found a difference. */

/// The map: its size and rules, its movers, its layers.
bool diff_settings(script_state *const worlds[2], diff_object *out);
/// Cells, links, edges, closed steps, values of layers.
bool diff_ground(script_state *const worlds[2], diff_object *out);
/// Routes, agents, boxes.
bool diff_actors(script_state *const worlds[2], diff_object *out);
bool diff_requests(script_state *const worlds[2], diff_object *out);
/// Results of agents and requests: units, weights of layers, the number of the version.
bool diff_results(script_state *const worlds[2], diff_object *out);
/// The queue; parts of the world in which nothing was found but another hash; the number of frames.
bool diff_parts(script_state *const worlds[2], diff_object *out);

/// A script that is run twice: for its hashes, and up to the frame that differs.
typedef struct diff_side {
    const char *path;
    const char *text;
    size_t size;
    uint64_t budget;
    /// For tests: changes the world before a frame's hash. NULL: none
    void (*change)(void *context, script_state *script);
    void *context;
    script_options options;
    script_state script;
    uint64_t *hashes; ///< after each frame
    size_t count, capacity;
    uint64_t ends; ///< frames that it runs
    bool starved;
} diff_side;

/// Compare two scripts, and print what is found. @return CLI_DONE, CLI_ANSWER_IS_NO, or the exit status of an error
int diff_scripts(diff_side sides[2], FILE *out);
/// Compare two saves.
int diff_saves(diff_side sides[2], FILE *out);

#endif
