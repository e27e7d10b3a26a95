/** What commands changed in an app, and who gave them, for whoever looks for the cause of what they see now. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { compareSpecs } from '../../config/compare-specs.js';

/**
 * @import { AppChange, Author, Sender } from '../../protocol/shapes.js'
 * @import { DesiredApp } from './desired.js'
 */

const MAX_CHANGES = 5;
const MAX_DIFFERENCES = 20;
/** Characters of a value, as JSON. */
const MAX_LENGTH = 200;

/**
 * The changes of the app, the latest first.
 * @param {DesiredApp} before @param {DesiredApp} after the command, or with what it rolls out
 * @param {Pick<AppChange, 'action' | 'by'>} command @param {number} at epoch ms
 */
export function changesAfter(before, after, command, at) {
  const { spec: next } = (before.rollout === after.rollout ? null : after.rollout) ?? after;
  const { changes } = compareSpecs(before.spec, next);
  const isNew = after.generation !== before.generation;
  if (!isNew && changes.length === 0 && stoppedText(before) === stoppedText(after))
    return before.changes;
  const change = {
    ...command,
    at,
    generation: after.generation,
    isApplied: !isNew || after.rollout === null,
    differences: changes.slice(0, MAX_DIFFERENCES).map(({ key, from, to }) => ({
      key: key.slice(0, MAX_LENGTH),
      from: shortValue(from),
      to: shortValue(to),
    })),
    omitted: Math.max(0, changes.length - MAX_DIFFERENCES),
  };
  return [change, ...before.changes].slice(0, MAX_CHANGES);
}

/** @param {DesiredApp} app */
const stoppedText = ({ stopped, stoppedSlots }) => JSON.stringify([stopped, stoppedSlots]);

/** @param {unknown} value */
function shortValue(value) {
  const text = JSON.stringify(value) ?? '';
  if (text.length <= MAX_LENGTH) return value;
  return `${(typeof value === 'string' ? value : text).slice(0, MAX_LENGTH)}…`;
}

/** Known in each step of a command, however long they take. Nobody: in a recovery. @type {AsyncLocalStorage<Author | Sender | undefined>} */
export const authors = new AsyncLocalStorage();

export function currentSender() {
  const author = authors.getStore();
  return author ? { by: author } : {};
}

/** For what is kept: without the process, which is gone by then. @returns {Author | null} */
export function currentAuthor() {
  const author = authors.getStore();
  if (!author) return null;
  const { role, user, file } = author;
  return { role, user, ...(file !== undefined && { file }) };
}
