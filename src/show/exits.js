/** How the workers of an app exited. */
import { groupBy } from '../shared/groups.js';
import { formatDuration } from '../shared/units.js';
import { escapeLine } from './escape.js';
import { formatAgo } from './quantity.js';
import { reasonText } from './reason.js';

/** @import { App, Known, PastExit } from '../protocol/shapes.js' */

/**
 * @param {Known<PastExit>} exit
 * @param {number} now epoch ms
 * @param {(text: string) => string} [emphasise]
 * @returns {string} `4s ago with exit code 1, after 2m 3s`, with the cause if there are no last lines
 */
function exitText(exit, now, emphasise = String) {
  const { code, signal, reason, uptimeMs, at, cause, lastLines } = exit;
  const when = formatAgo(at, now);
  if (code === undefined && !signal) {
    return `${when}: ${emphasise('could not be started')} (${escapeLine(reason.kind === 'start' ? reason.error : 'unknown')})`;
  }
  const how = signal ? `signal ${escapeLine(signal)}` : `exit code ${code}`;
  const why = reason.kind === 'exit' ? '' : ` (${escapeLine(reasonText(reason))})`;
  const wrote =
    reason.kind === 'exit' && cause && lastLines.length === 0 ? `: ${escapeLine(cause)}` : '';
  return `${when} with ${emphasise(how)}${why}, after ${formatDuration(uptimeMs)}${wrote}`;
}

/**
 * @param {Pick<App, 'name' | 'workers'>} app
 * @param {number} now epoch ms
 * @param {(text: string) => string} [emphasise] how the last one ended
 * @returns the exits that no command caused, of each worker: texts: the last one, then those before it, each once for those
 *   that are alike; lines: what the last one wrote
 */
export function exitsOf({ name, workers }, now, emphasise) {
  /** By what the program wrote: the first slot. @type {Map<string, number>} */
  const writers = new Map();
  return workers.flatMap(({ slot, lastExit: last, earlierExits = [] }) => {
    if (!last) return [];
    const written = last.lastLines.join('\n');
    const writer = writers.get(written);
    if (written && writer === undefined) writers.set(written, slot);
    const alike = groupBy([last, ...earlierExits], (exit) =>
      exitText({ ...exit, at: now, uptimeMs: 0, lastLines: [] }, now),
    );
    const [own, ...before] = [...alike.values()].map(([exit, ...others], index) => {
      const text = exitText(exit, now, index === 0 ? emphasise : undefined);
      const first = others.at(-1);
      return first ? `${text}; ${others.length} more since ${formatAgo(first.at, now)}` : text;
    });
    if (writer === undefined) return { slot, texts: [own, ...before], lines: last.lastLines };
    const like = `${own}; it wrote the same as ${escapeLine(name)}:${writer}`;
    return { slot, texts: [like, ...before], lines: [] };
  });
}
