// SPDX-License-Identifier: MIT
// The scale bar: so many cells are so long.
const LONGEST_PIXELS = 130;

export class ScaleBar {
    constructor(bar, text, camera) {
        camera.addEventListener('change', () => {
            const most = LONGEST_PIXELS / camera.scale;
            const decade = 10 ** Math.floor(Math.log10(most));
            const cells = Math.max(1, [5, 2, 1].map(n => n * decade).find(n => n <= most) ?? 1);
            bar.style.width = `${cells * camera.scale}px`;
            text.textContent = cells === 1 ? '1 cell' : `${cells} cells`;
        });
    }
}
