/* SPDX-License-Identifier: MIT */
/* Returns the names of constants that answers hold: states, events, reasons. */
#include "base/base.h"
#include "base/names.h"

#include <wend/crowd.h>
#include <wend/explain.h>
#include <wend/figures.h>

#define CASE_WORD(constant, word, text) WEND__CASE_TEXT(constant, word)
#define WORDS(X) WEND__GENERAL_LIST(CASE_WORD)
#define CASE_SENTENCE(constant, word, text) WEND__CASE_TEXT(constant, text)
#define SENTENCES(X) WEND__GENERAL_LIST(CASE_SENTENCE)

/* The layout program takes a definition by a macro for a part of the next one. */
/* clang-format off */
static WEND__DEFINE_TEXT(state_name, WEND__AGENT_STATES, "unknown")
static WEND__DEFINE_TEXT(event_name, WEND__AGENT_EVENTS, "unknown")
static WEND__DEFINE_TEXT(why_name, WEND__AGENT_WHYS, "unknown")
static WEND__DEFINE_TEXT(wait_name, WEND__AGENT_WAITS, "unknown")
static WEND__DEFINE_TEXT(progress_name, WEND__PROGRESS_LIST, "unknown")
static WEND__DEFINE_TEXT(general_name, WORDS, "unknown")
static WEND__DEFINE_TEXT(general_text, SENTENCES, "unknown")
/* clang-format on */

const char *wend_constant_name(int32_t list, int32_t value) {
    switch (list) {
    case WEND_NAME_AGENT_STATE: return state_name(value);
    case WEND_NAME_AGENT_EVENT: return event_name(value);
    case WEND_NAME_WHY: return why_name(value);
    case WEND_NAME_WAIT: return wait_name(value);
    case WEND_NAME_PROGRESS: return progress_name(value);
    case WEND_NAME_GENERAL: return general_name(value);
    case WEND_NAME_GENERAL_TEXT: return general_text(value);
    default: return "unknown";
    }
}
