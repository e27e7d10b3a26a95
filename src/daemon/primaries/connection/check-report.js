/**
 * Checks what a primary sends before the daemon uses it. A primary may run as another user, be of
 * another version or have a bug, and must not harm the other apps. What is not named here is not
 * used; what is missing, an older version does not report.
 */
import { constants } from 'node:os';
import { MAX_INSTANCES } from '../../../config/types/values.js';
import { NodeclusterError } from '../../../errors/error.js';
import { STATUS_ORDER } from '../../../lifecycle/status-order.js';
import { isCount, isListOf, isObject } from '../../../shared/checks.js';
import { isFamily } from '../../../features/program-metrics/families.js';

/** @typedef {(value: any) => boolean} Check */

const MAX_TEXT = 64 * 1024;
const MAX_ITEMS = 5000;
/** Of one worker. */
const MAX_LISTENING = 1000;
const MAX_ADDRESS = 4096;
const MAX_FRAMES = 50;
/** Metrics of one app's program; smaller ones do not fit into its reply. */
const MAX_FAMILIES = 10_000;
/** Addresses that are saved. */
const MAX_RECORDED = 20;
/** Characters of what a program sends, as JSON. */
const MAX_DATA = 128 * 1024;
/** The last time that a Date can hold, in ms. */
const MAX_TIME = 8.64e15;

/** @type {Check} */
const isText = (value) => typeof value === 'string' && value.length <= MAX_TEXT;
/** @type {Check} */
const isNumber = (value) => Number.isFinite(value);
/** @type {Check} */
const isTime = (value) => isNumber(value) && value >= 0 && value <= MAX_TIME;
/** @type {Check} */
const isAddress = (value) => isText(value) && value.length <= MAX_ADDRESS;
/** @type {Check} */
const isData = (value) => JSON.stringify(value).length <= MAX_DATA;
/** @type {Check} */
const isBoolean = (value) => typeof value === 'boolean';
/** @type {Check} */
const isStatus = (value) => STATUS_ORDER.includes(value);
/** @type {(isItem: Check, maxItems?: number) => Check} */
const areAll =
  (isItem, maxItems = MAX_ITEMS) =>
  (value) =>
    value?.length <= maxItems && isListOf(value, isItem);
/** @type {(isValue: Check) => Check} */
const orNull = (isValue) => (value) => value === null || isValue(value);
/** @type {(checks: Record<string, Check>, required?: string[]) => Check} */
const isShaped = (checks, required) => (value) => faultOf(value, checks, required) === null;

