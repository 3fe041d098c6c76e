// SPDX-License-Identifier: MIT
// The panel of costs by place: which layer is shown, how its brush paints, and how much agents mind it.
export class CostsPanel {
    constructor(page, costs) {
        this.costs = costs;
        this.layer = page.getElementById('cost-layer');
        this.note = page.getElementById('cost-note');
        this.mind = page.getElementById('cost-mind');
        this.layer.addEventListener('change', () => costs.choose(this.layer.value || null));
        this.mind.addEventListener('click', () => costs.mind());
        for (const [id, set] of [['cost-radius', value => (costs.brush.radius = value)],
            ['cost-peak', value => (costs.brush.peak = value)], ['cost-weight', value => (costs.weight = value)]]) {
            const control = page.getElementById(id);
            control.addEventListener('change', () => control.value !== '' && control.checkValidity() && set(Number(control.value)));
        }
        costs.addEventListener('change', () => this.update());
        this.update();
    }

    allow(orders) {
        this.orders = orders;
        this.update();
    }

    update() {
        const { layers, shown } = this.costs, layer = layers.find(({ name }) => name === shown);
        this.layer.replaceChildren(new Option('none', ''), ...layers.map(({ name }) => new Option(name, name)));
        this.layer.value = shown ?? '';
        this.mind.disabled = !this.orders || !layer;
        this.note.textContent = !layer ? (this.orders ? 'The tool Danger paints a layer.' : '')
            : layer.kind === 'walls' ? `Values rise within ${layer.within} cells of walls.`
            : layer.half_life ? `Values halve every ${layer.half_life} frames.` : 'Values stay.';
    }
}
