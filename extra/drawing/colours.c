/* SPDX-License-Identifier: MIT */
/* The colour and letter of each thing in a picture, chosen so that red-green colour-blind people tell them apart. */
#include "drawing/colours.h"

static const struct {
    wend__rgb colour;
    char letter;
} grounds[WEND__INK_GROUNDS] = {
    [WEND__INK_OPEN] = {{250, 248, 242}, '.'},     [WEND__INK_BLOCKED] = {{52, 60, 72}, '#'},
    [WEND__INK_WATER] = {{136, 190, 224}, '~'},    [WEND__INK_SWAMP] = {{170, 190, 80}, 's'},
    [WEND__INK_SLOW] = {{244, 228, 190}, '2'},     [WEND__INK_SLOW + 1] = {{234, 217, 182}, '3'},
    [WEND__INK_SLOW + 2] = {{227, 205, 163}, '4'}, [WEND__INK_SLOW + 3] = {{219, 193, 145}, '5'},
    [WEND__INK_SLOW + 4] = {{210, 180, 128}, '6'}, [WEND__INK_SLOW + 5] = {{200, 167, 112}, '7'},
    [WEND__INK_SLOW + 6] = {{189, 154, 98}, '8'},  [WEND__INK_SLOW + 7] = {{177, 141, 86}, '9'},
    [WEND__INK_PAPER] = {{206, 209, 214}, ' '},
};

_Static_assert(WEND__INK_PATHS + WEND__PATH_COLOURS <= WEND__INK_COUNT, "the palette holds every path's colour");

/// The colours of the first eight paths. Later rounds mix in some of a tint, stronger from round to round: neighbours
/// in number differ by more than a tint can take away.
static wend__rgb path_colour(int32_t path) {
    static const wend__rgb base[8] = {{0, 90, 230},  {252, 108, 12}, {96, 0, 36},    {48, 144, 168},
                                      {156, 36, 12}, {24, 60, 132},  {24, 168, 252}, {48, 156, 120}};
    static const wend__rgb tints[4] = {{24, 24, 40}, {200, 0, 160}, {0, 120, 40}, {60, 0, 220}};
    int32_t round = path / 8 % (WEND__PATH_COLOURS / 8), share = (round + 3) / 4 * 4; /* of the tint, in hundredths */
    wend__rgb c = base[path % 8], t = tints[round % 4];
    return (wend__rgb){(uint8_t)((c.r * (100 - share) + t.r * share) / 100),
                       (uint8_t)((c.g * (100 - share) + t.g * share) / 100),
                       (uint8_t)((c.b * (100 - share) + t.b * share) / 100)};
}

wend__rgb wend__ink_colour(int32_t ink) {
    if (ink < WEND__INK_GROUNDS) return grounds[ink].colour;
    if (ink == WEND__INK_LINES + WEND__INK_PAPER) return grounds[WEND__INK_PAPER].colour;
    if (ink < WEND__INK_LINES + WEND__INK_GROUNDS) {
        wend__rgb c = grounds[ink - WEND__INK_LINES].colour;
        return (wend__rgb){(uint8_t)(c.r * 9 / 10), (uint8_t)(c.g * 9 / 10), (uint8_t)(c.b * 9 / 10)};
    }
    if (ink == WEND__INK_HALO) return (wend__rgb){255, 255, 255};
    if (ink == WEND__INK_START) return (wend__rgb){0, 134, 96};
    if (ink == WEND__INK_GOAL) return (wend__rgb){213, 70, 0};
    if (ink == WEND__INK_LINK) return (wend__rgb){126, 62, 176};
    if (ink == WEND__INK_STEP) return (wend__rgb){150, 20, 30};
    if (ink == WEND__INK_EDGE) return (wend__rgb){122, 128, 140};
    if (ink == WEND__INK_UNIT) return (wend__rgb){0, 0, 0};
    if (ink == WEND__INK_EXPANDED) return (wend__rgb){255, 221, 89};
    if (ink < WEND__INK_PATHS) return path_colour(0);
    return path_colour(ink - WEND__INK_PATHS);
}

char wend__ink_letter(int32_t ink) {
    if (ink < WEND__INK_GROUNDS) return grounds[ink].letter;
    if (ink == WEND__INK_START) return 'A';
    if (ink == WEND__INK_GOAL) return 'B';
    if (ink == WEND__INK_LINK) return 'o';
    if (ink == WEND__INK_UNIT) return '@';
    if (ink == WEND__INK_EXPANDED) return '+';
    if (ink == WEND__INK_UP) return '^';
    if (ink == WEND__INK_DOWN) return 'v';
    return '*';
}

int32_t wend__path_ink(size_t path) {
    return WEND__INK_PATHS + (int32_t)(path % WEND__PATH_COLOURS);
}

void wend__class_inks(const wend_map_rules *rules, uint8_t inks[256]) {
    for (int32_t i = 0; i < 256; i++) {
        int32_t factor = rules->factors[i];
        if (i == WEND_CLASS_WATER)
            inks[i] = WEND__INK_WATER;
        else if (factor == 0)
            inks[i] = WEND__INK_BLOCKED;
        else if (i == WEND_CLASS_SWAMP)
            inks[i] = WEND__INK_SWAMP;
        else if (factor == 1)
            inks[i] = WEND__INK_OPEN;
        else
            inks[i] = (uint8_t)(WEND__INK_SLOW + (factor < 9 ? factor : 9) - 2);
    }
}
