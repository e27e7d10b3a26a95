/** What `run` says itself: which events, and in which words; lines on stderr, in the format of its apps. */
import { makeLog } from '../../../daemon/log.js';
import { makeLineFormat } from '../../../shared/log-files/log-line.js';
import { StandardStream } from '../../../shared/log-files/standard-stream.js';
import { formatDuration } from '../../../shared/units.js';

/**
 * @import { EntryWords } from '../../../daemon/features.js'
 * @import { Entry, Log } from '../../../daemon/log.js'
 * @import { LineStyle } from '../../../shared/log-files/log-line.js'
 */

/** By the number of requests to stop. */
const STOPPING = [
  '',
  ': stopping',
  ' again: stopping without waiting for requests',
  ' again: killing what still runs',
];

/** Of the kernel. @type {EntryWords} */
const WORDS = {
  'worker.exited': workerExited,
  'worker.online': ({ slot, restarts }) => (restarts > 0 ? `worker ${slot} is online again` : null),
  'worker.unresponsive': ({ slot }) => `worker ${slot} is unresponsive`,
  'worker.responsive': ({ slot }) => `worker ${slot} is responsive again`,
  // Its outcome is described instead, as after a command.
  'action.ended': () => null,
  'action.refused': ({ action, reason }) => `the ${action} was refused: ${reason}`,
  'reload.refused': ({ reason }) => `the reload was refused, nothing has changed: ${reason}`,
  'endpoint.open': ({ address }) => `probes and metrics on http://${address}`,
  'run.stopping': ({ signal, requests }) => `${signal}${STOPPING[Math.min(requests, 3)]}`,
  'run.over': runOver,
  'daemon.ended': () => 'stopped',
  'daemon.superseded': ({ by }) => `another daemon (pid ${by}) supervises these apps now; ending`,
  'daemon.incomplete': ({ reason }) => `part of nodecluster could not be loaded: ${reason}`,
  'handover.closed': ({ reason }) =>
    `the next daemon would not get the sockets of this one: ${reason}`,
  'home.unusable': ({ home, reason }) => `${home} cannot be used at the moment: ${reason}`,
  'home.restored': ({ home }) => `${home} had been removed and was restored`,
  'lock.restored': ({ home }) => `the lock in ${home} had been removed and was restored`,
  'rename.failed': ({ from, to, reason }) => `could not rename ${from} to ${to}: ${reason}`,
  'socket.restored': ({ socket }) => `the socket ${socket} had been removed and was restored`,
  'copies.restored': ({ versions }) => `files in ${versions} had been removed and were restored`,
  'state.restored': ({ file }) => `${file} had been changed or removed and was restored`,
  'state.unsaved': ({ reason }) => `could not save the state of the apps: ${reason}`,
  'run.failed': ({ stack }) => `nodecluster failed, which is a bug in it: ${stack}`,
  'command.refused': ({ method, reason }) => `refused ${method}: ${reason}`,
  'dependency.missing': ({ dependency, reason }) =>
    `depends on ${dependency}: ${reason ?? 'no app has that name'}`,
  'logs.reopen-failed': ({ reason }) => `could not open its logs again: ${reason}`,
  'metrics.export-failed': ({ reason }) => `could not send metrics: ${reason}`,
  'primary.adoption-failed': ({ reason }) => `could not connect to its primary: ${reason}`,
  'primary.found': ({ primary }) => `its primary (pid ${primary}) answers again`,
  'primary.killing': ({ primary }) => `its primary (pid ${primary}) did not end and is killed`,
  'primary.lost': ({ primary }) => `the connection to its primary (pid ${primary}) was lost`,
  'primary.restarting': ({ inMs }) => `its primary starts again in ${formatDuration(inMs)}`,
  'primary.shutdown-failed': ({ reason }) => `its primary could not be stopped: ${reason}`,
  'primary.silent': ({ reason }) => `its primary does not answer: ${reason}`,
  'primary.sockets-not-held': ({ reason }) =>
    `its sockets would not survive the loss of its primary: ${reason}`,
  'primary.unclear': ({ reason }) => `could not tell whether its primary runs: ${reason}`,
  'recovery.failed': ({ reason }) => `could not be started again: ${reason}`,
  'stop.failed': ({ reason }) => `could not be stopped: ${reason}`,
  'feature.failed': ({ feature, reason }) => `${feature} failed: ${reason}`,
  'service.unnotified': ({ reason }) => `could not notify the init system: ${reason}`,
  'worker.replacing': ({ slot, reason }) => `worker ${slot} is replaced: ${reason}`,
};

/**
 * @param {Entry} entry as for daemon.log
 * @param {EntryWords} [ofFeatures]
 * @returns {string | null} null: it is not shown
 */
export function ownLine(entry, ofFeatures = {}) {
  const words = WORDS[entry.event] ?? ofFeatures[entry.event];
  if (words) return words(entry);
  if (entry.level === 'info') return null;
  return `${entry.event}: ${entry.reason ?? ''}`;
}

/** @param {Entry} entry */
function workerExited({ slot, reason, after, then, inMs, why }) {
  const ended = `worker ${slot} ${reason} (uptime ${after})`;
  if (then === 'backoff') return `${ended}; it starts again in ${formatDuration(inMs)}`;
  if (then === 'the old worker stays') return `the new ${ended}; the old one stays`;
  if (then === 'errored' || then === 'exited') return `worker ${slot} ${why}; it stays ${then}`;
  return `${ended}; it is ${then}`;
}

/** @param {Entry} entry */
function runOver({ errored }) {
  if (!errored) return 'every app has exited; ending';
  return `${errored.join(', ')} cannot run any more; ending`;
}

/** Stands for the app in a line about none. */
const OWN_NAME = 'run';

/**
 * @param {number} fd
 * @param {LineStyle} style
 * @param {() => EntryWords} wordsOfFeatures
 * @returns {Log & {say: (app: string, text: string | null) => void, flushed: () => Promise<void>}}
 *   say: null is not shown; flushed: what was said has been written
 */
export function openOwnLog(fd, style, wordsOfFeatures) {
  const format = makeLineFormat(style);
  const lineOf = (/** @type {string} */ app, /** @type {string} */ text) => {
    const lines = style.type === 'json' ? [text] : text.split('\n');
    return Buffer.concat(lines.map((line) => format.writeOwn(app, line, Date.now())));
  };
  const stream = new StandardStream(fd, { ownLine: (text) => lineOf(OWN_NAME, text) });
  const say = (/** @type {string} */ app, /** @type {string | null} */ text) => {
    if (text !== null) stream.write(lineOf(app, text));
  };
  const log = makeLog((level, event, fields, common) => {
    const entry = { ...common, ...fields, event, level };
    say(String(common.app ?? fields.app ?? OWN_NAME), ownLine(entry, wordsOfFeatures()));
  });
  return Object.assign(log, { say, flushed: () => stream.flushed() });
}
