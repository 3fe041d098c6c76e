// SPDX-License-Identifier: MIT
// The page's colours, as people see them who are red-green blind: every pair keeps the distance that pictures keep.
import { pathToFileURL } from 'node:url';

const LEAST = 12;
const { palettes } = await import(pathToFileURL(`${process.argv[2]}/view/palette.js`));

// Colours as seen without, with red and with green blindness, in linear light (Machado, Oliveira and Fernandes 2009).
const sights = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
];

const linear = part => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const root = t => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);

function labOf(colour, sight) {
    const parts = [1, 3, 5].map(i => linear(parseInt(colour.slice(i, i + 2), 16)));
    const [r, g, b] = sight.map(row => Math.min(1, Math.max(0, row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2])));
    const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
    const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(a, b) {
    return Math.min(...sights.map(sight => {
        const [one, two] = [labOf(a, sight), labOf(b, sight)];
        return Math.hypot(one[0] - two[0], one[1] - two[1], one[2] - two[2]);
    }));
}

let pairs = 0, bad = 0;
function apart(theme, colours) {
    const names = Object.keys(colours);
    for (let i = 0; i < names.length; i++)
        for (let j = 0; j < i; j++) {
            pairs++;
            const found = distance(colours[names[i]], colours[names[j]]);
            if (found > LEAST) continue;
            bad++;
            console.log(`${theme}: ${names[i]} and ${names[j]} are ${found.toFixed(1)} apart, not ${LEAST}`);
        }
}

if (distance('#ff0000', '#908000') > 25 || distance('#ffffff', '#000000') < 99) {
    console.log('the measure is wrong');
    bad++;
}
for (const [theme, all] of Object.entries(palettes)) {
    const { open, blocked, water, swamp, slow2, slow5, slow9, paper, missing } = all;
    const grounds = { open, blocked, water, swamp, slow2, slow5, slow9, paper, missing };
    // Grounds and what lies on them.
    apart(theme, { ...grounds, expanded: all.expanded, path: all.path, goal: all.goal, link: all.link, step: all.step, unit: all.unit });
    // A wash over grounds, where it is densest.
    apart(theme, { ...grounds, heat: all.heat });
    // Agents among each other, and on the grounds that they stand on.
    const { none: _, ...agents } = all.agents;
    apart(theme, { ...agents, open, swamp, slow2 });
}
console.log(`${pairs} pairs, ${bad} too near`);
process.exit(pairs > 100 && bad === 0 ? 0 : 1);
