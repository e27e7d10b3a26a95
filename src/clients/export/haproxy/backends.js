/** Backends of HAProxy, for machines that each run the same ecosystem file under nodecluster. */
import { commentedText } from '../head.js';
import { portsOf } from '../port.js';
import { serverLines } from './servers.js';
import { timingLines } from './timing.js';
import { warningsOf } from './warnings.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { Engine, Order } from '../engines.js'
 * @import { Ports } from '../port.js'
 */

/**
 * @typedef {object} Backend
 * @property {string} name as HAProxy allows it
 * @property {Spec} spec
 * @property {Ports} ports
 *
 * @typedef {readonly [line: string, comment?: string]} Line
 */

/** @type {Engine} */
export const haproxy = {
  name: 'haproxy',
  options: ['servers', 'agentPort', 'port'],
  write: (order) => {
    const backends = order.specs.flatMap((spec) => backendOf(spec, order) ?? []);
    const warnings = warningsOf(order, backends);
    const body = [frontend(backends), ...backends.map((backend) => backendText(backend, order))];
    const text = commentedText('haproxy', order.source, warnings, body.join('\n'));
    return { files: [{ name: 'haproxy.cfg', text }], warnings };
  },
  join: (files) => files.map(({ text }) => text).join('\n'),
};

/** @param {Spec} spec @param {Order} order @returns {Backend | null} null: it serves nothing that is known */
function backendOf(spec, { options }) {
  if (!spec.autorestart) return null;
  const ports = portsOf(spec, mostWorkers(spec), options.port);
  // HAProxy does not allow an @ in a name.
  return ports === null ? null : { name: spec.name.replaceAll('@', '_'), spec, ports };
}

/** @param {Spec} spec */
function mostWorkers({ instances }) {
  return Math.max(1, typeof instances === 'number' ? instances : instances.max);
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
  /** @type {Line[]} */
  const lines = [
    ['mode http'],
    ...balanceLines(spec),
    ['option forwardfor'],
    ...timingLines(backend),
    ['retry-on conn-failure', 'nothing was sent yet, so no request is made twice'],
    ['retries 3'],
    ['option redispatch', 'to another machine'],
    ['http-reuse safe'],
    ...serverLines(backend, order),
  ];
  const rows = lines.map(([line, comment]) => `    ${line}${comment ? `  # ${comment}` : ''}`);
  return `backend ${name}\n${rows.join('\n')}\n`;
}

/** Both take a new weight while HAProxy runs. @param {Spec} spec @returns {Line[]} */
function balanceLines({ scheduling }) {
  if (scheduling !== 'sticky') return [['balance leastconn']];
  return [['balance source', 'scheduling: sticky'], ['hash-type consistent']];
}
