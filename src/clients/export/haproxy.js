/** Backends of HAProxy, for machines that each run the same ecosystem file under nodecluster. */
import { warningsOf } from './head.js';
import { portsOf } from './resources.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Engine, Order } from './head.js'
 *
 * @typedef {NonNullable<ReturnType<typeof backendOf>>} Backend
 */

/** @type {Engine} */
export const haproxy = {
  name: 'haproxy',
  options: ['servers', 'agentPort', 'port'],
  write: (order) => {
    const backends = order.specs.flatMap((spec) => backendOf(spec, order) ?? []);
    const texts = [frontend(backends), ...backends.map((backend) => backendText(backend, order))];
    const warnings = order.specs.flatMap((spec) => allWarnings(spec, backends));
    return [{ name: 'haproxy.cfg', body: texts.join('\n'), warnings }];
  },
};

/** @param {Spec} spec @param {Order} order @returns null: it serves nothing that is known */
function backendOf(spec, { options }) {
  const { instances, autorestart } = spec;
  if (!autorestart) return null;
  const most = typeof instances === 'number' ? instances : instances.max;
  const ports = portsOf(spec, Math.max(1, most), options.port);
  // HAProxy does not allow an @ in a name.
  return ports === null ? null : { name: spec.name.replaceAll('@', '_'), spec, ports };
}

/** Which requests belong to which app is not in the settings. @param {Backend[]} backends */
function frontend(backends) {
  const [first] = backends;
  return [
    '# Needs sections `global` and `defaults`, and a frontend such as this one:',
    '# frontend web',
    '#     mode http',
    '#     bind :80',
    '#     timeout client 30s',
    ...(first ? [`#     default_backend ${first.name}`] : []),
    '',
  ].join('\n');
}

/** @param {Backend} backend @param {Order} order */
function backendText(backend, order) {
  const { name, spec } = backend;
  const drain = seconds(spec.drainTimeoutMs);
  const lines = [
    'mode http',
    ...balanceLines(spec),
    'option forwardfor',
    ...checkLines(spec),
    'timeout connect 2s',
    commented(
      `timeout server ${drain}`,
      `drain_timeout: ${drain}; a reload ends what takes longer`,
    ),
    'timeout tunnel 1h  # WebSockets',
    'retry-on conn-failure  # nothing was sent yet, so no request is made twice',
    'retries 3',
    'option redispatch  # to another machine',
    'http-reuse safe',
    ...serverLines(backend, order),
  ];
  return `backend ${name}\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** @param {string} line @param {string} comment */
function commented(line, comment) {
  return `${line}  # ${comment}`;
}

/** Both take a new weight while HAProxy runs. @param {Spec} spec */
function balanceLines({ scheduling }) {
  if (scheduling !== 'sticky') return ['balance leastconn'];
  return ['balance source  # scheduling: sticky', 'hash-type consistent'];
}

const AGENT_PORT = 9500;

const ADDRESS = /^(?:\[[\da-f:]+\]|[\w.-]+)$/i;

/**
 * @param {string} text `10.0.0.11,web2,[fd00::3]`
 * @returns {string[]} addresses of machines
 * @throws {RangeError} it says what it expects
 */
export function parseServers(text) {
  const servers = text.split(',').map((entry) => entry.trim());
  if (servers.every((server) => ADDRESS.test(server))) return servers;
  throw new RangeError('It must be addresses with commas between them: 10.0.0.11,10.0.0.12');
}

/** @param {Backend} backend @param {Order} order */
function serverLines(backend, { options }) {
  const { spec } = backend;
  const { agentPort = AGENT_PORT } = options;
  /** @type {string[]} */
  const servers = options.servers;
  return [
    // The weight of the agent is a percentage of this one, rounded down.
    'default-server weight 100 slowstart 10s',
    'default-server tcp-ut 10s  # a machine that is not reachable any more',
    ...idleLines(spec),
    'default-server check inter 2s fall 3 rise 2',
    `default-server agent-check agent-port ${agentPort} agent-inter 2s agent-send "${spec.name}\\n"  # nodecluster agent --listen`,
    ...servers.flatMap((server, index) => linesOf(backend, server, index)),
  ];
}

/** @param {Backend} backend @param {string} server @param {number} index */
function linesOf({ ports: { numbers, setting, isPerWorker } }, server, index) {
  const machine = `machine${index + 1}`;
  // Of several ports of one program, only the first is known to be for its clients.
  return (isPerWorker ? numbers : numbers.slice(0, 1)).map((number, worker) => {
    const name = isPerWorker ? `${machine}-${worker}` : machine;
    return commented(`server ${name} ${server}:${number}`, setting);
  });
}

const IDLE_DELAYS = 12;

/**
 * HAProxy closes half of its idle connections after each delay, so that after twelve none is left: the
 * program must not close one while a request is on its way.
 * @param {Spec} spec
 */
function idleLines({ keepAliveTimeoutMs }) {
  if (keepAliveTimeoutMs === null) return [];
  const delay = Math.max(1000, Math.floor(keepAliveTimeoutMs / IDLE_DELAYS / 1000) * 1000);
  const comment = `keep_alive_timeout: ${seconds(keepAliveTimeoutMs)}`;
  return [commented(`default-server pool-purge-delay ${seconds(delay)}`, comment)];
}

/** @param {Spec} spec */
function checkLines({ health }) {
  if (!health || !canCheck(health)) return ['timeout check 2s'];
  const timeout = seconds(health.timeoutMs);
  return [
    commented(`option httpchk GET ${health.http}`, `health.http: ${health.http}`),
    commented(`timeout check ${timeout}`, `health.timeout: ${timeout}`),
  ];
}

/** HAProxy can ask for a path, but not for a URL. @param {NonNullable<Spec['health']>} health */
function canCheck({ http }) {
  return http !== null && /^\/[\w\-./~%=&?]*$/.test(http);
}

/** @param {number} ms */
function seconds(ms) {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** Two intervals of the agent check, and a margin. */
const MIN_SHUTDOWN_DELAY_MS = 5000;

/** What the backends leave out, or cannot do well. @param {Spec} spec @param {Backend[]} backends */
function allWarnings(spec, backends) {
  const isExported = backends.some((backend) => backend.spec === spec);
  const whyNone = spec.autorestart
    ? 'has no backend, since its port is not known: set PORT in env, or give --port'
    : 'has no backend, since it is not a server (autorestart: false)';
  return warningsOf(spec.name, isExported ? ROWS.map((row) => row(spec)) : [whyNone]);
}

/** @type {((spec: Spec) => string | false)[]} */
const ROWS = [
  ({ health }) =>
    (!health || !canCheck(health)) &&
    (health?.http
      ? `HAProxy cannot check health.http: ${health.http}; it only checks that the port is open`
      : 'has no health.http, so HAProxy only checks that the port is open, also while no worker is ready'),
  ({ shutdownDelayMs }) =>
    shutdownDelayMs < MIN_SHUTDOWN_DELAY_MS &&
    'HAProxy learns of a stop up to 2 s late: set shutdown_delay to 5s or more',
  ({ keepAliveTimeoutMs }) =>
    keepAliveTimeoutMs === null &&
    'Node closes connections that are idle for 5 s, maybe as HAProxy sends a request: set keep_alive_timeout to 65s',
  ({ scheduling }) =>
    scheduling === 'sticky' &&
    'scheduling: sticky sees only the address of HAProxy, so one worker of each machine gets everything',
];
