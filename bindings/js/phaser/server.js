// SPDX-License-Identifier: MIT
// Serves the room and the client's files: npm install && npm start, then http://localhost:2567. PORT is another port.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { Town } from './town.js';

const port = Number(process.env.PORT ?? 2567), file = path => fileURLToPath(new URL(path, import.meta.url));
const app = express();
app.get('/', (_, answer) => answer.sendFile(file('index.html')));
app.get('/client.js', (_, answer) => answer.sendFile(file('client.js')));
app.use('/phaser', express.static(file('node_modules/phaser/dist')));
app.use('/colyseus', express.static(file('node_modules/@colyseus/sdk/dist')));
const server = new Server({ transport: new WebSocketTransport({ server: createServer(app) }), greet: false });
server.define('town', Town);
await server.listen(port);
console.log(`http://localhost:${port}`);
