'use strict';
/** The features of the agent, which are started beside the program. */
const { attempt, guarded } = require('../agent/guard.cjs');
const pastHour = require('./past-hour/agent.cjs');
const programMetrics = require('./program-metrics/agent.cjs');
const why = require('./why/agent.cjs');

/** @import { CountedServers } from '../agent/telemetry.cjs' */

module.exports = { startFeatures };

/** What they report with each heartbeat. @param {CountedServers | null} servers null: they are not known, in fork mode */
function startFeatures(servers) {
  attempt(() => why.start(servers));
  attempt(() => programMetrics.start());
  // A program in fork mode does not pay for it.
  if (servers !== null) attempt(() => require('./health/agent.cjs').start(servers));
  return guarded(() => ({ ...why.facts(), ...pastHour.facts() }));
}
