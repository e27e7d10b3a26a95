/** What the page asks the server for, besides its streams. Each rejects with one line to show. */
import { keyHeaders } from './session.js';

/** @import { ActionRequest, Details, History } from '../../shapes.js' */

/**
 * @param {string} key of the session
 * @param {string} app
 * @returns {Promise<Details>}
 */
export function fetchDetails(key, app) {
  return ask(`api/apps/${encodeURIComponent(app)}`, { headers: keyHeaders(key) });
}

/**
 * @param {string} key of the session
 * @param {string} app
 * @returns {Promise<History>} the last 15 minutes of the app and its workers
 */
export function fetchHistory(key, app) {
  return ask(`api/history?${new URLSearchParams({ app })}`, { headers: keyHeaders(key) });
}

/**
 * @param {string} key of the session
 * @param {ActionRequest} request
 * @returns {Promise<unknown>} it has begun
 */
export function sendAction(key, request) {
  const headers = { ...keyHeaders(key), 'Content-Type': 'application/json' };
  return ask('api/actions', { method: 'POST', headers, body: JSON.stringify(request) });
}

/** @param {string} url @param {RequestInit} init */
async function ask(url, init) {
  const response = await fetch(url, init);
  if (response.ok) return response.json();
  throw new Error((await response.text()) || `The server replied ${response.status}.`);
}