const FAULT = { code: isText, address: orNull(isAddress), port: orNull(isNumber) };
const REASON = {
  reason: orNull(isText),
  fault: orNull(isShaped(FAULT, Object.keys(FAULT))),
};
const EXIT = {
  ...REASON,
  code: orNull(isNumber),
  signal: orNull(isText),
  error: orNull(isText),
  uptimeMs: isNumber,
  at: isTime,
  lastLines: areAll(isText),
};
const SLOTS = areAll(isCount);
const NOTES = areAll(isShaped({ slot: isCount, note: isText }, ['slot', 'note']));
const OUTCOME = {
  ok: isBoolean,
  done: SLOTS,
  failed: areAll(
    isShaped({
      ...REASON,
      slot: orNull(isCount),
      code: orNull(isNumber),
      lastLines: EXIT.lastLines,
    }),
  ),
  kept: SLOTS,
  rolledBack: SLOTS,
  longLivedCut: isNumber,
  minReady: isNumber,
  durationMs: isNumber,
  notes: NOTES,
};
const HEALTH = {
  status: (/** @type {any} */ value) => ['starting', 'healthy', 'unhealthy'].includes(value),
  failures: isCount,
  reason: orNull(isText),
  failingSinceMs: orNull(isNumber),
};
const FRAME = {
  name: isText,
  file: isText,
  line: isCount,
  column: isCount,
  origin: (/** @type {any} */ value) => ['program', 'node', 'nodecluster'].includes(value),
};
const STACK = {
  state: (/** @type {any} */ value) =>
    ['running', 'blocked', 'native', 'stopped', 'unknown'].includes(value),
  frames: areAll(isShaped(FRAME, Object.keys(FRAME)), MAX_FRAMES),
  note: orNull(isText),
  at: isTime,
};
const SLOT_STACK = { ...STACK, slot: isCount, pid: orNull(isCount), generation: isCount };
const SLOT = {
  slot: isCount,
  status: isStatus,
  pid: orNull(isCount),
  isReady: isBoolean,
  health: orNull(isShaped(HEALTH, Object.keys(HEALTH))),
  generation: isCount,
  restarts: isCount,
  startedMs: orNull(isNumber),
  reason: orNull(isText),
  retryAtMs: orNull(isNumber),
  blockedSinceMs: orNull(isNumber),
  stack: orNull(isShaped(STACK, Object.keys(STACK))),
  listening: areAll(
    isShaped({ address: isAddress, protocol: orNull(isText) }, ['address']),
    MAX_LISTENING,
  ),
  proxy: orNull(isShaped({ header: isText, keepAliveMs: isNumber }, ['header', 'keepAliveMs'])),
  lastExit: orNull(isShaped(EXIT)),
  earlierExits: areAll(isShaped(EXIT)),
};
/** What the daemon uses of it, besides comparing it with its own. */
const SPEC = {
  killSignal: (/** @type {any} */ name) =>
    name === 'auto' || Object.hasOwn(constants.signals, name),
  holdTimeoutMs: isNumber,
};
const FIGURES = { requests: isNumber, errors: isNumber, p99Ms: orNull(isNumber) };
const CANARY = {
  slots: SLOTS,
  judgedMs: isNumber,
  forMs: isNumber,
  max5xx: isNumber,
  maxP99: isNumber,
  canary: isShaped(FIGURES, Object.keys(FIGURES)),
  old: isShaped(FIGURES, Object.keys(FIGURES)),
};
const LISTENING_RECORD = { input: isAddress, addresses: areAll(isAddress, MAX_RECORDED) };
const SNAPSHOT = {
  generation: isCount,
  mode: isText,
  scheduling: isText,
  schedulingNote: orNull(isText),
  node: isText,
  spec: isShaped(SPEC),
  busy: orNull(isText),
  canary: orNull(isShaped(CANARY, ['slots', 'judgedMs', 'forMs', 'canary', 'old'])),
  healthFailsEverywhere: isBoolean,
  lastReload: orNull(isShaped({ ...OUTCOME, ...REASON, at: isTime, generation: isCount })),
  lastReplacement: orNull(
    isShaped({ slot: isCount, at: isTime, reason: isText }, ['slot', 'at', 'reason']),
  ),
  reloads: isShaped({ ok: isCount, failed: isCount, rolledBack: isCount }),
  logDroppedBytes: isNumber,
  logDropReason: orNull(isText),
  connectionsGivenUp: isCount,
  listeningRecord: orNull(isShaped(LISTENING_RECORD, ['input', 'addresses'])),
  slots: areAll(isShaped(SLOT, ['slot', 'status', 'pid', 'generation', 'restarts']), MAX_INSTANCES),
  retiring: areAll(isShaped({ slot: isCount, pid: orNull(isCount), generation: isCount })),
};
const EVENT = {
  ...REASON,
  type: isText,
  kind: isText,
  at: isTime,
  seq: isCount,
  slot: isCount,
  pid: orNull(isCount),
  generation: isCount,
  after: isText,
  code: orNull(isNumber),
  signal: orNull(isText),
  cut: isNumber,
  durationMs: isNumber,
  lastLines: areAll(isText),
  name: isText,
  data: isData,
  dropped: isCount,
  again: isBoolean,
};
const HISTOGRAM = { counts: areAll(isNumber), sumMs: isNumber, maxMs: isNumber };
const TELEMETRY = {
  atMs: isNumber,
  activeMs: isNumber,
  idleMs: isNumber,
  delay: isShaped(HISTOGRAM, ['counts']),
  heapUsed: isNumber,
  heapTotal: isNumber,
  connections: isNumber,
  begun: isNumber,
  requests: isNumber,
  errors: isNumber,
  latency: isShaped(HISTOGRAM, ['counts']),
};
/** Of requests whose result is no outcome. @type {Record<string, Record<string, Check>>} */
const RESULTS = {
  bye: {},
  configure: {},
  'end-trial': {},
  hurry: {},
  'forward-program-events': {},
  spec: { spec: isObject },
  telemetry: {
    workers: areAll(isShaped({ pid: isCount, report: isShaped(TELEMETRY) }, ['pid', 'report'])),
  },
  'loop-times': {
    workers: areAll(
      isShaped({ pid: isCount, activeMs: isNumber, idleMs: isNumber }, [
        'pid',
        'activeMs',
        'idleMs',
      ]),
      MAX_INSTANCES,
    ),
  },
  'program-metrics': {
    families: areAll(isFamily, MAX_FAMILIES),
    dropped: isCount,
    late: isCount,
    failure: orNull(isText),
  },
  why: {
    workers: areAll(isShaped(SLOT_STACK, Object.keys(SLOT_STACK)), MAX_INSTANCES),
  },
  profile: { pid: isCount, generation: isCount, isBlocked: isBoolean },
  send: { sent: SLOTS, failed: SLOTS },
  signal: { sent: SLOTS, failed: SLOTS },
  'reopen-logs': { files: areAll(isText) },
  'flush-logs': { files: areAll(isText) },
};

