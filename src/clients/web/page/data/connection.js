/**
 * Keeps the stream of the page open: only while the tab is visible, because workers measure as long
 * as it is open, and again after it broke.
 */
import { readStream } from './stream.js';
import { signIn } from './session.js';

/**
 * @import { StreamEnd, StreamEvent } from './stream.js'
 * @import { Connection } from '../state/model.js'
 */

const RETRY_MS = 1000;
const MAX_RETRY_MS = 5000;

/**
 * @typedef {object} Listeners
 * @property {(event: StreamEvent) => void} onEvent
 * @property {(connection: Connection) => void} onConnection
 * @property {(key: string) => void} onKey the key of the session
 */

/**
 * @param {Listeners} listeners
 * @returns {Promise<never>} it reconnects as long as the page is open
 */
export async function stayConnected({ onEvent, onConnection, onKey }) {
  let delay = RETRY_MS;
  /** @param {StreamEvent} event */
  const receive = (event) => {
    delay = RETRY_MS;
    if (event.name === 'snapshot') onConnection({ kind: 'open', text: '' });
    onEvent(event);
  };
  for (;;) {
    await visible();
    const { isDenied, text } = await connectOnce(receive, onKey);
    if (isDenied) {
      onConnection({ kind: 'denied', text });
      await newSession();
    } else if (!document.hidden) {
      onConnection({ kind: 'lost', text });
      await new Promise((resolve) => setTimeout(resolve, delay));
      delay = Math.min(delay * 2, MAX_RETRY_MS);
    }
  }
}

/**
 * @param {(event: StreamEvent) => void} onEvent
 * @param {(key: string) => void} onKey
 * @returns {Promise<StreamEnd>}
 */
async function connectOnce(onEvent, onKey) {
  try {
    const { key, problem } = await signIn();
    if (key === null) return { isDenied: true, text: problem ?? '' };
    onKey(key);
    return await whileVisible((signal) => readStream('api/events', key, onEvent, signal));
  } catch (error) {
    return { isDenied: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} run
 * @returns {Promise<T>} the signal is aborted when the tab is hidden
 */
export async function whileVisible(run) {
  const abort = new AbortController();
  const onChange = () => {
    if (document.hidden) abort.abort();
  };
  document.addEventListener('visibilitychange', onChange);
  onChange();
  try {
    return await run(abort.signal);
  } finally {
    document.removeEventListener('visibilitychange', onChange);
  }
}

/** @returns {Promise<void>} */
export function visible() {
  return new Promise((resolve) => {
    const onChange = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', onChange);
      resolve();
    };
    document.addEventListener('visibilitychange', onChange);
    onChange();
  });
}

/** @returns {Promise<void>} when a new link was opened in this tab, or in another one */
function newSession() {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener('hashchange', onHash);
      removeEventListener('storage', done);
      resolve();
    };
    const onHash = () => {
      if (location.hash.startsWith('#token=')) done();
    };
    addEventListener('hashchange', onHash);
    addEventListener('storage', done);
  });
}
