'use strict';
/**
 * Runs beside the program in a cluster worker, loaded with --require before it. It adds no exception handler, variable or
 * message that the program could see, and keeps the process alive only for a drain.
 */
/** @type {Cluster} */
const cluster = /** @type {any} */ (require('node:cluster'));
const { isMainThread } = require('node:worker_threads');
const { attempt, setTimeout } = require('./guard.cjs');

/** @import { Cluster, Worker } from 'node:cluster' */

// What loading a file of the agent throws is no end of the program either.
attempt(() => require('./children.cjs').hideFromChildren(__filename));
const { worker } = cluster;
if (isMainThread && worker && process.connected) attempt(() => accompany(worker));

/** @param {Worker} worker this process */
function accompany(worker) {
  const { nameNode } = require('./children.cjs');
  const { watchStdin, writeThrough, ignoreBrokenPipes } = require('./standard-streams.cjs');
  const { onMessage, reportExit, send } = require('./channel.cjs');
  const { FairShare } = require('./fair-share.cjs');
  const { asked, watchHandedOver } = require('./leases.cjs');
  const { answerPrimary } = require('./answers.cjs');
  const { shareExclusive } = require('./listening.cjs');
  const { Heartbeat } = require('./heartbeat.cjs');
  const { trackServers } = require('./servers.cjs');
  const { keepIdleFor } = require('./http-sockets.cjs');
  const { acceptWhenTold } = require('./accepting.cjs');
  const { Drain, outlivePrimary, watchRawServers } = require('./drain.cjs');
  const { HttpCounts, Buckets, answerTelemetry } = require('./telemetry.cjs');
  const { startFeatures } = require('../features/agent.cjs');

  [() => reportExit(watchStdin()), nameNode, writeThrough, shareExclusive].forEach(attempt);
  const tracked = trackServers(cluster);
  const servers = { ...tracked, http: new HttpCounts(tracked) };
  attempt(() => watchHandedOver(worker, servers));
  attempt(() => acceptWhenTold(servers));
  attempt(() => watchRawServers(servers));
  const fairShare = new FairShare(worker, servers);
  const drain = new Drain(servers, () => asked.size + fairShare.surplus.count);
  attempt(() => ignoreBrokenPipes(worker));
  onMessage('settle', ({ signal }) => drain.settle({ signal }));
  [answerPrimary, () => answerTelemetry(servers)].forEach(attempt);
  const facts = startFeatures(servers);
  const heartbeat = new Heartbeat(servers, () => fairShare.takeChanges(), facts);
  onMessage('drain', (message) => drain.begin(message));
  onMessage('drain', () => heartbeat.endQuiet());
  onMessage('pace', ({ everyMs, quietMs }) => heartbeat.start({ everyMs, quietMs }));
  onMessage('prepare', ({ end, keepAliveMs, boundsMs }) => {
    attempt(() => outlivePrimary(worker, drain, end));
    if (keepAliveMs !== null) attempt(() => keepIdleFor(servers, keepAliveMs));
    servers.http.latency = new Buckets(boundsMs);
  });
  // The main module has run to its end before the event loop turns for the first time. Not an immediate, which
  // the program would see, and which would keep it alive.
  setTimeout(() => send('loaded', facts()), 1).unref();
}
