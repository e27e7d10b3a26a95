import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { innermostOf } from '../../lifecycle/hang-policy.js';
import { fetchDescriptions, selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { nameServers } from './command-servers.js';
import { frameLines } from './show.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { namesText } from '../../show/quantity.js';
import { appState } from '../../show/state.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { AppStacks, WorkerStack } from './record.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show why apps are in trouble: which function blocks, which server is slow',
  details:
    'Of each app in trouble, or each one named, it says what `ls` says below its table. Of a worker ' +
    'that is blocked it shows the function and the line, without a restart: it opens the inspector ' +
    'of that worker for a moment, on loopback. Of one that does not answer requests, it names the ' +
    'servers that it is connected to. The exit code is 0 whatever it finds.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [jsonOption],
  examples: ['nodecluster why', 'nodecluster why api', 'nodecluster why api:1 --json'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, words, options, print, stdout } = context;
  const client = await context.openForApps();
  const all = await fetchDescriptions(client, ['all'], { fields: ['usage'] });
  if (all.length === 0) throw new NodeclusterError('E_NO_APPS', { home: daemons.home });
  const selectors = words.length > 0 ? await selectorsFor(context, client, words) : null;
  const look = async (/** @type {string[]} */ asked) =>
    asked.length > 0 ? (await client.request('why', { selectors: asked })).apps : [];
  if (options.json) {
    print(jsonText({ apps: await look(selectors ?? ['all']) }));
    return exitCodes.ok;
  }
  const tell = (/** @type {App[]} */ apps, /** @type {AppStacks[]} */ stacks) => {
    const lines = explain(apps, { stacks, all, terminal: stdout });
    if (lines.length > 0) print(wrapText(lines.join('\n'), stdout.width));
  };
  const keys = all.flatMap(({ name, workers }) =>
    workers.filter(mustBeSeen).map(({ slot }) => `${name}:${slot}`),
  );
  // Nobody waits for what is known until the others have been looked into.
  if (!selectors)
    tell(
      all.filter(({ workers }) => !workers.some(mustBeSeen)),
      [],
    );
  const stacks = await look(selectors ?? keys);
  const seen = all.filter(({ name }) => stacks.some((each) => each.name === name));
  tell(seen, stacks);
  const fine = (selectors ? seen : all).filter(
    (app) => explain([app], { stacks, all, terminal: stdout }).length === 0,
  );
  for (const line of fineLines(fine, Date.now(), selectors !== null)) print(line);
  return exitCodes.ok;
}

/** Its event loop does not turn, or it has not answered what it was asked. @param {Worker} worker */
function mustBeSeen({ status, requests }) {
  return status === 'unresponsive' || requests?.oldestSince !== undefined;
}

/**
 * @param {App[]} apps
 * @param {object} found
 * @param {AppStacks[]} [found.stacks] of the workers that were asked for; none: of all
 * @param {App[]} [found.all] whom they may wait for
 * @param {Terminal} found.terminal
 * @param {number} [found.now] epoch ms
 * @returns {string[]} nothing of what is as it should be
 */
export function explain(apps, { stacks = [], all = apps, terminal, now = Date.now() }) {
  const found = new Map(stacks.flatMap(({ workers }) => workers.map((each) => [each.id, each])));
  /** @type {Map<Worker, string[]>} */
  const evidence = new Map();
  const seen = apps.map((app) => {
    const workers = app.workers.map((worker) => {
      const stack = found.get(worker.id);
      const current = asFound(worker, stack);
      const frames = frameLines(innermostOf(current.stack?.frames ?? []), paint(terminal));
      const servers = mustBeSeen(worker) ? nameServers(stack?.peers ?? [], all) : [];
      if (stack || found.size === 0) evidence.set(current, [...frames, ...servers]);
      return current;
    });
    return { ...app, workers };
  });
  return renderNotes(seen, terminal, { now, evidence });
}

/** @param {Worker} worker as it was listed @param {WorkerStack} [stack] found later @returns {Worker} */
function asFound(worker, stack) {
  const isBlocked = worker.status === 'unresponsive';
  if (stack?.state === 'running' && isBlocked)
    return { ...worker, status: 'online', stack: undefined };
  if (!stack || stack.state === 'running') return worker;
  const known = { ...stack, note: stack.note ?? undefined };
  if (stack.state !== 'unknown') {
    // It had a second to reply.
    const { blockedSince = stack.at - 1000 } = worker;
    return { ...worker, status: 'unresponsive', blockedSince, stack: known };
  }
  return isBlocked && !worker.stack ? { ...worker, stack: known } : worker;
}

/** @param {App[]} apps of which there is nothing to tell @param {number} now @param {boolean} areNamed */
export function fineLines(apps, now, areNamed) {
  const running = apps.filter(({ workers }) => workers.some(({ status }) => status === 'online'));
  const others = areNamed ? apps.filter((app) => !running.includes(app)) : [];
  const names = namesText(running.map(({ name }) => name));
  return [
    ...(running.length > 0 ? [`${escapeLine(names)}: no problem`] : []),
    ...others.map((app) => `${escapeLine(app.name)}: ${appState(app, now)}`),
  ];
}
