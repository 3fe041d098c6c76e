/* SPDX-License-Identifier: MIT */
/* What colour and letter each thing in a picture has. */
#include "extra/drawing/drawing.h"

static const struct {
    wend__rgb colour;
    char letter;
} grounds[WEND__LOOK_GROUNDS] = {
    [WEND__LOOK_OPEN] = {{250, 248, 242}, '.'},     [WEND__LOOK_BLOCKED] = {{52, 60, 72}, '#'},
    [WEND__LOOK_WATER] = {{136, 190, 224}, '~'},    [WEND__LOOK_SWAMP] = {{168, 190, 146}, 's'},
    [WEND__LOOK_SLOW] = {{240, 228, 200}, '2'},     [WEND__LOOK_SLOW + 1] = {{234, 217, 182}, '3'},
    [WEND__LOOK_SLOW + 2] = {{227, 205, 163}, '4'}, [WEND__LOOK_SLOW + 3] = {{219, 193, 145}, '5'},
    [WEND__LOOK_SLOW + 4] = {{210, 180, 128}, '6'}, [WEND__LOOK_SLOW + 5] = {{200, 167, 112}, '7'},
    [WEND__LOOK_SLOW + 6] = {{189, 154, 98}, '8'},  [WEND__LOOK_SLOW + 7] = {{177, 141, 86}, '9'},
    [WEND__LOOK_PAPER] = {{224, 227, 232}, ' '},
};

enum { PATH_LOOKS = WEND__LOOK_COUNT - WEND__LOOK_PATHS };

/// A colour of the wheel, hue 0 to 1535, its strongest part as strong as said, its weakest not quite nothing.
static wend__rgb wheel(int32_t hue, int32_t strength) {
    enum { WEAKEST = 20 };
    int32_t rise = hue % 256;
    int32_t rgb[6][3] = {{255, rise, 0},       {255 - rise, 255, 0}, {0, 255, rise},
                         {0, 255 - rise, 255}, {rise, 0, 255},       {255, 0, 255 - rise}};
    uint8_t parts[3];
    for (int32_t i = 0; i < 3; i++) parts[i] = (uint8_t)(WEAKEST + rgb[hue / 256][i] * (strength - WEAKEST) / 255);
    return (wend__rgb){parts[0], parts[1], parts[2]};
}

/// Neighbours in number are far apart in hue: each is the golden section of the wheel further, from blue on. Yellows
/// and greens look lighter than blues of the same strength, so they are made darker to stand out from pale ground.
static wend__rgb path_colour(int32_t path) {
    int32_t hue = (945 + (int32_t)((int64_t)path * 949300 / 1000)) % 1536;
    int32_t strength = (hue > 128 && hue < 900) ? 176 : 232;
    if (path % 3 == 1) strength -= 44;
    return wheel(hue, strength);
}

wend__rgb wend__look_colour(int32_t look) {
    if (look < WEND__LOOK_GROUNDS) return grounds[look].colour;
    if (look == WEND__LOOK_LINES + WEND__LOOK_PAPER) return grounds[WEND__LOOK_PAPER].colour;
    if (look < WEND__LOOK_LINES + WEND__LOOK_GROUNDS) {
        wend__rgb c = grounds[look - WEND__LOOK_LINES].colour;
        return (wend__rgb){(uint8_t)(c.r * 9 / 10), (uint8_t)(c.g * 9 / 10), (uint8_t)(c.b * 9 / 10)};
    }
    if (look == WEND__LOOK_HALO) return (wend__rgb){255, 255, 255};
    if (look == WEND__LOOK_START) return (wend__rgb){22, 142, 60};
    if (look == WEND__LOOK_GOAL) return (wend__rgb){218, 38, 44};
    if (look == WEND__LOOK_LINK) return (wend__rgb){126, 62, 176};
    if (look == WEND__LOOK_STEP) return (wend__rgb){150, 20, 30};
    if (look == WEND__LOOK_EDGE) return (wend__rgb){150, 156, 166};
    return path_colour(look - WEND__LOOK_PATHS);
}

char wend__look_letter(int32_t look) {
    if (look < WEND__LOOK_GROUNDS) return grounds[look].letter;
    if (look == WEND__LOOK_START) return 'A';
    if (look == WEND__LOOK_GOAL) return 'B';
    if (look == WEND__LOOK_LINK) return 'o';
    return '*';
}

int32_t wend__path_look(size_t path) {
    return WEND__LOOK_PATHS + (int32_t)(path % PATH_LOOKS);
}

void wend__class_looks(const wend_map_rules *rules, uint8_t looks[256]) {
    for (int32_t i = 0; i < 256; i++) {
        int32_t factor = rules->factors[i];
        if (i == WEND_CLASS_WATER)
            looks[i] = WEND__LOOK_WATER;
        else if (factor == 0)
            looks[i] = WEND__LOOK_BLOCKED;
        else if (i == WEND_CLASS_SWAMP)
            looks[i] = WEND__LOOK_SWAMP;
        else if (factor == 1)
            looks[i] = WEND__LOOK_OPEN;
        else
            looks[i] = (uint8_t)(WEND__LOOK_SLOW + (factor < 9 ? factor : 9) - 2);
    }
}
