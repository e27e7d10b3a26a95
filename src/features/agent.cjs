'use strict';
/** The features of the agent, which are started beside the program. */
const programMetrics = require('./program-metrics/agent.cjs');
const why = require('./why/agent.cjs');

/** @import { CountedServers } from '../agent/http-counts.cjs' */

module.exports = { startFeatures };

/**
 * @template Servers
 * @typedef {object} Feature
 * @property {(servers: Servers) => void} start
 * @property {() => Record<string, unknown>} [facts] what the primary gets with the first report and each heartbeat
 *
 * @typedef {Feature<CountedServers | null>} AgentFeature null: the servers of the program are not known, in fork mode
 * @typedef {Feature<CountedServers>} ServerFeature only in cluster mode
 */

/** @type {AgentFeature[]} */
const features = [why, programMetrics];

/** A program in fork mode does not pay for them. @returns {ServerFeature[]} */
function ofServers() {
  return [require('./degraded/agent.cjs'), require('./health/agent.cjs')];
}

/**
 * @param {CountedServers | null} servers
 * @returns {() => Record<string, unknown>} the facts of all of them
 */
function startFeatures(servers) {
  const all = servers === null ? features : [...features, ...ofServers()];
  for (const { start } of all) start(/** @type {CountedServers} */ (servers));
  return () => Object.assign({}, ...all.map(({ facts }) => facts?.()));
}
