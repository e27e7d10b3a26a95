'use strict';
/**
 * Runs beside the user's program in a cluster worker, loaded with --require before it.
 *
 * It must not load a third-party package, add an exception handler or an environment variable,
 * send or receive a message that the program could see, or keep the process alive, except for a
 * drain.
 */
/** @type {Cluster} */
const cluster = /** @type {any} */ (require('node:cluster'));
const { isMainThread } = require('node:worker_threads');
const { nameNode, hideFromChildren } = require('./children.cjs');
const { watchStdin, writeThrough, ignoreBrokenPipes } = require('./standard-streams.cjs');

/** @import { Cluster } from 'node:cluster' */

hideFromChildren(__filename);
const { worker } = cluster;
if (isMainThread && worker && process.connected) {
  const { onMessage, reportExit, send, startHeartbeat } = require('./channel.cjs');
  const { FairShare } = require('./fair-share.cjs');
  const { countAsked, watchHandedOver } = require('./leases.cjs');
  const { answerPrimary } = require('./answers.cjs');
  const { shareExclusive } = require('./listening.cjs');
  const { HttpCounts } = require('./http-counts.cjs');
  const { trackServers } = require('./servers.cjs');
  const { keepIdleFor, loadOf } = require('./http-sockets.cjs');
  const { acceptWhenTold } = require('./accepting.cjs');
  const { Drain, outlivePrimary } = require('./drain.cjs');
  const { watchRawServers } = require('./raw-connections.cjs');
  const { answerTelemetry } = require('./telemetry.cjs');
  const { startFeatures } = require('../features/agent.cjs');

  nameNode();
  const hasStdinEnded = watchStdin();
  reportExit(() => ({ hasStdinEnded: hasStdinEnded() }));
  writeThrough();
  shareExclusive();
  const tracked = trackServers(cluster);
  const servers = { ...tracked, http: new HttpCounts(tracked) };
  watchHandedOver(worker, servers);
  acceptWhenTold(servers);
  watchRawServers(servers);
  const fairShare = new FairShare(worker, servers);
  const drain = new Drain(servers, () => countAsked() + fairShare.surplus.count);
  ignoreBrokenPipes(worker);
  onMessage('drain', (message) => drain.begin(message));
  onMessage('settle', ({ signal }) => drain.settle({ signal }));
  answerPrimary();
  answerTelemetry(servers);
  const facts = startFeatures(servers);
  const changes = () => ({
    connections: fairShare.takeChanges(),
    load: loadOf(servers),
    ...facts(),
  });
  onMessage('prepare', ({ end, keepAliveMs, everyMs, boundsMs }) => {
    outlivePrimary(worker, drain, end);
    if (keepAliveMs !== null) keepIdleFor(servers, keepAliveMs);
    servers.http.startTiming(boundsMs);
    startHeartbeat(everyMs, changes);
  });
  // The main module has run to its end before the event loop turns for the first time. Not an immediate, which
  // the program would see, and which would keep it alive.
  setTimeout(() => send('loaded', facts())).unref();
}
