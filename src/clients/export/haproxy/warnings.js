/** What the backends leave out, or cannot do well. */
import { checkedPath } from './timing.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { Order, Warning } from '../engines.js'
 * @import { Backend } from './backends.js'
 */

/** Two intervals of the agent check, and a margin. */
const MIN_SHUTDOWN_DELAY_MS = 5000;

/** @param {Order} order @param {Backend[]} backends @returns {Warning[]} */
export function warningsOf({ specs, options }, backends) {
  const exported = new Set(backends.map(({ spec }) => spec));
  const hasServers = options.servers !== undefined;
  const general = hasServers
    ? []
    : ['no machine is named, so the backends have no server: --servers 10.0.0.11,10.0.0.12'];
  return [
    ...general.map((text) => ({ app: null, text })),
    ...specs.flatMap((spec) => {
      const texts = exported.has(spec) ? warningsOfBackend(spec) : [whyNone(spec)];
      return texts.map((text) => ({ app: spec.name, text }));
    }),
  ];
}

/** @param {Spec} spec */
function whyNone({ autorestart }) {
  return autorestart
    ? 'has no backend, since its port is not known: set PORT in env, or give --port'
    : 'has no backend, since it is not a server (autorestart: false)';
}

/** @param {Spec} spec */
function warningsOfBackend(spec) {
  return [checkWarning, delayWarning, idleWarning, stickyWarning]
    .map((warn) => warn(spec))
    .filter((text) => text !== null);
}

/** @param {Spec} spec */
function checkWarning({ health }) {
  if (health && checkedPath(health.http) !== null) return null;
  return health?.http
    ? `HAProxy cannot check health.http: ${health.http}; it only checks that the port is open`
    : 'has no health.http, so HAProxy only checks that the port is open, also while no worker is ready';
}

/** @param {Spec} spec */
function delayWarning({ shutdownDelayMs }) {
  if (shutdownDelayMs >= MIN_SHUTDOWN_DELAY_MS) return null;
  return 'HAProxy learns of a stop up to 2 s late: set shutdown_delay to 5s or more';
}

/** @param {Spec} spec */
function idleWarning({ keepAliveTimeoutMs }) {
  if (keepAliveTimeoutMs !== null) return null;
  return 'Node closes connections that are idle for 5 s, maybe as HAProxy sends a request: set keep_alive_timeout to 65s';
}

/** @param {Spec} spec */
function stickyWarning({ scheduling }) {
  if (scheduling !== 'sticky') return null;
  return 'scheduling: sticky sees only the address of HAProxy, so one worker of each machine gets everything';
}
