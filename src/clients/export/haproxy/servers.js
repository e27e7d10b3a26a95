/** One line for each machine, and what holds for all of them. */
import { idleLines } from './timing.js';

/**
 * @import { Order } from '../engines.js'
 * @import { Backend, Line } from './backends.js'
 */

/**
 * @typedef {object} Server an entry of `--servers`
 * @property {string} host
 * @property {number | null} port null: that of the app
 */

const AGENT_PORT = 9500;
const EXAMPLE = { host: '10.0.0.11', port: null };

/**
 * @param {string} text `10.0.0.11,web2:3001,[fd00::3]:3000`
 * @returns {Server[]}
 * @throws {RangeError} it says what it expects
 */
export function parseServers(text) {
  return text.split(',').map((entry) => {
    const [, bracketed, plain, digits] =
      /^(?:\[([\da-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(entry.trim()) ?? [];
    const host = bracketed ?? plain;
    const port = digits === undefined ? null : Number(digits);
    if (host === undefined || port === 0 || (port ?? 0) > 65_535) {
      throw new RangeError('It must be addresses with commas between them: 10.0.0.11,10.0.0.12');
    }
    return { host, port };
  });
}

/** @param {Backend} backend @param {Order} order @returns {Line[]} */
export function serverLines(backend, { options }) {
  const { spec } = backend;
  /** @type {Server[]} */
  const servers = options.servers ?? [];
  return [
    // The weight of the agent is a percentage of this one, rounded down.
    ['default-server weight 100 slowstart 10s'],
    ['default-server tcp-ut 10s', 'a machine that is not reachable any more'],
    ...idleLines(spec),
    ['default-server check inter 2s fall 3 rise 2'],
    [
      `default-server agent-check agent-port ${options.agentPort ?? AGENT_PORT} agent-inter 2s agent-send "${spec.name}\\n"`,
      'nodecluster agent --listen',
    ],
    ...servers.flatMap((server, index) => linesOf(backend, server, index)),
    ...(servers.length === 0 ? linesOf(backend, EXAMPLE, 0).map(commentedOut) : []),
  ];
}

/** @param {Backend} backend @param {Server} server @param {number} index @returns {Line[]} */
function linesOf({ ports: { numbers, setting, isPerWorker } }, server, index) {
  const machine = `machine${index + 1}`;
  const shift = server.port === null ? 0 : server.port - numbers[0];
  // Of several ports of one program, only the first is known to be for its clients.
  return (isPerWorker ? numbers : numbers.slice(0, 1)).map((number, worker) => [
    `server ${isPerWorker ? `${machine}-${worker}` : machine} ${hostIn(server.host)}:${number + shift}`,
    server.port === null ? setting : '--servers',
  ]);
}

/** @param {string} host */
function hostIn(host) {
  return host.includes(':') ? `[${host}]` : host;
}

/** @param {Line} line @returns {Line} */
function commentedOut([line]) {
  return [`# ${line}`];
}
