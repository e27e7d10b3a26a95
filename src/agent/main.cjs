'use strict';
/**
 * What runs beside the user's program in a cluster worker, loaded with --require before it.
 *
 * It may not: load a third-party package, add an exception handler or an environment variable,
 * send or receive a message that the program could see, keep the process alive but for a drain.
 */
/** @type {Cluster} */
const cluster = /** @type {any} */ (require('node:cluster'));
const { isMainThread } = require('node:worker_threads');
const hideFromChildren = require('./hide-from-children.cjs');
const writeThrough = require('./write-through.cjs');

/** @import { Cluster } from 'node:cluster' */

hideFromChildren(__filename);
const { worker } = cluster;
if (isMainThread && worker && process.connected) {
  const { onMessage, send } = require('./channel.cjs');
  const { acceptLater } = require('./serve/accept-later.cjs');
  const { trackServers } = require('./serve/servers.cjs');
  const { Drain } = require('./drain/drain.cjs');
  const { beat } = require('./heartbeat.cjs');
  const { forgiveBrokenPipes } = require('./broken-pipes.cjs');
  const { outlivePrimary } = require('./outlive.cjs');
  const { Telemetry } = require('./telemetry/telemetry.cjs');

  writeThrough();
  acceptLater();
  const servers = trackServers((change, name) => send(change, { name }));
  const drain = new Drain(servers);
  forgiveBrokenPipes(worker);
  onMessage('outlive', ({ end }) => outlivePrimary(worker, drain, end));
  const telemetry = new Telemetry(servers);
  onMessage('drain', (message) => drain.begin(message));
  onMessage('settle', ({ signal }) => drain.settle({ signal }));
  onMessage('beat', ({ everyMs }) => beat({ everyMs }));
  onMessage('telemetry', (order) => telemetry.answer(/** @type {any} */ (order)));
  // A program runs through before the event loop turns for the first time.
  setImmediate(() => send('loaded'));
}
