/** `describe`: the commands that make sense for an app in its current state. */
import { maskLine } from '../../../show/mask.js';
import { paint } from '../palette.js';
import { drawTable } from '../table/draw.js';
import { indented } from '../table/labelled.js';

/**
 * @import { AppDescription, WorkerView } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {AppDescription} app
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function commandLines(app, terminal) {
  const { bold, dim } = paint(terminal);
  const rows = sensibleCommands(app).map(([command, why]) => [`nodecluster ${command}`, dim(why)]);
  return ['', bold('What to do now'), ...indented(drawTable(rows, [{}, {}]))];
}

/**
 * @param {AppDescription} app
 * @returns {[command: string, why: string][]} the most urgent first
 */
function sensibleCommands(app) {
  const { name, mode, workers, busy } = app;
  const shown = maskLine(name);
  const has = (/** @type {string} */ status) => workers.some((worker) => worker.status === status);
  if (busy) return [['monit', `follow the ${maskLine(busy)}`]];
  const isJob = Boolean(app.job);
  const serves = !isJob && (has('online') || has('unresponsive'));
  const isFailing = has('errored') || has('backoff');
  const endsWell = isFailing && workers.some(({ reason }) => reason === 'exited with code 0');
  const reloadNote =
    mode === 'cluster'
      ? 'new code, no lost request'
      : 'new code; each worker stops before the next one starts';
  /** @type {[boolean, string, string][]} */
  const all = [
    [
      has('unresponsive'),
      `restart ${blockedWorkers(name, workers)}`,
      'restart the blocked workers',
    ],
    [has('unresponsive'), `why ${shown}`, 'see where they are blocked'],
    [mayHangForEver(app), `reload ${shown} --hang-timeout 30s`, 'have workers that hang replaced'],
    [has('waiting'), `run-now ${shown}`, 'run it now, besides its schedule'],
    [endsWell, `restart ${shown} --no-autorestart`, 'if it has done its work when it exits'],
    [isFailing, `logs ${shown} --err`, 'read its last errors'],
    [has('errored'), `start ${shown}`, 'try again'],
    [isFailing, `reset ${shown}`, 'reset the restart counters'],
    [!serves && has('stopped'), `start ${shown}`, 'start it again'],
    [!serves && has('exited'), `start ${shown}`, 'run it again'],
    [serves && has('stopped'), `start ${shown}`, 'start the workers that are stopped'],
    [serves, `reload ${shown}`, reloadNote],
    [serves, `scale ${shown} +1`, 'add a worker'],
    [serves || isJob || has('backoff'), `stop ${shown}`, 'stop it, but keep it in the list'],
    [!serves, `delete ${shown}`, 'delete it'],
    [true, `env ${shown}`, 'show the environment of its workers'],
  ];
  return all.filter(([applies]) => applies).map(([, command, why]) => [command, why]);
}

/** @param {AppDescription} app */
function mayHangForEver({ workers, spec }) {
  return spec.hangTimeoutMs === null && workers.some(({ status }) => status === 'unresponsive');
}

/** @param {string} name @param {WorkerView[]} workers */
function blockedWorkers(name, workers) {
  const blocked = workers.filter(({ status }) => status === 'unresponsive');
  return blocked.map(({ slot }) => `${maskLine(name)}:${slot}`).join(' ');
}
