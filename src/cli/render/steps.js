/** The steps of a command: a line for each worker of an app that has few; of more, one that counts. */
import { renderProgress } from '../../show/progress.js';
import { escapeLine } from '../../show/escape.js';
import { formatCount } from '../../show/quantity.js';
import { paint } from '../../show/terminal/palette.js';

/**
 * @import { ProgressEvent } from '../../protocol/shapes.js'
 * @import { ProcessIO } from '../context.js'
 */

const FEW = 4;
/** What a worker only passes through, and failures, which the outcome tells in full. @type {string[]} */
const PASSING = ['starting', 'draining', 'stopping', 'failed'];

/** @param {Pick<ProcessIO, 'note' | 'status' | 'stderr'>} io @returns {(step: ProgressEvent) => void} */
export function stepPrinter({ note, status, stderr }) {
  /** Workers that are online, or have stopped, by app. @type {Map<string, Record<'online' | 'stopped', Set<number>>>} */
  const reached = new Map();
  return (step) => {
    const { app, slot } = step;
    const isFirst = !reached.has(app);
    const known = reached.get(app) ?? { online: new Set(), stopped: new Set() };
    reached.set(app, known);
    const text = renderProgress(step, paint(stderr));
    if (slot === undefined) note(text);
    else if (PASSING.includes(step.kind)) showPassing(step, isFirst);
    else showReached({ ...step, slot }, known, text);
  };

  /** @param {ProgressEvent} step @param {boolean} isFirst */
  function showPassing(step, isFirst) {
    const { app, kind, reason, of } = step;
    if (stderr.isTerminal && Number(of) <= FEW) return status(renderProgress(step));
    // A sign of life, for whoever waits.
    if (isFirst && kind !== 'failed')
      (stderr.isTerminal ? status : note)(renderProgress({ app, kind, reason }));
  }

  /** @param {ProgressEvent & {slot: number}} step @param {Record<'online' | 'stopped', Set<number>>} known @param {string} text */
  function showReached({ app, slot, kind, reason, of = 1 }, known, text) {
    const isCounted = kind === 'online' || (kind === 'stopped' && !reason);
    if (!isCounted) return note(text);
    known[kind].add(slot);
    // What it has replaced.
    if (kind === 'stopped' && known.online.has(slot)) return;
    if (of <= FEW) note(text);
    else status(`${escapeLine(app)}: ${formatCount(known[kind].size, 'worker')} ${kind}`);
  }
}