/**
 * @template T
 * @param {T} snapshot
 * @param {string} app its name
 * @returns {T} the same
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedSnapshot(snapshot, app) {
  const required = ['name', 'generation', 'mode', 'slots', 'spec'];
  const checks = { ...SNAPSHOT, name: (/** @type {unknown} */ name) => name === app };
  return checked(snapshot, checks, required, app);
}

/**
 * @template T
 * @param {T} event or a step of a command
 * @param {string} app its name
 * @returns {T} what is named here of it: another key could be taken for one of the daemon's
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedEvent(event, app) {
  const whole = /** @type {object} */ (checked(event, EVENT, [], app));
  const known = Object.entries(whole).filter(([key]) => Object.hasOwn(EVENT, key));
  return /** @type {T} */ (Object.fromEntries(known));
}

/**
 * @template T
 * @param {string} method
 * @param {T} result of a request
 * @param {string} app its name
 * @returns {T} the same
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedResult(method, result, app) {
  const checks = Object.hasOwn(RESULTS, method) ? RESULTS[method] : OUTCOME;
  const required = checks === OUTCOME ? ['ok'] : Object.keys(checks);
  return required.length === 0 ? result : checked(result, checks, required, app);
}

/**
 * @template T
 * @param {T} value
 * @param {Record<string, Check>} checks
 * @param {string[]} required
 * @param {string} app
 * @returns {T}
 */
function checked(value, checks, required, app) {
  const fault = faultOf(value, checks, required);
  if (fault === null) return value;
  throw new NodeclusterError('E_PRIMARY_REPORT', { app, what: fault });
}

/**
 * @param {any} value
 * @param {Record<string, Check>} checks
 * @param {string[]} [required]
 * @returns {string | null} the first key with a wrong value
 */
function faultOf(value, checks, required = []) {
  if (!isObject(value)) return 'the whole';
  const isWrong = (/** @type {string} */ key) =>
    value[key] === undefined ? required.includes(key) : !checks[key](value[key]);
  return Object.keys(checks).find(isWrong) ?? null;
}
