// SPDX-License-Identifier: MIT
// What a terrain class is: its look, its word and its factor, for the default mover.
export const BLOCKED = 0;
export const OPEN = 1;
export const SWAMP = 254;
export const WATER = 255;

// The look of a class: a name in the palette.
export function groundOf(terrainClass, factors) {
    if (terrainClass === WATER) return 'water';
    const factor = factors ? factors[terrainClass] ?? terrainClass : terrainClass;
    if (terrainClass === SWAMP) return 'swamp';
    if (factor === 0) return 'blocked';
    if (factor === 1) return 'open';
    return 'slow' + Math.min(factor, 9);
}

export function wordsOf(terrainClass) {
    const ground = groundOf(terrainClass);
    const words = { water: 'water', swamp: 'swamp', blocked: 'wall', open: 'open ground' };
    return words[ground] ?? `slow ground, ${terrainClass} times the cost`;
}
