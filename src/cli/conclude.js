/** Shows what came of a command. */
import { NodeclusterError } from '../errors/error.js';
import { exitCodes } from '../errors/exit-codes.js';
import { jsonText } from '../show/escape.js';
import { renderOutcome } from '../show/outcome.js';
import { paint } from '../show/terminal/palette.js';
import { renderTable } from './render/ls.js';
import { renderNotes } from '../show/terminal/notes.js';

/**
 * @import { App, AppOutcome } from '../protocol/shapes.js'
 * @import { Context } from './context.js'
 *
 * @typedef {{apps: AppOutcome[], table?: App[]}} Result table: missing with --json or --silent, and where none belongs below
 */

/** The outcomes on stderr, their table or JSON on stdout. @param {Context} context @param {Result} result */
export function conclude({ options, note, print, stderr, stdout }, result) {
  const { apps, table = [] } = result;
  for (const outcome of apps) {
    const app = table.find(({ name }) => name === outcome.name);
    note(renderOutcome(outcome, paint(stderr), { app }));
  }
  if (options.json) print(jsonText(result));
  // Of those that failed, the lines above say all, as of those that were deleted.
  const working = table.filter(({ name }) => apps.every((each) => each.ok || each.name !== name));
  if (working.length > 0) {
    const shown = renderTable(working, stdout);
    print(shown);
    for (const line of renderNotes(working, stderr, { shown })) note(line);
  }
  return apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}

/** @param {Context} context @param {Result} result of apps that were named @throws {NodeclusterError} E_NO_APPS */
export function concludeNamed(context, result) {
  if (result.apps.length > 0) return conclude(context, result);
  // `all` in a home whose daemon runs without apps.
  throw new NodeclusterError('E_NO_APPS', { home: context.daemons.home });
}
