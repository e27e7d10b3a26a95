/** What `run` says itself: which events, and in which words; lines on stderr, in the format of its apps. */
import { makeLog } from '../../../daemon/log.js';
import { describeRecord } from '../../../shared/log-files/daemon-line.js';
import { makeLineFormat } from '../../../shared/log-files/log-line.js';
import { StandardStream } from '../../../shared/log-files/standard-stream.js';

/**
 * @import { Entry, Log } from '../../../daemon/log.js'
 * @import { LineStyle } from '../../../shared/log-files/log-line.js'
 */

const STOPPING = [
  '',
  ': stopping',
  ' again: stopping without waiting for requests',
  ' again: killing what still runs',
];

/** Of what a user meets, in sentences; null: it needs no line. @type {Record<string, (entry: Entry) => string | null>} */
const WORDS = {
  'worker.exited': ({ slot, reason, after }) => `worker ${slot} ${reason} (uptime ${after})`,
  'worker.started': () => null,
  'worker.online': ({ slot, restarts }) => (restarts > 0 ? `worker ${slot} is online again` : null),
  // Its outcome is described instead, as after a command.
  'action.ended': () => null,
  'action.refused': ({ action, reason }) => `the ${action} was refused: ${reason}`,
  'reload.refused': ({ reason }) => `the reload was refused, nothing has changed: ${reason}`,
  'endpoint.open': ({ address }) => `probes and metrics on http://${address}`,
  'run.stopping': ({ signal, requests }) => `${signal}${STOPPING[Math.min(requests, 3)]}`,
  'run.over': ({ errored }) =>
    errored.length > 0
      ? `${errored.join(', ')} failed for good; shutting down`
      : 'every app has exited; shutting down',
  'run.failed': ({ stack }) => `nodecluster failed, because of a bug in it: ${stack}`,
  'daemon.ended': () => 'stopped',
  'metrics.export-failed': ({ reason }) => `could not send metrics: ${reason}`,
};
/** What happens to workers is shown also if it is no warning. */
const OF_WORKERS = /^(?:worker|app)\./;

/** @param {Entry} entry as for daemon.log @returns {string | null} null: it is not shown */
export function ownLine(entry) {
  const words = WORDS[entry.event];
  if (words) return words(entry);
  const isShown = entry.level !== 'info' || OF_WORKERS.test(entry.event);
  return isShown ? eventLine(entry) : null;
}

/** @param {Entry} entry @returns {string} `worker 0 unhealthy: GET /health: 503 (pid=7)` */
function eventLine({ event, slot, reason, app: _app, ...others }) {
  const [subject, change] = event.split('.');
  const who = slot === undefined ? subject : `${subject} ${slot}`;
  const why = reason ? `: ${reason}` : '';
  const [, facts] = describeRecord(others);
  return `${who} ${change.replaceAll('-', ' ')}${why}${facts && ` (${facts})`}`;
}

/** Stands for the app in a line about none. */
const OWN_NAME = 'run';

/**
 * @param {number} fd @param {LineStyle} style
 * @returns {Log & {say: (app: string, text: string | null) => void, flushed: () => Promise<void>}} null is not shown
 */
export function openOwnLog(fd, style) {
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
    say(String(common.app ?? fields.app ?? OWN_NAME), ownLine(entry));
  });
  return Object.assign(log, { say, flushed: () => stream.flushed() });
}
