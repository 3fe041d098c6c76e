// SPDX-License-Identifier: MIT
// Controls that change the speed, the urgency and the kind of the agents that are selected.
const MOST_NAMES = 1000; // in a message
const SPEEDS = [[125, 'slow'], [250, 'normal'], [500, 'fast'], [1000, 'very fast']];

function labelled(word, control) {
    const label = document.createElement('label');
    label.append(word, ' ', control);
    return label;
}

export class Adjust {
    constructor(actions, world) {
        this.actions = actions;
        this.speed = document.createElement('select');
        this.urgency = Object.assign(document.createElement('input'), { type: 'number', min: -1000, max: 1000 });
        this.mover = document.createElement('select');
        this.speed.id = 'adjust-speed', this.urgency.id = 'adjust-urgency', this.mover.id = 'adjust-mover';
        this.kind = labelled('Kind', this.mover);
        this.row = document.createElement('div');
        this.row.className = 'row';
        this.row.append(labelled('Speed', this.speed), labelled('Urgency', this.urgency), this.kind);
        this.speed.addEventListener('change', () => this.send({ speed: Number(this.speed.value) }));
        this.urgency.addEventListener('change', () => this.urgency.value !== '' && this.send({ urgency: Number(this.urgency.value) }));
        this.mover.addEventListener('change', () => this.send({ mover: this.mover.value }));
        world.addEventListener('shape', () => this.takeMovers(world.shape.movers ?? []));
        this.takeMovers([]);
    }

    takeMovers(movers) {
        this.mover.replaceChildren(new Option('–', ''), ...movers.map(name => new Option(name, name)));
        this.mover.options[0].disabled = true;
        this.kind.hidden = movers.length < 2;
    }

    async send(change) {
        const names = [...this.actions.show.selected];
        for (let i = 0; i < names.length; i += MOST_NAMES)
            if (!(await this.actions.ask('adjust', { names: names.slice(i, i + MOST_NAMES), ...change }))) return;
    }

    // What the server said of the one that is selected; null: there are several. A control in use keeps its value.
    take(agent) {
        const put = (control, value) => {
            if (document.activeElement !== control && control.value !== value) control.value = value;
        };
        const known = SPEEDS.some(([speed]) => speed === agent?.speed);
        const speeds = [[0, '–'], ...SPEEDS, ...(agent?.speed && !known ? [[agent.speed, String(agent.speed / 1000)]] : [])];
        if (document.activeElement !== this.speed && this.speed.options.length !== speeds.length) {
            this.speed.replaceChildren(...speeds.map(([speed, word]) => new Option(word, speed)));
            this.speed.options[0].disabled = true;
        }
        put(this.speed, String(agent?.speed ?? 0));
        put(this.urgency, String(agent?.urgency ?? ''));
        put(this.mover, agent?.mover ?? '');
    }
}
