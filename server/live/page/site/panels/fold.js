// SPDX-License-Identifier: MIT
// A panel that opens while something happens in it and folds when it is idle. Once a person has opened or folded it, it
// stays as it is.
const IDLE_MS = 4000;

export class Fold {
    constructor(details) {
        this.details = details;
        this.idleMs = IDLE_MS;
        this.chosen = false;
        this.timer = 0;
        details.querySelector('summary').addEventListener('click', () => {
            this.chosen = true;
            clearTimeout(this.timer);
        });
    }

    // Something happens in it now, or nothing does.
    set(busy) {
        if (this.chosen) return;
        if (busy) {
            clearTimeout(this.timer);
            this.timer = 0;
            this.details.open = true;
        } else if (this.details.open && !this.timer) {
            this.timer = setTimeout(() => {
                this.timer = 0;
                this.details.open = false;
            }, this.idleMs);
        }
    }
}
