/** Causes a fault under traffic, and counts what it costs; where the requests go. */
import { setTimeout as sleep } from 'node:timers/promises';
import http from 'node:http';
import https from 'node:https';
import { usageError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { escapeLine } from '../../show/escape.js';
import { eventOf } from './verdict.js';

/**
 * @import { RequestOptions } from 'node:https'
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Loss } from './verdict.js'
 *
 * @typedef {object} Place where requests go
 * @property {string} text for people
 * @property {URL} url
 * @property {RequestOptions} how
 *
 * @typedef {object} Fault
 * @property {string} event
 * @property {() => Promise<Loss | null>} cause resolves when it is done: a process has exited, a
 *   reload has ended; null: nothing was killed. Throws if it failed
 * @property {() => Promise<boolean>} isWhole whether everything runs again
 */

/** Traffic before and after the event. */
const CALM_MS = 1000;
const WHOLE_MS = 60_000;
const POLL_MS = 50;

/** Of an app that is left alone; `known`: the statuses of its answers. @param {Place} place */
export async function measureBefore(place) {
  const endTraffic = beginTraffic(place);
  await sleep(CALM_MS);
  const asked = await endTraffic();
  const known = new Set(asked.flatMap(({ status }) => status ?? []));
  return { event: eventOf('before', asked, { known }), known };
}

/** @param {Place} place @param {Fault} fault @param {ReadonlySet<number>} known statuses of the app before */
export async function measureFault(place, fault, known) {
  const endTraffic = beginTraffic(place);
  await sleep(CALM_MS);
  const begunMs = performance.now();
  /** @type {Loss | null} */
  let loss = null;
  /** @type {string | null} */
  let trouble = null;
  try {
    loss = await fault.cause();
  } catch (error) {
    trouble = /** @type {Error} */ (error).message;
  }
  const whole = await poll(fault.isWhole, { timeoutMs: WHOLE_MS, everyMs: POLL_MS });
  const wholeMs = performance.now() - begunMs;
  if (whole === null) trouble ??= `the app was not whole again within ${WHOLE_MS / 1000} s`;
  await sleep(CALM_MS);
  return eventOf(fault.event, await endTraffic(), { known, loss, wholeMs, trouble });
}

/** Light traffic. */
const PER_SECOND = 40;
/** Connections that are kept. */
const KEPT = 10;
/** A request without an answer by then is lost. */
const ANSWER_MS = 15_000;

/**
 * @typedef {object} Asked what became of a request
 * @property {number | null} status of its answer; null: it was lost
 * @property {string} code why it was lost; '': it was not
 * @property {boolean} reused its connection had served another request before
 * @property {number} askedAt epoch, in milliseconds
 * @property {number} waitMs until its answer, or until it was lost
 */

/**
 * Light traffic at a steady rate, whether earlier requests are answered or not: an app that is slow to
 * recover gets no fewer of them. Half of the requests use connections that are kept, as far as one is
 * free, the others one each. Nothing is sent twice.
 * @param {Place} place
 * @param {number} [perSecond] requests
 * @returns {() => Promise<Asked[]>} ends it; resolves when each request was answered or lost
 */
export function beginTraffic(place, perSecond = PER_SECOND) {
  const { Agent } = moduleOf(place);
  // Each of them is used in turn, so that they stay spread over the workers.
  const agent = new Agent({ keepAlive: true, maxSockets: KEPT, scheduling: 'fifo' });
  /** @type {Promise<Asked>[]} */
  const all = [];
  /** Requests on kept connections that have no answer yet. */
  let onKept = 0;
  const send = (/** @type {boolean} */ isKept) => {
    // No request waits for a connection: the app would be blamed for that.
    if (!isKept || onKept === KEPT) return void all.push(ask(place));
    onKept += 1;
    all.push(ask(place, agent).finally(() => (onKept -= 1)));
  };
  const begunMs = performance.now();
  for (let count = 0; count < KEPT; count++) send(true);
  // A timer that fires late makes up for it.
  const timer = setInterval(() => {
    const due = KEPT + ((performance.now() - begunMs) * perSecond) / 1000;
    while (all.length < due) send(all.length % 2 === 0);
  }, 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    const asked = await Promise.all(all);
    agent.destroy();
    return asked;
  };
}

/**
 * @param {Place} place
 * @param {http.Agent | https.Agent | false} [agent] false: a connection of its own
 * @returns {Promise<Asked>} never rejects
 */
export function ask(place, agent = false) {
  return new Promise((resolve) => {
    const askedAt = Date.now();
    const begunMs = performance.now();
    const request = moduleOf(place).request(place.url, { ...place.how, agent });
    const end = (/** @type {Pick<Asked, 'status' | 'code'>} */ outcome) => {
      clearTimeout(timer);
      const waitMs = performance.now() - begunMs;
      resolve({ ...outcome, reused: request.reusedSocket, askedAt, waitMs });
    };
    const lose = (/** @type {NodeJS.ErrnoException} */ { code, message }) =>
      end({ status: null, code: code ?? message });
    const timer = setTimeout(() => {
      end({ status: null, code: 'NO_ANSWER' });
      request.destroy();
    }, ANSWER_MS);
    request.on('error', lose);
    request.on('response', (response) => {
      response.on('error', lose);
      response.resume().on('end', () => end({ status: response.statusCode ?? 0, code: '' }));
    });
    request.end();
  });
}

/** @param {Place} place */
function moduleOf({ url }) {
  return url.protocol === 'https:' ? https : http;
}

/** Addresses of a socket that listens on all of them, and the one to connect to. @type {Record<string, string>} */
const LOOPBACK = { '*': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/**
 * @param {Pick<App, 'name' | 'workers'>} app
 * @param {{url?: string}} options `url`: whole, or only a path at the address
 *   that the app listens on
 */
export function placeFor(app, { url = '/' }) {
  if (url.startsWith('/')) return placeOf(listenerOf(app), url);
  const parsed = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (parsed) return { text: url, url: parsed, how: {} };
  const problem = `--url ${escapeLine(url)} is neither a URL with http or https, nor a path`;
  throw usageError('prove', problem);
}

/** @param {Pick<App, 'name' | 'workers'>} app */
function listenerOf({ name, workers }) {
  const all = new Map(
    workers
      .flatMap(({ listening }) => listening)
      .map((listener) => [/:(\d+)$/.exec(listener.address)?.[1] ?? listener.address, listener]),
  );
  const listeners = [...all.values()];
  const servers = listeners.filter(({ protocol }) => protocol !== undefined);
  const candidates = servers.length > 0 ? servers : listeners;
  const addresses = candidates.map(({ address }) => address).join(', ');
  // A URL cannot have the zone of an address: [fe80::1%eth0].
  if (candidates.length === 1 && !/^\[.*%/.test(addresses)) return candidates[0];
  const several = `Could not choose where to send requests: ${name} listens on ${addresses}`;
  const advice = 'Give the whole URL: `--url http://127.0.0.1:3000/`.';
  const none = `Could not send requests to ${name}: no worker listens`;
  throw usageError('prove', addresses ? several : none, advice);
}

/** @param {Worker['listening'][number]} listener @param {string} path @returns {Place} */
function placeOf({ address, protocol = 'http' }, path) {
  // The address says who answers, so a certificate for another name proves nothing less.
  const trust = { rejectUnauthorized: false };
  const [, host = '', port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (port === undefined) {
    const url = new URL(`${protocol}://localhost${path}`);
    return {
      text: `${path} on ${escapeLine(address)}`,
      url,
      how: { ...trust, socketPath: address },
    };
  }
  const place = `${protocol}://${LOOPBACK[host] ?? host}:${port}${path}`;
  return { text: escapeLine(place), url: new URL(place), how: trust };
}
