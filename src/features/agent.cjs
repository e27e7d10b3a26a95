'use strict';
/** The features of the agent, which are started beside the program. */
const { attempt, guarded } = require('../agent/guard.cjs');
const programMetrics = require('./program-metrics/agent.cjs');
const why = require('./why/agent.cjs');

/** @import { CountedServers } from '../agent/http-counts.cjs' */

module.exports = { startFeatures };

/**
 * @typedef {object} AgentFeature
 * @property {(servers: CountedServers | null) => void} start servers of the program; null: they are not known, in fork mode
 * @property {() => Record<string, unknown>} [facts] what the primary gets with the first report and each heartbeat
 */

/** @type {AgentFeature[]} */
const features = [why, programMetrics];

/** @param {CountedServers | null} servers @returns what all of them report */
function startFeatures(servers) {
  for (const { start } of features) attempt(() => start(servers));
  // A program in fork mode does not pay for it.
  if (servers !== null) attempt(() => require('./health/agent.cjs').start(servers));
  const parts = features.flatMap(({ facts }) => (facts ? [guarded(facts)] : []));
  return guarded(() => Object.assign({}, ...parts.map((factsNow) => factsNow())));
}
