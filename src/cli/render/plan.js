/** Renders what a command does to apps, and why: the plan of an ecosystem file, the program that runs in place of another. */
import { valueText } from '../../show/change.js';
import { escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { formatCount } from '../../show/quantity.js';
import { drawTable } from '../../show/terminal/table.js';
import { relative } from 'node:path';

/**
 * @import { Condition, Spec } from '../../config/spec.js'
 * @import { PlanEntry } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 *
 * @typedef {{specs: readonly Spec[], apply: string}} Source of a plan; apply: the command that applies pending changes
 */

/** @param {PlanEntry[]} plan @param {string[]} unlisted @param {Source} source @param {Terminal} terminal */
export function renderPlan(plan, unlisted, source, terminal) {
  const { bold, dim } = paint(terminal);
  const rows = plan.flatMap((entry) => [
    [bold(escapeLine(entry.app)), `${explanationOf(entry, source)}${waitText(entry)}`],
    ...(entry.changes ?? []).map(({ key, from, to }) => [
      `  ${escapeLine(key)}`,
      `${dim(valueText(from))} → ${valueText(to)}`,
    ]),
  ]);
  const isGone = 'no longer in the file; `apply --prune` deletes it';
  const table = [...rows, ...unlisted.map((name) => [escapeLine(name), isGone])];
  return table.length === 0 ? 'Nothing to do.' : drawTable(table, [{}, {}]).join('\n');
}

/** @type {Record<Condition, string>} */
const FULFILLED = { ready: 'is ready', started: 'has started', exited: 'has exited' };

/** @type {Record<string, string>} */
const explanations = {
  none: 'no change',
  configure: 'settings only, no worker is replaced',
  reload: 'reload, new workers replace the old ones',
  delete: 'delete, no longer in the file',
};

/** @param {PlanEntry} entry */
function waitText({ waitsFor = {} }) {
  const conditions = Object.entries(waitsFor).map(
    ([name, condition]) => `${escapeLine(name)} ${FULFILLED[condition]}`,
  );
  return conditions.length > 0 ? `, after ${conditions.join(' and ')}` : '';
}

/** @param {PlanEntry} entry @param {Source} source */
function explanationOf({ app, action, changes = [], pending }, { specs, apply }) {
  if (pending) {
    const first = action === 'none' ? '' : `${escapeLine(action)}, with the old settings; `;
    return `${first}runs with other settings; \`${escapeLine(apply)}\` applies these`;
  }
  const spec = specs.find(({ name }) => name === app);
  if (action === 'restart') {
    const isSwitched = changes.some(({ key }) => key === 'exec_mode');
    return spec?.execMode === 'cluster' && !isSwitched
      ? 'restart, workers finish their requests, new connections wait'
      : 'restart, requests are interrupted';
  }
  if (action !== 'start' || !spec) return explanations[action] ?? escapeLine(action);
  const { instances, execMode, script, onDemand } = spec;
  if (onDemand) return `start, and run ${escapeLine(script)} when it is due`;
  return `start ${workersText(instances)} (${execMode}) of ${escapeLine(script)}`;
}

/** The daemon counts the cores. @param {Spec['instances']} instances @returns {string} */
function workersText(instances) {
  if (typeof instances === 'object') {
    return `${workersText(instances.min)} at first, at most ${workersText(instances.max)}`;
  }
  if (instances > 0) return formatCount(instances, 'worker');
  return `one worker for each core${instances < 0 ? ` but ${-instances}` : ''}`;
}

/** @param {Pick<Spec, 'resolvedFrom'>} spec @returns `npm start → next start`; null: none */
export function originOf({ resolvedFrom }) {
  if (!resolvedFrom) return null;
  const { script, args, cwd, lines } = resolvedFrom;
  const typed = [shortPath(script, cwd), ...args].join(' ');
  return escapeLine([typed, ...lines].join(' → '));
}

/** What runs in place of what was asked for. @param {Pick<Spec, 'name' | 'script' | 'cwd' | 'resolvedFrom'>} spec */
export function resolutionNote(spec) {
  const origin = originOf(spec);
  if (origin === null) return null;
  return `${escapeLine(spec.name)}: ${origin} runs ${escapeLine(shortPath(spec.script, spec.cwd))}, as a cluster of Node.`;
}

/** @param {string} path @param {string} cwd */
function shortPath(path, cwd) {
  const way = path.includes('/') ? relative(cwd, path) : path;
  return way.startsWith('../..') ? path : way;
}
