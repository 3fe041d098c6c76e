// SPDX-License-Identifier: MIT
// Short messages over the map. A notice with a key stays until it is taken away; others go by themselves.
const SHOWN_MS = 4500;
const MOST = 3;

export class Notices {
    constructor(element) {
        this.element = element;
        this.kept = new Map();
    }

    say(kind, text, key = null) {
        this.take(key);
        const notice = document.createElement('div');
        notice.className = 'notice';
        notice.dataset.kind = kind;
        notice.textContent = text;
        this.element.append(notice);
        while (this.element.children.length > MOST) this.element.firstChild.remove();
        if (key) this.kept.set(key, notice);
        else setTimeout(() => notice.remove(), SHOWN_MS);
    }

    take(key) {
        this.kept.get(key)?.remove();
        this.kept.delete(key);
    }
}
