'use strict';
/** Runs beside a Node program in fork mode, loaded with --require before it. */
const { subscribe } = require('node:diagnostics_channel');
const { isMainThread } = require('node:worker_threads');
const hideFromChildren = require('./hide-from-children.cjs');
const { send } = require('./channel.cjs');
const { answerInspection, hasOwnHandler } = require('./inspection.cjs');
const { atNextMoment } = require('./next-moment.cjs');
const { reportListening } = require('./serve/listen-reports.cjs');
const { answerServerSign } = require('./serve/server-sign.cjs');
const { answerStopSignal } = require('./stop-signal.cjs');
const { answerProgramMetrics } = require('./telemetry/program-metrics.cjs');
const writeThrough = require('./write-through.cjs');

/** @import { Server } from 'node:net' */

/** After this time, a program has added its handlers. */
const SETTLED_MS = 10_000;

hideFromChildren(__filename);
if (isMainThread) {
  writeThrough();
  // Node before 20.16 has no such channel: then it is not known what the program listens on, nor whether it will.
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    reportListening(/** @type {{server: Server}} */ (message).server);
  });
  answerStopSignal();
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || minor >= 16) answerServerSign();
  answerInspection();
  answerProgramMetrics();
  // It sends no heartbeats, and programs add their handlers as they start.
  const report = (/** @type {string} */ type) => send(type, { ownsSignal: hasOwnHandler() });
  // Until here, a busy machine may have needed seconds.
  setImmediate(() => report('loaded'));
  atNextMoment(SETTLED_MS, () => report('signal'));
}
