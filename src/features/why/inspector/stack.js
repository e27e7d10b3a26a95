/** The functions that JavaScript is in, as the debugger shows them. */
import { fileURLToPath } from 'node:url';
import { within } from '../../../shared/deadline.js';

/**
 * @import { StackFrame } from '../../../protocol/shapes.js'
 * @import { Session } from './session.js'
 */

/** From a call in the middle of a long loop this takes 0.1 s. */
const PAUSE_MS = 3000;
const MAX_FRAMES = 30;
const MAX_TEXT = 500;
/** Of this package, whose agent runs in the worker. */
const OWN = fileURLToPath(new URL('../', import.meta.url));

/**
 * Stops the program for a moment.
 * @param {Session} session
 * @returns {Promise<StackFrame[] | null>} the innermost first; null: no JavaScript runs
 */
export async function readStack(session) {
  /** URLs by the id of a script. @type {Map<string, string>} */
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => void urls.set(scriptId, url));
  const paused = session.next('Debugger.paused');
  await session.request('Debugger.enable');
  await session.request('Debugger.pause');
  const pause = await within(paused, PAUSE_MS);
  // The program continues.
  await session.request('Debugger.disable');
  if (pause === null) return null;
  /** @type {any[]} */
  const frames = pause.callFrames.slice(0, MAX_FRAMES);
  return frames.map(({ functionName, location }) => ({
    name: String(functionName).slice(0, MAX_TEXT),
    ...placeOf(urls.get(location.scriptId) ?? ''),
    // The protocol counts from 0.
    line: location.lineNumber + 1,
    column: (location.columnNumber ?? 0) + 1,
  }));
}

/** @param {string} url @returns {Pick<StackFrame, 'file' | 'origin'>} */
function placeOf(url) {
  const file = (url.startsWith('file:') ? pathOf(url) : url).slice(0, MAX_TEXT);
  if (file.startsWith('node:')) return { file, origin: 'node' };
  return { file, origin: file.startsWith(OWN) ? 'nodecluster' : 'program' };
}

/** @param {string} url */
function pathOf(url) {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}
