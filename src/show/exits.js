/** How the workers of an app exited. */
import { groupBy } from '../shared/groups.js';
import { formatDuration } from '../shared/units.js';
import { escapeLine } from './escape.js';
import { formatAgo } from './quantity.js';
import { isKilled, reasonText } from './reason.js';

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
  const own = reason.kind === 'exit' ? '' : ` (${escapeLine(reasonText(reason))})`;
  const why = isKilled(reason) ? ', not by nodecluster' : own;
  const wrote =
    reason.kind === 'exit' && cause && lastLines.length === 0 ? `: ${escapeLine(cause)}` : '';
  return `${when} with ${emphasise(how)}${why}, after ${formatDuration(uptimeMs)}${wrote}`;
}

/**
 * @param {Pick<App, 'name' | 'workers'>} app
 * @param {number} now epoch ms
 * @param {(text: string) => string} [emphasise] how the last one ended
 * @returns the exits that no command caused, of workers whose last ones are alike together: texts: the last one, then those
 *   before it, each once for those that are alike; lines: what the last one wrote, which does not say why it was killed
 */
export function exitsOf({ name, workers }, now, emphasise) {
  const likeness = (/** @type {Known<PastExit>} */ exit) =>
    exitText({ ...exit, at: now, uptimeMs: 0, lastLines: [] }, now);
  const failed = workers.flatMap(({ slot, lastExit: last, earlierExits = [] }) =>
    last ? { slot, last, all: [last, ...earlierExits] } : [],
  );
  const groups = groupBy(failed, ({ last }) => [likeness(last), ...last.lastLines].join('\n'));
  return [...groups.values()].map((group) => {
    const all = group.flatMap((each) => each.all).sort((one, other) => other.at - one.at);
    const texts = [...groupBy(all, likeness).values()].map(([exit, ...others], index) => {
      const text = exitText(exit, now, index === 0 ? emphasise : undefined);
      const first = others.at(-1);
      return first ? `${text}; ${others.length} more since ${formatAgo(first.at, now)}` : text;
    });
    const lines = isKilled(all[0].reason) ? [] : all[0].lastLines;
    const names = escapeLine(group.map(({ slot }) => `${name}:${slot}`).join(', '));
    return { names, texts, lines };
  });
}
