/** `describe`: the commands that make sense for an app in its current state. */
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';
import { drawTable } from '../table/draw.js';
import { indented } from '../table/labelled.js';

/**
 * @import { AppView, WorkerView } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {AppView} app
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function commandLines(app, terminal) {
  const { bold, dim } = paint(terminal);
  const rows = sensibleCommands(app).map(([command, why]) => [`nodecluster ${command}`, dim(why)]);
  return ['', bold('What to do now'), ...indented(drawTable(rows, [{}, {}]))];
}

/**
 * @param {AppView} app
 * @returns {[command: string, why: string][]} the most urgent first
 */
function sensibleCommands({ name, mode, workers, busy }) {
  const app = maskLine(name);
  const has = (/** @type {string} */ status) => workers.some((worker) => worker.status === status);
  if (busy) return [['monit', `follow the ${maskLine(busy)}`]];
  const serves = has('online') || has('unresponsive');
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
    [has('unresponsive'), `why ${app}`, 'see where they are blocked'],
    [endsWell, `restart ${app} --no-autorestart`, 'if it has done its work when it exits'],
    [isFailing, `logs ${app} --err`, 'read its last errors'],
    [has('errored'), `start ${app}`, 'try again'],
    [isFailing, `reset ${app}`, 'reset the restart counters'],
    [!serves && has('stopped'), `start ${app}`, 'start it again'],
    [!serves && has('exited'), `start ${app}`, 'run it again'],
    [serves && has('stopped'), `start ${app}`, 'start the workers that are stopped'],
    [serves, `reload ${app}`, reloadNote],
    [serves, `scale ${app} +1`, 'add a worker'],
    [serves || has('backoff'), `stop ${app}`, 'stop it, but keep it in the list'],
    [!serves, `delete ${app}`, 'delete it'],
    [true, `env ${app}`, 'show the environment of its workers'],
  ];
  return all.filter(([applies]) => applies).map(([, command, why]) => [command, why]);
}

/** @param {string} name @param {WorkerView[]} workers */
function blockedWorkers(name, workers) {
  const blocked = workers.filter(({ status }) => status === 'unresponsive');
  return blocked.map(({ slot }) => `${maskLine(name)}:${slot}`).join(' ');
}
