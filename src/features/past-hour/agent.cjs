'use strict';
/** What this process has used since it started. The primary makes rates of it. */
const { performance } = require('node:perf_hooks');

const { cpuUsage } = process;
const utilization = performance.eventLoopUtilization.bind(performance);

/** With each heartbeat. */
function facts() {
  const { user, system } = cpuUsage();
  return { cpuMs: Math.round((user + system) / 1000), busyMs: Math.round(utilization().active) };
}

module.exports = { facts };
