/** Every command that changes something, one row each. */
import { resolveAgain } from '../../config/resolve-again.js';
import { shellEnvFor } from '../../config/resolve/environment.js';
import { NodeclusterError } from '../../errors/error.js';
import { startPrograms } from '../actions/add.js';
import { applySpecs } from '../actions/apply.js';
import { killAll, saveAll } from '../actions/kill.js';
import { flushLogs, reopenLogs } from '../actions/logs.js';
import { removeApp } from '../actions/remove.js';
import { reloadApp, restartApp, resumeApp } from '../actions/replace.js';
import { scaleApp, scaledTo } from '../actions/scale.js';
import { sendMessage, sendSignal } from '../actions/send.js';
import { stopApp } from '../actions/stop.js';
import { updateApps } from '../actions/replace-primary.js';
import { renameApp } from '../actions/rename.js';
import { slotsFor } from '../apps/slots.js';
import { resolveTargets } from './targets.js';

/**
 * @import { CommandName, DaemonMethods } from '../../protocol/methods.js'
 * @import { Replacement } from '../actions/replace.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Handler } from './methods.js'
 * @import { Action } from './run-command.js'
 * @import { Target } from './targets.js'
 */

/**
 * @typedef {object} TargetCommand does the same to every app that it targets
 * @property {CommandName} name
 * @property {string} [action] what outcomes and events call it; default: its name
 * @property {(params: any) => string[]} [read] the selectors, if they are not in `selectors`
 * @property {(daemon: Daemon, selectors: string[]) => Target[]} [targets] instead of those that the
 *   selectors name
 * @property {(targets: Target[], order: any, daemon: Daemon) => void} [check] throws before anything is done
 * @property {Action<any>} run
 * @property {'first' | 'last'} [dependencies] whether an app comes after or before those that it
 *   depends on; without it, the order does not matter
 * @property {boolean} [isQueued] false: does not wait for the commands before it
 *
 * @typedef {object} OwnCommand handles the whole request itself
 * @property {keyof DaemonMethods} name
 * @property {Handler<any>} answer
 */

/** @type {(TargetCommand | OwnCommand)[]} */
export const COMMANDS = [
  { name: 'start', answer: startPrograms },
  { name: 'apply', answer: applySpecs },
  {
    name: 'resume',
    targets: targetsToResume,
    run: withEnv(resumeApp),
    dependencies: 'first',
  },
  {
    name: 'resurrect',
    action: 'resume',
    targets: targetsToResurrect,
    run: resumeWorkers,
    dependencies: 'first',
  },
  { name: 'stop', run: stopApp, dependencies: 'last' },
  { name: 'restart', run: withEnv(restartApp), dependencies: 'first' },
  { name: 'rename', answer: renameApp },
  { name: 'reload', run: withEnv(reloadApp), dependencies: 'first' },
  { name: 'delete', run: removeApp, dependencies: 'last' },
  { name: 'scale', read: ({ selector }) => [selector], check: checkScale, run: scaleToCount },
  { name: 'reset', run: resetCounters },
  { name: 'flush', check: refuseSingleWorkers, run: flushLogs, isQueued: false },
  { name: 'reload-logs', run: reopenLogs, isQueued: false },
  { name: 'send', answer: sendMessage },
  { name: 'signal', answer: sendSignal },
  { name: 'save', answer: saveAll },
  { name: 'kill', answer: killAll },
  { name: 'update-apps', answer: updateApps },
];

/**
 * An app keeps the environment of the shell that started it; what a command sends is put over it, as PM2 does: a
 * deploy's shell without the PORT of the first start must not move the app.
 * @param {Action<Replacement>} action
 * @returns {Action<Omit<Replacement, 'spec'> & {updateEnv?: Record<string, string> | null}>}
 */
function withEnv(action) {
  return async (daemon, app, { updateEnv, ...order }, report) => {
    const current = order.slots === null ? await resolveAgain(app.spec) : app.spec;
    const merged = updateEnv && { ...current.shellEnv, ...updateEnv };
    const spec = merged ? { ...current, shellEnv: shellEnvFor(merged, current.uid) } : current;
    return action(daemon, app, { ...order, spec }, report);
  };
}

/**
 * `start all` after `kill` starts what ran, not what had been stopped before.
 * @param {Daemon} daemon
 * @param {string[]} selectors
 */
function targetsToResume(daemon, selectors) {
  const remembers = daemon.table.all().some(({ killed }) => killed);
  return remembers && selectors.join() === 'all'
    ? targetsToResurrect(daemon)
    : resolveTargets(daemon, selectors);
}

/**
 * Includes what runs: after a reboot, the daemon may still be starting it.
 * @param {Daemon} daemon
 * @returns {Target[]} without workers that had been stopped one by one
 */
function targetsToResurrect({ table }) {
  const apps = table.all().filter(({ killed, stopped }) => killed || !stopped);
  return apps.map((app) => {
    const slots = app.slots.filter((slot) => !app.stoppedSlots.has(slot));
    const isWhole = app.stoppedSlots.size === 0;
    return { app, isWhole, currentSlots: () => (isWhole ? null : slots) };
  });
}

/** @type {Action} */
function resumeWorkers(daemon, app, { slots }, report) {
  return resumeApp(daemon, app, { slots, spec: app.spec }, report);
}

/** @param {Target[]} targets @param {DaemonMethods['scale']['params']} order @param {Daemon} daemon */
function checkScale(targets, { selector, instances }, { features }) {
  if (targets.length !== 1 || !targets[0].isWhole) {
    throw new NodeclusterError('E_SCALE_SELECTOR', { selector });
  }
  const { spec, count } = scaledTo(targets[0].app, instances);
  features.check(targets[0].app, 'scale', { spec });
  const { name, execMode, modeReason: reason, incrementVar } = spec;
  if (execMode === 'fork' && reason !== null && incrementVar === null && count !== 1) {
    throw new NodeclusterError('E_SCALE_FORK', { app: name, reason });
  }
}

/** @type {Action<{instances: string | number}>} */
async function scaleToCount(daemon, app, { instances }, report) {
  const { spec, count } = scaledTo(app, instances);
  return scaleApp(daemon, app, { slots: slotsFor(app.slots, count), spec }, report);
}

/** @type {Action} */
async function resetCounters(_daemon, app, { slots }) {
  return app.isDown ? { ok: true } : app.request('reset', { slots: slots ?? undefined });
}

/** The workers of an app may share their log files. @param {Target[]} targets */
function refuseSingleWorkers(targets) {
  const part = targets.find(({ currentSlots }) => currentSlots() !== null);
  if (part) throw new NodeclusterError('E_LOG_OF_APP', { app: part.app.name });
}
