/** The kinds of traffic under which reloads are measured, and the apps that serve them. */
import { app } from '../../../test/support/home.js';
import { http1Requests, http2Requests } from '../../../test/support/traffic/http-requests.js';
import { shortTalks } from './conversations.js';
import { pipelined } from './pipelined.js';

/** @import { SendRequest, Client } from './clients.js' */

/** drain_timeout of long conversations: each reload waits this long, twice without max_surge. */
export const LONG_DRAIN_MS = 1000;

/** @param {string} PROTOCOL */
const http = (PROTOCOL) => ({
  name: PROTOCOL,
  script: app('traffic.cjs'),
  env: { PROTOCOL, OWN_HANDLER: 'yes' },
});

const talk = { name: 'talk', script: app('long-lived.cjs'), env: {} };

/** Each also gets a PORT, and a TCP_PORT when it has no PROTOCOL. */
export const apps = [
  ...['http', 'https', 'h2', 'h2c'].map(http),
  talk,
  { ...talk, name: 'long', drain_timeout: LONG_DRAIN_MS, max_surge: 2 },
];

/**
 * @typedef {{PORT: number, TCP_PORT: number}} Ports
 * @typedef {object} Kind
 * @property {string} kind
 * @property {string} app
 * @property {(ports: Ports) => Client} begin
 */

/** @typedef {ReturnType<typeof http1Requests>} Http1 @typedef {ReturnType<typeof http2Requests>} Http2 */

/** @type {Kind[]} */
export const kinds = [
  { kind: 'GET, connection kept', ...http1('http', ({ get }) => [get('/plain', 'plain')]) },
  {
    kind: 'GET, a connection each',
    ...http1('http', ({ get }) => [get('/plain', 'plain')], { keepAlive: false }),
  },
  {
    kind: 'POST, body in flight',
    ...http1('http', ({ requests }) => [requests.post, requests.continue]),
  },
  { kind: 'chunked answer', ...http1('http', ({ requests }) => [requests.chunks]) },
  { kind: 'server-sent events', ...http1('http', ({ requests }) => [requests.events]) },
  { kind: 'HTTPS', ...http1('https', ({ requests }) => Object.values(requests), { secure: true }) },
  { kind: 'HTTP/2 with TLS', ...http2('h2', { secure: true }) },
  { kind: 'HTTP/2 without TLS', ...http2('h2c', {}) },
  {
    kind: 'raw TCP',
    app: 'talk',
    begin: ({ TCP_PORT }) => shortTalks(TCP_PORT, { upgrade: false }),
  },
  {
    kind: 'upgraded, as WebSocket',
    app: 'talk',
    begin: ({ PORT }) => shortTalks(PORT, { upgrade: true }),
  },
];

/** @type {Kind[]} */
export const pipelinedKinds = [
  { kind: '4 in one write', app: 'http', begin: ({ PORT }) => pipelined(PORT, { gapMs: 0 }) },
  { kind: '4, one every 5 ms', app: 'http', begin: ({ PORT }) => pipelined(PORT, { gapMs: 5 }) },
];

/**
 * @param {string} app
 * @param {(client: Http1) => SendRequest[]} pick
 * @param {Parameters<typeof http1Requests>[1]} [options]
 */
function http1(app, pick, options) {
  /** @param {Ports} ports */
  const begin = ({ PORT }) => {
    const client = http1Requests(PORT, options);
    return { requests: pick(client), close: client.close };
  };
  return { app, begin };
}

/** @param {string} app @param {Parameters<typeof http2Requests>[1]} options */
function http2(app, options) {
  /** @param {Ports} ports */
  const begin = ({ PORT }) => {
    const client = http2Requests(PORT, options);
    return { requests: Object.values(client.requests), close: client.close };
  };
  return { app, begin };
}
