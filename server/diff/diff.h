/* SPDX-License-Identifier: MIT */
/* The first object in which two worlds differ, and the first frame after which they do. */
#ifndef WEND_SERVER_DIFF_DIFF_H
#define WEND_SERVER_DIFF_DIFF_H

#include "script/script.h"

/// The object, and its contents in each of the two.
typedef struct diff_object {
    const char *what; ///< "agent", "cell", …
    char name[128];
    char has[2][512]; ///< members of a JSON object; "": the world lacks the object
} diff_object;

/// Returns whether the two texts differ, and then names the object.
bool diff_said(diff_object *out, const char *what, const char *name);

/* Each function returns whether it has found a difference. */

/// The map: its size, cells, links, layers.
bool diff_ground(script_state *const worlds[2], diff_object *out);
/// Routes, agents, requests, the queue.
bool diff_actors(script_state *const worlds[2], diff_object *out);
/// Units, which follow from agents as well; the map's number.
bool diff_units(script_state *const worlds[2], diff_object *out);

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
    uint64_t ends; ///< the frame behind which it stops
    bool starved;
} diff_side;

/// Compare two scripts, and print what is found. @return CLI_DONE, CLI_ANSWER_IS_NO, or the exit status of an error
int diff_scripts(diff_side sides[2], FILE *out);
/// Compare two saves.
int diff_saves(diff_side sides[2], FILE *out);

#endif
