/** Shows what came of a command. */
import { NodeclusterError } from '../errors/error.js';
import { exitCodes } from '../errors/exit-codes.js';
import { escapeLine, jsonText } from '../show/escape.js';
import { renderOutcome } from '../show/outcome.js';
import { paint } from '../show/terminal/palette.js';
import { renderTable } from './render/ls.js';
import { renderNotes } from '../show/terminal/notes.js';

/**
 * @import { App, AppOutcome } from '../protocol/shapes.js'
 * @import { Context } from './context.js'
 *
 * @typedef {{apps: AppOutcome[], table?: App[]}} Result table: missing with --json or --silent
 */

/** The outcomes on stderr, their table or JSON on stdout. @param {Context} context @param {Result} result */
export function conclude(context, result) {
  const { note, print, stderr, stdout } = context;
  const { table } = result;
  const exitCode = reportOutcomes(context, result);
  // Empty after `delete`, of which the lines above say all.
  if (!table || table.length === 0) return exitCode;
  print(renderTable(table, stdout));
  // The outcomes name them.
  const reasons = result.apps.flatMap(({ failed }) => failed.map(({ reason }) => reason));
  const isSaid = (/** @type {string} */ line) =>
    reasons.some((reason) => line.includes(escapeLine(reason)));
  for (const line of renderNotes(table, stderr)) if (!isSaid(line)) note(line);
  return exitCode;
}

/** @param {Context} context @param {Result} result of apps that were named @throws {NodeclusterError} E_NO_APPS */
export function concludeNamed(context, result) {
  if (result.apps.length > 0) return conclude(context, result);
  // `all` in a home whose daemon runs without apps.
  throw new NodeclusterError('E_NO_APPS', { home: context.daemons.home });
}

/** @param {Context} context @param {Result} result @returns {number} the exit code */
export function reportOutcomes({ options, note, print, stderr }, result) {
  for (const outcome of result.apps) note(renderOutcome(outcome, paint(stderr)));
  if (options.json) print(jsonText(result));
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}
