import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { jsonOption } from '../../show/command-options.js';
import { askFirst, chooseApp, chooseFaults, FAULTS, faultOf, STEPS } from './faults.js';
import { measureBefore, measureFault, placeFor } from './measure.js';
import { isProven, renderEvents, renderVerdict } from './verdict.js';
import { jsonText, escapeLine } from '../../show/escape.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Place } from './measure.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'count what an app loses while it is reloaded and its processes are killed',
  details:
    'Before you trust an app with real traffic, or after you changed how it starts or stops: sends ' +
    'it light traffic, reloads it, and kills one of its workers, its primary and the daemon, one ' +
    'after the other. It counts the requests that are lost: without an answer, with a status of ' +
    '500 or more, or with one from 400 up that the app did not give before. Requests that a killed ' +
    'process was handling cannot be saved and are counted apart. The exit code is 0 if nothing ' +
    'else was lost, otherwise 5.',
  arguments: [{ name: '[app]', summary: 'its name; needed if several apps run' }],
  options: [
    {
      flags: '--url <url>',
      summary: 'what to request with GET, or only a path (default: / where the app listens)',
    },
    {
      flags: '--only <events>',
      summary: `some of ${FAULTS.join(',')}`,
      values: FAULTS,
      parse: (text) => {
        const names = text.split(',').filter(Boolean);
        const isKnown = (/** @type {string} */ name) => FAULTS.some((each) => each === name);
        if (names.length > 0 && names.every(isKnown)) return names;
        throw new RangeError(`It must be some of ${FAULTS.join(', ')}, separated by commas`);
      },
    },
    { flags: '-y, --yes', summary: 'do not ask first' },
    jsonOption,
  ],
  examples: [
    'nodecluster prove api',
    'nodecluster prove api --url /health --only reload,worker --yes',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, note, print, stdout, stderr } = context;
  const client = await context.openForApps();
  const app = await chooseApp(context, client);
  const names = await chooseFaults(context, client, app);
  const place = placeFor(app, options);
  if (!(await askFirst(context, app, place, names))) {
    note('Nothing was done.');
    return exitCodes.refused;
  }
  const before = await tryApp(client, app, place);
  const events = [before.event];
  for (const name of names) {
    note(`${escapeLine(app.name)}: ${STEPS[name]}`);
    const event = await measureFault(place, faultOf(context, app, name), before.known);
    events.push(event);
    // The app is not whole any more.
    if (event.trouble !== null) break;
  }
  const ok = isProven(events);
  if (options.json) print(jsonText({ app: app.name, url: place.text, ok, events }));
  else print(renderEvents(events, stdout));
  note(renderVerdict(app.name, events, stderr));
  return ok ? exitCodes.ok : exitCodes.appFailed;
}

/** While it is left alone. @param {DaemonClient} client @param {App} app @param {Place} place */
async function tryApp(client, app, place) {
  const { name } = app;
  const from = await countAnswered(client, app);
  const before = await measureBefore(place);
  const { event } = before;
  if (!isProven([event])) {
    const reasons = Object.keys(event.reasons);
    throw new NodeclusterError('E_PROVE_ANSWER', { app: name, url: place.text, reasons });
  }
  const { requests } = event;
  const to = await countAnswered(client, app);
  // Most were answered by another program, or by a cache.
  if (from !== null && to !== null && to - from < requests / 2) {
    throw new NodeclusterError('E_PROVE_ELSEWHERE', { app: name, url: place.text, requests });
  }
  return before;
}

/**
 * Responses of its workers since they began to measure, which this makes them do; null: one of them does not measure.
 * @param {DaemonClient} client
 * @param {Pick<App, 'name'>} app
 */
async function countAnswered(client, { name }) {
  const { apps } = await client.request('list', { fields: ['counters'] });
  const workers = apps.find((each) => each.name === name)?.workers ?? [];
  const reports = workers.flatMap(({ report }) => report ?? []);
  if (reports.length === 0 || reports.length < workers.length) return null;
  return reports.reduce((sum, { requests }) => sum + requests, 0);
}
