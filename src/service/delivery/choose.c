/* SPDX-License-Identifier: MIT */
/* Chooses the answers that a frame delivers. If the budget has no room for all, urgency decides, and one in `fair`
 * is the answer left over for longest. The others are left over: in a heap by urgency and number, and in a chain by
 * age. */
#include "service/delivery/delivery.h"

#include "service/queue/queue.h"
#include "service/store/heap.h"
#include "service/store/numbers.h"

/* ---- answers left over ---- */

static uint64_t key_of(const wend__entry *entry) {
    return (uint64_t)wend__rank(entry->request.urgency) << 53 | entry->number;
}

static void leave_over(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__numbers_remove(&service->finished, entry->number, index);
    wend__heap_push(&service->left_over, key_of(entry), 0, index);
    wend__chain_append(service, &service->left_since, index);
    entry->left_over = true;
}

static void take_out(wend_service *service, uint32_t index) {
    wend__heap_remove(&service->left_over, index);
    wend__chain_remove(service, &service->left_since, index);
    service->entries[index].left_over = false;
}

static void choose(wend_service *service, uint32_t index) {
    take_out(service, index);
    wend__complete_wait(service, index);
}

void wend__choose_remove(wend_service *service, uint32_t index) {
    if (service->entries[index].left_over)
        take_out(service, index);
    else
        wend__numbers_remove(&service->finished, service->entries[index].number, index);
}

void wend__choose_set_urgency(wend_service *service, uint32_t index, int32_t urgency) {
    wend__entry *entry = &service->entries[index];
    if (entry->left_over) wend__heap_remove(&service->left_over, index);
    entry->request.urgency = urgency;
    if (entry->left_over) wend__heap_push(&service->left_over, key_of(entry), 0, index);
}

/* ---- choosing ---- */

/// Effort of answers, or the limit of a frame.
typedef struct effort {
    uint64_t answers, cells, ns;
} effort;

static effort limit_of(const wend__tick *tick, uint64_t now_ns) {
    const wend__budget *budget = tick->budget;
    effort most = {budget->deliveries, budget->cells, WEND_NO_LIMIT};
    if (budget->chosen != WEND_NO_LIMIT) return (effort){budget->chosen, WEND_NO_LIMIT, WEND_NO_LIMIT};
    if (tick->end_ns == WEND_NO_LIMIT) return most;
    most.ns = tick->end_ns > now_ns ? tick->end_ns - now_ns : 0;
    return most;
}

/* Decides by the mean time of an answer; if time may be short, answers are chosen one by one. */
static bool holds_all(const wend_service *service, const effort *most, uint64_t answers) {
    if (answers == 0) return true;
    if (most->cells != WEND_NO_LIMIT || answers > most->answers) return false;
    return most->ns == WEND_NO_LIMIT || answers * service->delivery_ns <= most->ns / 2;
}

/* Returns how many cells an answer hands over. In the shared field the number is estimated from the cost, unless cells
 * count for a limit. */
static uint64_t cells_of(wend_service *service, wend__entry *entry, bool exactly) {
    if (entry->cost < 0) return 0;
    if (exactly) wend__answer_count(service, entry);
    if (entry->steps != WEND__UNCOUNTED) return entry->steps + 1;
    return (uint64_t)entry->cost / (uint64_t)service->share.version->rules.cost_straight + 1;
}

/* Estimates the time of an answer from recent ones, by its cells plus a constant of 64 cells. */
static void add_effort(wend_service *service, effort *all, const effort *most, uint32_t index) {
    enum { CALLBACK = 64 };
    const uint64_t cells = cells_of(service, &service->entries[index], most->cells != WEND_NO_LIMIT);
    all->answers++;
    all->cells += cells;
    all->ns += service->delivery_ns * (cells + CALLBACK) / (service->delivery_cells + CALLBACK);
}

/* Returns the first answer in order, or the one left over for longest. */
static uint32_t next_choice(wend_service *service) {
    const uint32_t fair = service->tuning.fair;
    if (fair > 0 && ++service->choices % fair == 0) return service->left_since.first;
    return service->left_over.items[0].id;
}

static int32_t highest_urgency(const wend_service *service) {
    return service->entries[service->left_over.items[0].id].request.urgency;
}

/* If time runs out, answers with the highest numbers are cut off, although they may be the most urgent. So less urgent
 * ones leave an eighth of the time. */
static bool has_room(const wend_service *service, const effort *all, const effort *most, int32_t urgency) {
    const uint64_t ns = highest_urgency(service) < urgency ? most->ns / 8 * 7 : most->ns;
    return all->answers < most->answers && all->cells <= most->cells && all->ns < ns;
}

/* Chooses at least one answer, so that every frame makes progress. Choosing all of them counts as no choice: so a
 * replayed frame with the same number does the same. */
static void choose_some(wend_service *service, effort *all, const effort *most) {
    while (service->finished.count > 0) leave_over(service, wend__numbers_first(&service->finished));
    const int32_t urgency = highest_urgency(service);
    const uint64_t choices = service->choices;
    do {
        const uint32_t index = next_choice(service);
        add_effort(service, all, most, index);
        choose(service, index);
    } while (service->left_over.count > 0 && has_room(service, all, most, urgency));
    if (service->left_over.count == 0) service->choices = choices;
}

void wend__choose(wend_service *service, wend__tick *tick, uint64_t now_ns) {
    const effort most = limit_of(tick, now_ns);
    effort all = {.answers = wend__finished_count(service)};
    if (holds_all(service, &most, all.answers)) {
        while (service->left_over.count > 0) choose(service, service->left_over.items[service->left_over.count - 1].id);
    } else {
        all.answers = 0;
        choose_some(service, &all, &most);
    }
    tick->frame->chosen = all.answers;
}
