'use strict';
/** The features of the agent, which are started beside the program. */
const health = require('./health/agent.cjs');
const programMetrics = require('./program-metrics/agent.cjs');
const wear = require('./wear/agent.cjs');
const why = require('./why/agent.cjs');

/** @import { Servers } from '../agent/servers.cjs' */

module.exports = { startFeatures };

/**
 * @typedef {object} AgentFeature
 * @property {(servers: Servers | null) => void} start servers of the program; null: they are not known, in fork mode
 * @property {() => Record<string, unknown>} [facts] what the primary gets with the first report and each heartbeat
 */

/** @type {AgentFeature[]} */
const features = [why, wear, health, programMetrics];

/**
 * @param {Servers | null} servers
 * @returns {() => Record<string, unknown>} the facts of all of them
 */
function startFeatures(servers) {
  for (const { start } of features) start(servers);
  return () => Object.assign({}, ...features.map(({ facts }) => facts?.()));
}
