/** Decides whether a request may pass, and answers it with a file or by the API of the page, which shapes.d.ts describes. */
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { fetchDetails, fetchPast, readLogRequest, streamLogs } from './daemon.js';
import { Tab } from './live.js';
import {
  EventWriter,
  readJson,
  Refusal,
  refuse,
  sendAsset,
  sendJson,
  sendNothing,
  setHeaders,
} from './respond.js';
import { cookieFor, cookieNamed, isForeign } from './site.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Actions } from './daemon.js'
 * @import { Live } from './live.js'
 * @import { Assets } from './respond.js'
 * @import { Links, Sessions, Verdict } from './sessions.js'
 * @import { Site } from './site.js'
 * @import { HomePaths } from '../../shared/home.js'
 *
 * @typedef {object} Served
 * @property {Site} site
 * @property {Assets} assets
 * @property {Links} links
 * @property {Sessions} sessions
 * @property {string} cookieName
 * @property {Live} live
 * @property {Actions} actions
 * @property {HomePaths} paths
 * @property {(verdict: Verdict) => void} onLink a link was opened
 * @property {(request: IncomingMessage, response: ServerResponse) => void} onSignedIn called for each request of a session
 *
 * @typedef {object} Exchange one request to the API and its answer
 * @property {IncomingMessage} request
 * @property {ServerResponse} response
 * @property {URLSearchParams} query
 * @property {() => boolean} isSignedIn asked again, it says whether the session has ended meanwhile
 *
 * @typedef {Record<string, Record<string, (exchange: Exchange) => unknown>>} Routes by path and method
 */

/** Of HTTP, by the exit code of a command. @type {Record<number, number>} */
const STATUS = {
  [exitCodes.usage]: 400,
  [exitCodes.notFound]: 404,
  [exitCodes.refused]: 409,
  [exitCodes.connection]: 503,
};
/** A POST to it needs no session. */
const SIGN_IN_PATH = 'api/session';
const WRONG_HOST =
  'This name of the server is not allowed. Use its address, localhost, or the URL that `nodecluster web` was given.';
const OTHER_SITE = 'This request comes from another site.';
const SIGN_IN = 'You are not signed in. Open the newest link that `nodecluster web` printed.';
/** Streams at a time. */
const MAX_TABS = 32;
const MAX_LOGS = 8;

/** @type {Record<Exclude<Verdict, 'ok'>, string>} */
const REFUSED_LINKS = {
  used: 'This link was used before, and each signs in once. Open the newest one that `nodecluster web` printed.',
  expired: 'This link has expired. `nodecluster web` has printed a new one.',
  unknown: 'This link is not valid. Open the newest one that `nodecluster web` printed.',
};

/**
 * @param {Served} served
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>} never rejects
 */
export function makeHandler(served) {
  const routes = routesOf(served);
  return async (request, response) => {
    try {
      setHeaders(response);
      await answer(served, routes, request, response);
    } catch (thrown) {
      if (response.headersSent) return void response.destroy();
      if (thrown instanceof Refusal) return refuse(response, thrown);
      const { exitCode, message, hint } = NodeclusterError.from(thrown);
      const text = [message, hint].filter(Boolean).join(' ');
      refuse(response, new Refusal(STATUS[exitCode] ?? 500, text));
    }
  };
}

/** @param {Served} served @param {Routes} routes @param {IncomingMessage} request @param {ServerResponse} response */
async function answer(served, routes, request, response) {
  const { site, assets } = served;
  // Asked before anything else: a web page may point its own name at this address (DNS rebinding).
  if (!site.isOwnHost(request.headers.host)) throw new Refusal(403, WRONG_HOST);
  const [path, ...queries] = (request.url ?? '').split('?');
  if (`${path}/` === site.base) throw new Refusal(308, 'See the page.', { Location: site.base });
  const place = path.startsWith(site.base) ? path.slice(site.base.length) || 'index.html' : '';
  const asset = assets.get(place);
  if (asset) {
    assertMethod(request, ['GET', 'HEAD']);
    return sendAsset(request, response, asset);
  }
  if (!Object.hasOwn(routes, place)) throw new Refusal(404, 'There is nothing at this path.');
  const { method = '' } = request;
  assertMethod(request, Object.keys(routes[place]));
  const isSignedIn = admit(served, request);
  if (place !== SIGN_IN_PATH || method !== 'POST') {
    if (!isSignedIn()) throw new Refusal(401, SIGN_IN);
    served.onSignedIn(request, response);
  }
  const query = new URLSearchParams(queries.join('?'));
  await routes[place][method]({ request, response, query, isSignedIn });
}

/** @param {IncomingMessage} request @param {string[]} allowed */
function assertMethod({ method = '' }, allowed) {
  if (allowed.includes(method)) return;
  const list = allowed.join(', ');
  throw new Refusal(405, `Methods that are allowed here: ${list}.`, { Allow: list });
}

/** @param {Served} served @param {IncomingMessage} request @returns {() => boolean} whether it belongs to a session */
function admit({ site, sessions, cookieName }, { headers, method }) {
  if (isForeign(headers, site, method !== 'GET')) throw new Refusal(403, OTHER_SITE);
  const cookie = cookieNamed(headers, cookieName);
  const key = headers['x-nodecluster-key'];
  return () => typeof key === 'string' && sessions.use(cookie, key, performance.now());
}

/** @param {Served} served @returns {Routes} */
function routesOf(served) {
  const { site, sessions, cookieName, live, actions, paths } = served;
  const openTab = streamOpener(MAX_TABS);
  const openLogs = streamOpener(MAX_LOGS);
  return {
    [SIGN_IN_PATH]: {
      GET: ({ response }) => sendNothing(response),
      POST: (exchange) => signIn(served, exchange),
      DELETE: ({ request, response }) => {
        const { headers } = request;
        sessions.end(cookieNamed(headers, cookieName), String(headers['x-nodecluster-key']));
        response.setHeader('Set-Cookie', cookieFor(cookieName, '', site));
        sendNothing(response);
      },
    },
    'api/events': {
      GET: (exchange) => exchange.response.once('close', live.add(new Tab(openTab(exchange)))),
    },
    'api/logs': {
      GET: (exchange) => {
        const asked = readLogRequest(exchange.query);
        const ending = new AbortController();
        const writer = openLogs(exchange);
        exchange.response.once('close', () => ending.abort());
        return streamLogs(paths, asked, writer, ending.signal);
      },
    },
    'api/details': {
      GET: async ({ response, query }) =>
        sendJson(response, await fetchDetails(paths, query.get('app') ?? '')),
    },
    'api/past': { GET: async ({ response }) => sendJson(response, await fetchPast(paths)) },
    'api/actions': {
      POST: async ({ request, response }) => {
        actions.begin(await readJson(request));
        sendNothing(response);
      },
    },
  };
}

/** @param {Served} served @param {Exchange} exchange */
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

/** @param {number} most streams at a time */
function streamOpener(most) {
  let open = 0;
  return (/** @type {Exchange} */ { response, isSignedIn }) => {
    if (open >= most) {
      throw new Refusal(503, `${most} pages are open, which is the limit. Close some of them.`);
    }
    open += 1;
    response.once('close', () => (open -= 1));
    return new EventWriter(response, isSignedIn);
  };
}
