/** The API of the page: src/clients/web/shapes.d.ts says what each request and reply carries. */
import { cookieFor, cookieNamed } from './judge-request.js';
import { SIGN_IN_PATH } from './handle.js';
import { Tab } from './live.js';
import { fetchDetails } from './daemon.js';
import { streamLogs, readLogRequest } from './logs.js';
import { EventWriter } from './event-writer.js';
import { readJson, Refusal, sendJson, sendNothing } from './respond.js';

/**
 * @import { Links, Verdict, Sessions } from './sessions.js'
 * @import { Site } from './place.js'
 * @import { Live } from './live.js'
 * @import { Actions } from './actions.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Exchange, Served } from './handle.js'
 */

/**
 * @typedef {object} Api
 * @property {Site} site
 * @property {Links} links
 * @property {Sessions} sessions
 * @property {string} cookieName
 * @property {Live} live
 * @property {Actions} actions
 * @property {HomePaths} paths
 * @property {(verdict: Verdict) => void} onLink a link was opened
 *
 * @typedef {{tabs: number, logs: number}} Open how many streams there are
 */

const MAX_TABS = 32;
const MAX_LOGS = 8;

/** @type {Record<Exclude<Verdict, 'ok'>, string>} */
const REFUSED_LINKS = {
  used: 'This link was used before, and each signs in once. Open the newest one that `nodecluster web` printed.',
  expired: 'This link has expired. `nodecluster web` has printed a new one.',
  unknown: 'This link is not valid. Open the newest one that `nodecluster web` printed.',
};

/**
 * @param {Api} api
 * @returns {Served['routes']}
 */
export function makeRoutes(api) {
  const { live, actions, paths } = api;
  const open = { tabs: 0, logs: 0 };
  return {
    [SIGN_IN_PATH]: {
      GET: ({ response }) => sendNothing(response),
      POST: (exchange) => signIn(api, exchange),
      DELETE: (exchange) => signOut(api, exchange),
    },
    'api/events': { GET: (exchange) => showLive(api, exchange, open) },
    'api/logs': { GET: (exchange) => showLogs(api, exchange, open) },
    'api/history': {
      GET: ({ response, query }) => sendJson(response, live.history(query.get('app') ?? '')),
    },
    'api/details': {
      GET: async ({ response, query }) =>
        sendJson(response, await fetchDetails(paths, query.get('app') ?? '')),
    },
    'api/actions': {
      POST: async ({ request, response }) => {
        await actions.begin(await readJson(request));
        sendNothing(response);
      },
    },
  };
}

/** @param {Api} api @param {Exchange} exchange @param {Open} open */
function showLive({ live }, exchange, open) {
  const tab = new Tab(openStream(exchange, open, 'tabs', MAX_TABS));
  exchange.response.once('close', live.add(tab));
}

/** @param {Api} api @param {Exchange} exchange @param {Open} open */
function showLogs({ live, paths }, exchange, open) {
  const { response, query } = exchange;
  const request = readLogRequest(query);
  const writer = openStream(exchange, open, 'logs', MAX_LOGS);
  const ending = new AbortController();
  response.once('close', () => ending.abort());
  return streamLogs(paths, live, request, writer, ending.signal);
}

/** @param {Api} api @param {Exchange} exchange */
async function signIn({ site, links, sessions, cookieName, onLink }, { request, response }) {
  const { token } = await readJson(request);
  const now = performance.now();
  const verdict = typeof token === 'string' ? links.redeem(token, now) : 'unknown';
  onLink(verdict);
  if (verdict !== 'ok') throw new Refusal(401, REFUSED_LINKS[verdict]);
  const { cookie, key } = sessions.begin(now);
  response.setHeader('Set-Cookie', cookieFor(cookieName, cookie, site));
  sendJson(response, { key });
}

/** @param {Api} api @param {Exchange} exchange */
function signOut({ site, sessions, cookieName }, { request, response }) {
  sessions.end(cookieNamed(request.headers, cookieName) ?? '');
  response.setHeader('Set-Cookie', cookieFor(cookieName, '', site));
  sendNothing(response);
}

/**
 * @param {Exchange} exchange
 * @param {Open} open
 * @param {'tabs' | 'logs'} kind
 * @param {number} most
 */
function openStream({ response, isSignedIn }, open, kind, most) {
  if (open[kind] >= most) {
    throw new Refusal(503, `${most} pages are open, which is the limit. Close some of them.`);
  }
  open[kind] += 1;
  response.once('close', () => (open[kind] -= 1));
  return new EventWriter(response, isSignedIn);
}
