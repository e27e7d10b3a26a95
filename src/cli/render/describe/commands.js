/** `describe`: what can be done about an app as it stands. */
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';
import { drawTable } from '../table/draw.js';
import { indented } from '../table/labelled.js';

/**
 * @import { Terminal } from '../palette.js'
 * @import { AppView as App } from '../../../protocol/shapes.js'
 */

/**
 * @param {App} app
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function commandLines(app, terminal) {
  const { bold, dim } = paint(terminal);
  const rows = sensibleCommands(app).map(([command, why]) => [`nodecluster ${command}`, dim(why)]);
  return ['', bold('What to do now'), ...indented(drawTable(rows, [{}, {}]))];
}

/**
 * @param {App} app
 * @returns {[command: string, why: string][]} the most urgent first
 */
export function sensibleCommands({ name, mode, workers, busy }) {
  const app = maskLine(name);
  const has = (/** @type {string} */ status) => workers.some((worker) => worker.status === status);
  if (busy) return [['monit', `see how ${maskLine(busy)} goes on`]];
  const serves = has('online') || has('unresponsive');
  const cost =
    mode === 'cluster'
      ? 'new code, no lost request'
      : 'new code; each worker ends before the next starts';
  /** @type {[boolean, string, string][]} */
  const all = [
    [has('unresponsive'), `restart ${selectorOf(name, workers)}`, 'end what is blocked'],
    [has('errored') || has('backoff'), `logs ${app} --err`, 'what it said before it ended'],
    [has('errored'), `start ${app}`, 'try again what has given up'],
    [has('errored') || has('backoff'), `reset ${app}`, 'count restarts from zero'],
    [!serves && has('stopped'), `start ${app}`, 'bring it back'],
    [!serves && has('exited'), `start ${app}`, 'run it again'],
    [serves && has('stopped'), `start ${app}`, 'bring back the workers that are stopped'],
    [serves, `reload ${app}`, cost],
    [serves, `scale ${app} +1`, 'one worker more'],
    [serves || has('backoff'), `stop ${app}`, 'end it, and remember it'],
    [!serves, `delete ${app}`, 'forget it'],
    [true, `env ${app}`, 'the variables that its workers get'],
  ];
  return all.filter(([applies]) => applies).map(([, command, why]) => [command, why]);
}

/**
 * @param {string} name
 * @param {App['workers']} workers
 */
function selectorOf(name, workers) {
  const blocked = workers.filter(({ status }) => status === 'unresponsive');
  return blocked.map(({ slot }) => `${maskLine(name)}:${slot}`).join(' ');
}
