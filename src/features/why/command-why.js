import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { innermostOf } from '../../lifecycle/hang-policy.js';
import { fetchDescriptions, selectorsFor } from '../../api/selectors.js';
import { groupBy } from '../../shared/groups.js';
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
  const selectors = words.length > 0 ? await selectorsFor(context, client, words) : ['all'];
  const { apps: stacks } = await client.request('why', { selectors });
  const seen = all.filter(({ name }) => stacks.some((each) => each.name === name));
  const tell = (/** @type {App[]} */ apps) => explain(apps, { stacks, all, terminal: stdout });
  const fine = seen.filter((app) => tell([app]).length === 0);
  const lines = [...tell(seen), ...fineLines(fine, Date.now())];
  print(options.json ? jsonText({ apps: stacks }) : wrapText(lines.join('\n'), stdout.width));
  return exitCodes.ok;
}

/** Its event loop does not turn, or it has not answered what it was asked. @param {Worker} worker */
function mustBeSeen({ status, requests }) {
  return status === 'blocked' || requests?.oldestSince !== undefined;
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
  const find = (/** @type {Worker} */ worker) => asFound(worker, found.get(worker.id));
  const seen = apps.map((app) => ({ ...app, workers: app.workers.map(find) }));
  const isPartly = (/** @type {App} */ { workers }) => workers.some(({ id }) => found.has(id));
  const asked = seen.flatMap((app) =>
    app.workers.filter(({ id }) => found.has(id) || !isPartly(app)),
  );
  const evidence = (/** @type {Worker[]} */ workers) => {
    if (!workers.some((worker) => asked.includes(worker))) return null;
    // Those of another one may have other callers.
    const frames = workers.find(({ stack }) => stack?.frames.length)?.stack?.frames ?? [];
    const peers = workers.filter(mustBeSeen).flatMap(({ id }) => found.get(id)?.peers ?? []);
    // One that came just now may be about to be answered.
    const waits = workers.some(
      ({ id, requests }) => found.get(id)?.peers && now - (requests?.oldestSince ?? now) >= 5000,
    );
    const none = waits ? ['connected to no server: the program itself does not answer'] : [];
    const stack = frameLines(innermostOf(frames), paint(terminal));
    return [...stack, ...(peers.length > 0 ? nameServers(peers, all) : none)];
  };
  return renderNotes(seen, terminal, { now, evidence });
}

/** @param {Worker} worker as it was listed @param {WorkerStack} [stack] found later @returns {Worker} */
function asFound(worker, stack) {
  const isBlocked = worker.status === 'blocked';
  if (stack?.state === 'running' && isBlocked)
    return { ...worker, status: 'online', blockedSince: undefined, stack: undefined };
  if (!stack || stack.state === 'running') return worker;
  const known = { ...stack, note: stack.note ?? undefined };
  if (stack.state !== 'unknown') {
    // It had a second to reply.
    const { blockedSince = stack.at - 1000 } = worker;
    return { ...worker, status: 'blocked', blockedSince, stack: known };
  }
  return isBlocked && !worker.stack ? { ...worker, stack: known } : worker;
}

/** @param {App[]} apps of which there is nothing to tell @param {number} now */
export function fineLines(apps, now) {
  const groups = groupBy(apps, (app) => {
    const [online] = app.workers.filter(({ status }) => status === 'online');
    if (!online) return appState(app, now);
    // Its memory is judged later.
    return `no problem${now - (online.startedAt ?? 0) < 60_000 ? ' in its first minute' : ''}`;
  });
  return [...groups].map(
    ([state, group]) => `${escapeLine(namesText(group.map(({ name }) => name)))}: ${state}`,
  );
}
