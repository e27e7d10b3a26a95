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
const nameNode = require('./name-node.cjs');
const hideFromChildren = require('./hide-from-children.cjs');
const { writeThrough } = require('./standard-streams.cjs');

/** @import { Cluster } from 'node:cluster' */

hideFromChildren(__filename);
const { worker } = cluster;
if (isMainThread && worker && process.connected) {
  const { onMessage, send } = require('./channel.cjs');
  const { deferAccept } = require('./serve/defer-accept.cjs');
  const { FairShare } = require('./serve/fair-share.cjs');
  const { countAsked, keepLeases } = require('./serve/leases.cjs');
  const { answerServerSign } = require('./serve/server-sign.cjs');
  const { trackServers } = require('./serve/servers.cjs');
  const { newKeepAlive } = require('./serve/keep-alive.cjs');
  const { shareExclusive } = require('./share-exclusive.cjs');
  const { serveSlotSockets } = require('./serve/slot-sockets.cjs');
  const { RequestLimit } = require('../features/wear/agent.cjs');
  const { Drain } = require('./drain/drain.cjs');
  const { startHeartbeat } = require('./heartbeat.cjs');
  const { ignoreBrokenPipes } = require('./broken-pipes.cjs');
  const { outlivePrimary } = require('./outlive-primary.cjs');
  const { answerStopSignal } = require('./stop-signal.cjs');
  const { answerInspection, hasOwnHandler } = require('../features/why/agent.cjs');
  const { answerHealthChecks } = require('../features/health/agent/health-checks.cjs');
  const { answerLoopTimes } = require('./telemetry/loop-times.cjs');
  const { answerProgramMetrics } = require('../features/program-metrics/agent.cjs');
  const { Telemetry } = require('./telemetry/telemetry.cjs');

  nameNode();
  writeThrough();
  deferAccept();
  shareExclusive();
  const servers = trackServers(cluster, keepLeases(worker));
  serveSlotSockets(servers);
  const fairShare = new FairShare(worker, servers);
  const drain = new Drain(servers, () => countAsked() + fairShare.countHandedOn());
  ignoreBrokenPipes(worker);
  onMessage('outlive', ({ end }) => outlivePrimary(worker, drain, end));
  const telemetry = new Telemetry(servers);
  const requestLimit = new RequestLimit(servers);
  onMessage('limit-requests', ({ limit }) => requestLimit.set(limit));
  const setKeepAlive = newKeepAlive(servers);
  onMessage('keep-alive', ({ timeoutMs }) => setKeepAlive(timeoutMs));
  onMessage('drain', (message) => drain.begin(message));
  onMessage('settle', ({ signal }) => drain.settle({ signal }));
  answerStopSignal();
  answerHealthChecks(servers, onMessage);
  answerServerSign();
  answerLoopTimes();
  answerProgramMetrics();
  answerInspection(servers.listening);
  const changes = () => ({ loads: fairShare.takeChanges(), ownsSignal: hasOwnHandler() });
  onMessage('beat', ({ everyMs }) => startHeartbeat({ everyMs }, changes));
  onMessage('telemetry', (request) => telemetry.reply(/** @type {any} */ (request)));
  // The main module has run to its end before the event loop turns for the first time. Not an immediate, which
  // the program would see, and which would keep it alive.
  setTimeout(() => send('loaded', { ownsSignal: hasOwnHandler() })).unref();
}
