// SPDX-License-Identifier: MIT
// The colours of the map and of the agents, light and dark. People who are red-green blind tell all of them apart.
const light = {
    paper: '#ced1d6', missing: '#b0a8b4', plot: '#ffffff', line: 'rgba(52,60,72,0.10)', ink: '#20262e', halo: '#ffffff',
    open: '#faf8f2', blocked: '#343c48', water: '#88bee0', swamp: '#aabe50',
    slow2: '#f4e4be', slow3: '#ead9b6', slow4: '#e3cda3', slow5: '#dbc191', slow6: '#d2b480', slow7: '#c8a770',
    slow8: '#bd9a62', slow9: '#b18d56',
    goal: '#d54600', link: '#7e3eb0', step: '#96141e', edge: '#7a808c', unit: '#000000', expanded: '#ffdd59',
    path: '#005ae6', field: '#30907a', heat: '#d400a8', jam: '#c4005a',
    agents: { none: '#7a808c', idle: '#7a808c', waiting: '#ffdd59', walking: '#005ae6', blocked: '#fc6c0c',
        arrived: '#008660', aside: '#600024', away: '#b0b5be' },
};

const dark = {
    paper: '#0b0e12', missing: '#4c4658', plot: '#1b2027', line: 'rgba(255,255,255,0.06)', ink: '#e8ebef', halo: '#0b0e12',
    open: '#262c35', blocked: '#5f6977', water: '#1f5f96', swamp: '#5c9060',
    slow2: '#3d362a', slow3: '#453b2a', slow4: '#4d412a', slow5: '#57482b', slow6: '#61502d', slow7: '#6c582f',
    slow8: '#776031', slow9: '#836a34',
    goal: '#ff8a3c', link: '#a95fd6', step: '#ff6b7a', edge: '#9aa2ae', unit: '#ffffff', expanded: '#8a7414',
    path: '#6cb1ff', field: '#5cc9a8', heat: '#ff3fc8', jam: '#ff4f93',
    agents: { none: '#aab2be', idle: '#aab2be', waiting: '#ffe27a', walking: '#6cb1ff', blocked: '#ff9a4d',
        arrived: '#4fd6a4', aside: '#a8487c', away: '#e0e4ec' },
};

export const palettes = { light, dark };

const preferred = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

// The colours in use. Events: 'change'.
export class Palette extends EventTarget {
    constructor() {
        super();
        this.choice = localStorage.getItem('wend.theme'); // null: as the system has it
        preferred.addEventListener('change', () => this.apply());
        this.apply();
    }

    get isDark() {
        return this.choice ? this.choice === 'dark' : preferred.matches;
    }

    apply() {
        this.colours = this.isDark ? dark : light;
        document.documentElement.dataset.theme = this.isDark ? 'dark' : 'light';
        this.dispatchEvent(new Event('change'));
    }

    toggle() {
        this.choice = this.isDark ? 'light' : 'dark';
        localStorage.setItem('wend.theme', this.choice);
        this.apply();
    }
}
