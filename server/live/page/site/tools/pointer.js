// SPDX-License-Identifier: MIT
// Mouse, pen and fingers on the map: drags, clicks, the wheel, and two fingers to zoom.
const CLICK_PIXELS = 5;
const HIT_PIXELS = { mouse: 9, pen: 12, touch: 20 };

export class Pointer {
    constructor(canvas, { camera, actions, show, stage, over, looks }) {
        Object.assign(this, { canvas, camera, actions, show, stage, over, looks });
        this.down = new Map(); // pointers that touch: id to [x, y]
        canvas.addEventListener('pointerdown', event => this.press(event));
        canvas.addEventListener('pointermove', event => this.moved(event));
        for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, event => this.release(event));
        canvas.addEventListener('pointerleave', () => {
            this.looks.over(null);
            this.over(null);
        });
        canvas.addEventListener('blur', () => canvas.classList.remove('by-pointer'));
        canvas.addEventListener('contextmenu', event => event.preventDefault());
        canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
    }

    at(event) {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    press(event) {
        this.canvas.classList.add('by-pointer'); // the ring of the focus is for keys
        this.canvas.focus({ preventScroll: true });
        this.canvas.setPointerCapture(event.pointerId);
        const point = this.at(event);
        this.down.set(event.pointerId, point);
        this.show.cursor.visible = false;
        if (this.down.size === 2) {
            this.finish(false);
            this.gesture = 'pinch';
            return;
        }
        if (this.down.size > 2) return;
        this.start = point;
        this.hit = HIT_PIXELS[event.pointerType] ?? 9;
        this.gesture = this.gestureOf(event);
        if (this.gesture === 'paint') this.actions.beginStroke(...this.cellAt(point));
    }

    gestureOf(event) {
        if (event.button !== 0 || this.actions.tool === 'move') return 'pan';
        if (this.actions.paints) return 'paint';
        if (this.actions.tool === 'select') return 'box';
        return 'click';
    }

    cellAt(point) {
        return this.camera.toCell(...point).map(Math.floor);
    }

    moved(event) {
        const point = this.at(event);
        const place = this.camera.toCell(...point);
        if (event.pointerType !== 'touch' && this.down.size === 0)
            this.looks.over(place, Math.max(0.5, HIT_PIXELS[event.pointerType] / this.camera.scale));
        this.over(place);
        const before = this.down.get(event.pointerId);
        if (!before) return;
        if (this.gesture === 'pinch') this.pinch(event.pointerId, point);
        this.down.set(event.pointerId, point);
        if (this.gesture === 'pan') this.camera.drag(point[0] - before[0], point[1] - before[1]);
        else if (this.gesture === 'paint') this.actions.paintTo(...this.cellAt(point));
        else if (this.gesture === 'box' && this.isDrag(point)) {
            const [x0, y0] = this.start, [x1, y1] = point;
            this.show.box = { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
            this.stage.touch();
        }
    }

    isDrag(point) {
        return this.show.box || Math.hypot(point[0] - this.start[0], point[1] - this.start[1]) > CLICK_PIXELS;
    }

    pinch(id, point) {
        const other = [...this.down].find(([otherId]) => otherId !== id)[1], before = this.down.get(id);
        const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
        const middle = [(point[0] + other[0]) / 2, (point[1] + other[1]) / 2];
        this.camera.drag((point[0] - before[0]) / 2, (point[1] - before[1]) / 2);
        this.camera.zoom(distance(point, other) / Math.max(1, distance(before, other)), ...middle);
    }

    release(event) {
        const point = this.at(event);
        this.down.delete(event.pointerId);
        const sends = this.gesture === 'pan' && event.button === 2 && event.type === 'pointerup' && !this.isDrag(point);
        if (sends) this.actions.send(this.camera.toCell(...point));
        if (this.gesture !== 'pinch') this.finish(event.type === 'pointerup', point, event.shiftKey);
        if (this.down.size === 0) this.gesture = null;
    }

    // The end of a gesture; done false: it was broken off.
    finish(done, point, more = false) {
        const { gesture, actions, camera, show } = this;
        if (gesture === 'paint') actions.endStroke();
        if (gesture === 'box' && show.box && done) {
            const { x, y, width, height } = show.box;
            const a = camera.toCell(x, y), b = camera.toCell(x + width, y + height);
            const found = actions.agents.inBox(a[0], a[1], b[0], b[1], show.levels, performance.now());
            actions.select(more ? [...show.selected, ...found] : found);
        } else if (done && (gesture === 'box' || gesture === 'click')) {
            actions.click(camera.toCell(...point), Math.max(0.5, this.hit / camera.scale), more);
        }
        show.box = null;
        this.gesture = null;
        this.stage.touch();
    }

    wheel(event) {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 30 : 1;
        this.camera.zoom(Math.exp(-event.deltaY * lines * 0.0015), ...this.at(event));
    }
}
