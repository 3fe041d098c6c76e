/* SPDX-License-Identifier: MIT */
/* Returns the names of constants that answers hold: states, events, reasons. */
#include "base/base.h"
#include "base/names.h"

#include <wend/crowd.h>
#include <wend/explain.h>
#include <wend/figures.h>

#define CASE_WORD(constant, word, text) WEND__CASE_TEXT(constant, word)
#define WORDS(unused) WEND__GENERAL_LIST(CASE_WORD)
#define CASE_SENTENCE(constant, word, text) WEND__CASE_TEXT(constant, text)
#define SENTENCES(unused) WEND__GENERAL_LIST(CASE_SENTENCE)

/* Returns from the function with the word of `value` in a list. */
#define RETURN_WORD(list)                                                                                              \
    switch (value) { list(WEND__CASE_TEXT) default : return "unknown"; }

const char *wend_constant_name(int32_t list, int32_t value) {
    switch (list) {
    case WEND_NAME_AGENT_STATE: RETURN_WORD(WEND__AGENT_STATES)
    case WEND_NAME_AGENT_EVENT: RETURN_WORD(WEND__AGENT_EVENTS)
    case WEND_NAME_WHY: RETURN_WORD(WEND__AGENT_WHYS)
    case WEND_NAME_WAIT: RETURN_WORD(WEND__AGENT_WAITS)
    case WEND_NAME_PROGRESS: RETURN_WORD(WEND__PROGRESS_LIST)
    case WEND_NAME_GENERAL: RETURN_WORD(WORDS)
    case WEND_NAME_GENERAL_TEXT: RETURN_WORD(SENTENCES)
    default: return "unknown";
    }
}
