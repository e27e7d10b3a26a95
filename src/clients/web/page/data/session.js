/** Signs the page in: the token of the link that `nodecluster web` printed, or the key of an earlier visit. */

/**
 * @import { SessionReply, ActionRequest, Details, History, Recording } from '../../shapes.js'
 * @import { PageState } from './model.js'
 */

/** Cookies are sent to every port of a host; what is stored is not. */
const storageName = (what = 'key') => `nodecluster.${what} ${location.pathname}`;

/**
 * @returns {Promise<{key: string | null, problem: string | null}>} key null: not signed in, and
 *   problem says why
 * @throws {TypeError} the server cannot be reached
 */
export async function signIn() {
  const token = takeToken();
  return token === null ? checkKey() : exchangeToken(token);
}

/**
 * Ends the session in the server too.
 * @param {string} key
 */
export async function signOut(key) {
  localStorage.removeItem(storageName());
  await request('api/session', { method: 'DELETE', key });
}

/** @param {string} key @returns {Record<string, string>} headers of every request */
export function keyHeaders(key) {
  return { 'X-Nodecluster-Key': key };
}

/** A token works once, so it does not stay in the address bar or in the history. */
function takeToken() {
  const [, token = null] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** @param {string} token */
async function exchangeToken(token) {
  const response = await request('api/session', { method: 'POST', body: { token } });
  if (!response.ok) return { key: null, problem: await response.text() };
  const { key } = /** @type {SessionReply} */ (await response.json());
  localStorage.setItem(storageName(), key);
  return { key, problem: null };
}

async function checkKey() {
  const key = localStorage.getItem(storageName());
  if (key === null) return { key, problem: null };
  const response = await request('api/session', { key });
  if (response.ok) return { key, problem: null };
  if (response.status === 401) return { key: null, problem: null };
  // The server, or the proxy before it, has a problem that may pass.
  throw new TypeError(await response.text());
}

/** @returns {PageState['folds']} as they were before the tab was reloaded */
export function readFolds() {
  return new Map(JSON.parse(sessionStorage.getItem(storageName('folds')) ?? '[]'));
}

/** @param {PageState['folds']} folds */
export function keepFolds(folds) {
  sessionStorage.setItem(storageName('folds'), JSON.stringify([...folds]));
}

/**
 * What the page asks the server for, besides its streams. Each rejects with one line to show.
 * @param {string} key of the session
 * @param {string} app
 * @returns {Promise<Details>}
 */
export function fetchDetails(key, app) {
  return ask(`api/apps/${encodeURIComponent(app)}`, { key });
}

/**
 * @param {string} key of the session
 * @param {string} app
 * @returns {Promise<History>} the last 15 minutes of the app and its workers
 */
export function fetchHistory(key, app) {
  return ask(`api/history?${new URLSearchParams({ app })}`, { key });
}

/**
 * @param {string} key of the session
 * @param {ActionRequest} action
 * @returns {Promise<void>} it has begun
 */
export async function sendAction(key, action) {
  await answerTo('api/actions', { method: 'POST', key, body: action });
}

/** @param {string} url @param {Request} given */
async function ask(url, given) {
  return (await answerTo(url, given)).json();
}

/** @param {string} url @param {Request} given */
async function answerTo(url, given) {
  const response = await request(url, given);
  if (response.ok) return response;
  throw new Error((await response.text()) || `The server replied ${response.status}.`);
}

/** @typedef {{method?: string, key?: string, body?: object}} Request */

/** @param {string} url @param {Request} given */
function request(url, { method, key, body }) {
  const headers = {
    ...(key !== undefined && keyHeaders(key)),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return fetch(url, { method, headers, body: body && JSON.stringify(body) });
}

/**
 * A page that `nodecluster web --record` wrote has its data in itself.
 * @returns {Recording | null} null: this page comes from a server
 */
export function readRecording() {
  const element = document.getElementById('recording');
  return element === null ? null : JSON.parse(element.textContent ?? '');
}
