/** Which commands make sense now: what helps, or what one does with an app that is well. */
import { reloadCost } from './confirmation.js';
import { escapeLine } from './escape.js';
import { helpOf, readLog } from './help.js';
import { isTroubled } from './problems.js';

/**
 * @import { App } from '../protocol/shapes.js'
 * @import { Help } from './help.js'
 */

/** @param {App} app @param {number} now epoch ms @returns {Help[]} the most urgent first */
export function adviceFor(app, now) {
  const shown = escapeLine(app.name);
  if (app.waitsFor?.length) {
    return [
      // Not `describe`: what it waits for may have been deleted.
      ['ls', 'see what it waits for'],
      [`start ${shown}`, 'start it now'],
      [`stop ${shown}`, 'do not start it'],
    ];
  }
  if (app.busy) return [['monit', `follow the ${escapeLine(app.busy)}`]];
  const help = helpOf(app, now);
  /** @type {Help} */
  const look = [`events ${shown} --since 1h --no-follow`, 'see what happened in the last hour'];
  // What is of use to one that is well would hide what helps.
  if (isTroubled(app, now)) {
    return [...(help.length > 0 ? help : [readLog(shown)]), look];
  }
  return [...help, ...(hasFailedLately(app, now) ? [look] : []), ...usualCommands(app)];
}

const LATELY_MS = 3600_000;

/** @param {App} app @param {number} now */
function hasFailedLately({ workers, lastReload }, now) {
  const failures = [
    ...workers.map(({ lastExit }) => lastExit?.at),
    lastReload?.ok === false && lastReload.at,
  ];
  return failures.some((at) => at && now - at < LATELY_MS);
}

/** @param {App} app @returns {Help[]} */
function usualCommands(app) {
  const { name, workers, job } = app;
  const shown = escapeLine(name);
  const has = (/** @type {string} */ status) => workers.some((worker) => worker.status === status);
  const isJob = Boolean(job);
  const serves = !isJob && has('online');
  const reloadNote = ['new code', ...reloadCost(app)].join('; ');
  /** @type {[boolean, ...Help][]} */
  const all = [
    [isJob && has('waiting'), `run-now ${shown}`, 'run it now, outside its schedule'],
    [!serves && has('stopped'), `start ${shown}`, 'start it again'],
    [!serves && has('exited'), `start ${shown}`, 'run it again'],
    [serves && has('stopped'), `start ${shown}`, 'start the workers that are stopped'],
    [serves, `reload ${shown}`, reloadNote],
    [serves, `scale ${shown} +1`, 'add a worker'],
    [serves || isJob, `stop ${shown}`, 'stop it, but keep it in the list'],
    [!serves, `delete ${shown}`, 'delete it'],
    [true, `env ${shown}`, 'show the environment of its workers'],
  ];
  return all.filter(([applies]) => applies).map(([, ...command]) => command);
}
