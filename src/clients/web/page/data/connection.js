/**
 * How the page reaches its server: it signs in, with the token of the link that `nodecluster web` printed or the key of an
 * earlier visit, and keeps its stream open, only while the tab is visible, because workers measure as long as it is open.
 */
import { doublingDelay } from '../../../../lifecycle/delays.js';

/**
 * @import { SessionReply, ActionRequest, Details, Past } from '../../shapes.js'
 *
 * @typedef {{kind: 'connecting' | 'open' | 'lost' | 'denied', text: string}} Connection denied: there is no session;
 *   text: why
 */

const RETRY_MS = 1000;
const MAX_RETRY_MS = 5000;

/** Of the session; every request sends it. */
let key = '';

/**
 * Reconnects as long as the page is open.
 * @param {(event: StreamEvent) => void} onEvent @param {(connection: Connection) => void} onConnection
 */
export async function stayConnected(onEvent, onConnection) {
  let failures = 0;
  /** @param {StreamEvent} event */
  const receive = (event) => {
    failures = 0;
    if (event.name === 'snapshot') onConnection({ kind: 'open', text: '' });
    onEvent(event);
  };
  for (;;) {
    await visible();
    const { isDenied, text } = await connectOnce(receive);
    if (isDenied) {
      onConnection({ kind: 'denied', text });
      await newSession();
    } else if (!document.hidden) {
      onConnection({ kind: 'lost', text });
      const delayMs = doublingDelay(failures, RETRY_MS, MAX_RETRY_MS);
      failures += 1;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** @param {(event: StreamEvent) => void} onEvent @returns {Promise<StreamEnd>} */
async function connectOnce(onEvent) {
  try {
    const problem = await signIn();
    if (problem !== null) return { isDenied: true, text: problem };
    const end = await whileVisible((signal) => readStream('api/events', onEvent, signal));
    // What to do is on the page then.
    return end.isDenied ? { ...end, text: '' } : end;
  } catch (error) {
    return { isDenied: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** The signal is aborted when the tab is hidden. @template T @param {(signal: AbortSignal) => Promise<T>} run @returns {Promise<T>} */
export async function whileVisible(run) {
  const abort = new AbortController();
  const { signal } = abort;
  const onChange = () => document.hidden && abort.abort();
  document.addEventListener('visibilitychange', onChange, { signal });
  onChange();
  return run(signal).finally(() => abort.abort());
}

export async function visible() {
  while (document.hidden) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
    });
  }
}

/** @returns {Promise<void>} when a new link was opened in this tab, or in another one */
function newSession() {
  const abort = new AbortController();
  const { signal } = abort;
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    addEventListener('storage', () => abort.abort(), { signal });
    const onHash = () => location.hash.startsWith('#token=') && abort.abort();
    addEventListener('hashchange', onHash, { signal });
  });
}

/**
 * @typedef {{name: string, data: any}} StreamEvent
 * @typedef {{isDenied: boolean, text: string}} StreamEnd isDenied: the session is over; text: why it ended
 */

/**
 * Reads server-sent events with `fetch`: unlike EventSource it sends the key in a header and says why a stream was refused.
 * @param {string} url @param {(event: StreamEvent) => void} onEvent @param {AbortSignal} signal closes the stream
 * @returns {Promise<StreamEnd>} when the stream has ended
 */
export async function readStream(url, onEvent, signal) {
  try {
    const response = await request(url, { signal });
    if (!response.ok || response.body === null) {
      return { isDenied: response.status === 401, text: await response.text() };
    }
    const parse = eventParser(onEvent);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) parse(part.value);
    return { isDenied: false, text: 'The server closed the stream.' };
  } catch (error) {
    return { isDenied: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {(event: StreamEvent) => void} onEvent @returns {(text: string) => void} gets the stream in pieces of any size */
function eventParser(onEvent) {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      // The others are comments.
      const [, name, data] = /^event: (\w+)\ndata: (.+)$/s.exec(block) ?? [];
      if (name) onEvent({ name, data: JSON.parse(data) });
    }
  };
}

/** Cookies are sent to every port of a host; what is stored is not. */
const storageName = () => `nodecluster.key ${location.pathname}`;

/** Null: with a key, which the stream may find to be over; otherwise why not, as far as there is something to say. */
async function signIn() {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) {
    key = localStorage.getItem(storageName()) ?? '';
    return key === '' ? '' : null;
  }
  // It works once, so it does not stay in the address bar or in the history.
  history.replaceState(null, '', location.pathname + location.search);
  const response = await request('api/session', { method: 'POST', body: { token } });
  if (!response.ok) return response.text();
  ({ key } = /** @type {SessionReply} */ (await response.json()));
  localStorage.setItem(storageName(), key);
  return null;
}

/** Ends the session in the server too. */
export async function signOut() {
  localStorage.removeItem(storageName());
  await request('api/session', { method: 'DELETE' }).finally(() => location.reload());
}

/** @param {string} app @returns {Promise<Details>} rejects with one line to show, as the next one */
export async function fetchDetails(app) {
  return (await answerTo(`api/details?${new URLSearchParams({ app })}`)).json();
}

/** @returns {Promise<Past>} */
export async function fetchPast() {
  return (await answerTo('api/past')).json();
}

/** @param {ActionRequest} action @returns {Promise<Response>} it has begun */
export function sendAction(action) {
  return answerTo('api/actions', { method: 'POST', body: action });
}

/** @param {string} url @param {Request} [given] */
async function answerTo(url, given) {
  const response = await request(url, given);
  if (response.ok) return response;
  throw new Error((await response.text()) || `The server replied ${response.status}.`);
}

/** @typedef {{method?: string, body?: object, signal?: AbortSignal}} Request */

/** @param {string} url @param {Request} [given] */
function request(url, { body, ...given } = {}) {
  const headers = {
    'X-Nodecluster-Key': key,
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return fetch(url, { ...given, headers, body: body && JSON.stringify(body) });
}
