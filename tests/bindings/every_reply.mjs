// SPDX-License-Identifier: MIT
// every_reply.mjs CLIENT ROWS PORT: sends each order of ROWS through the client, and prints a line with its replies: to
// good arguments and to bad ones.
import { readFileSync } from 'node:fs';

const [client, rows, port] = process.argv.slice(2);
const { connect, lines, Refused } = await import(client);
const LIMIT_MS = 60000;
const town = await connect(await lines(Number(port), '127.0.0.1'));

function reply(asked) {
    let timer;
    const late = new Promise(resolve => (timer = setTimeout(resolve, LIMIT_MS, 'hangs')));
    const said = asked.catch(problem => (problem instanceof Refused ? problem.message : `fails: ${problem}`));
    return Promise.race([said, late]).finally(() => clearTimeout(timer));
}

async function byMethod(op, fields) {
    if (op === 'hello') return town.server; // the client has said it
    return typeof town[op] === 'function' ? town[op](fields) : town.ask(op, fields);
}

for (const [op, good, bad] of JSON.parse(readFileSync(rows, 'utf8'))) {
    console.log(JSON.stringify([await reply(byMethod(op, good)), await reply(town.ask(op, bad))]));
}
town.close();
