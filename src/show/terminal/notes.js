/** What a table has no room for. */
import { failedReload, recentChange } from '../change.js';
import { escapeLine } from '../escape.js';
import { helpOf, reasonsOf } from '../help.js';
import { isSame } from '../reason.js';
import { hasLastingTrouble } from '../rows.js';
import { isCrashing } from '../state.js';
import { paint } from './palette.js';

/**
 * @import { App, Failure, Worker } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {number} [now] epoch ms
 * @param {readonly Pick<Failure, 'id' | 'reason'>[]} [said] of workers, above the table
 * @param {typeof helpOf} [helps]
 * @returns {string[]} lines below the table: long reasons, and for each app in trouble the command that helps most
 */
export function renderNotes(apps, terminal, now = Date.now(), said = [], helps = helpOf) {
  const { dim } = paint(terminal);
  const isSaid = (/** @type {Worker} */ worker) =>
    said.some(({ id, reason }) => id === worker.id && isSame(reason, worker.reason));
  const lines = apps.flatMap((app) => {
    const name = escapeLine(app.name);
    const change = hasLastingTrouble(app, now) ? recentChange(app, now) : null;
    const isKnown = said.some(({ reason }) => isSame(reason, app.lastReload?.reason));
    const failure = isKnown ? null : failedReload(app, now);
    return [
      ...(app.note ? [`${name}: ${escapeLine(app.note)}`] : []),
      ...(failure ? [dim(`${name}: ${failure}`)] : []),
      ...reasonsOf(without(app, isSaid), now).map((line) => dim(line)),
      ...(change ? [dim(`${name}, last change: ${change}`)] : []),
    ];
  });
  const help = apps.flatMap((app) => helps(app, now).slice(0, 1));
  return [...lines, ...help.map(([command, why]) => dim(`\`nodecluster ${command}\`: ${why}.`))];
}

/** @param {App[]} apps @param {Terminal} terminal @param {number} [now] epoch ms @returns {string[]} why workers crash */
export function renderCrashes(apps, terminal, now = Date.now()) {
  const crashing = apps.map((app) => without(app, (worker) => !isCrashing(worker)));
  return crashing.flatMap((app) => reasonsOf(app, now)).map((line) => paint(terminal).dim(line));
}

/** @param {App} app @param {(worker: Worker) => boolean} isLeftOut */
function without(app, isLeftOut) {
  return { ...app, workers: app.workers.filter((worker) => !isLeftOut(worker)) };
}
