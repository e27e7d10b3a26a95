/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import {
  anything,
  boolean,
  either,
  json,
  list,
  map,
  nullable,
  number,
  numberOf,
  object,
  oneOf,
  optional,
  string,
  stringOf,
  tuple,
} from '../shared/checks.js';

const stackState = oneOf('running', 'blocked', 'native', 'stopped', 'unknown');

const count = numberOf({ integer: true, minimum: 0 });

const stackFrame = object({
  name: string,
  file: string,
  line: count,
  column: count,
  origin: oneOf('program', 'node', 'nodecluster'),
});

const time = numberOf({ minimum: 0, maximum: 8640000000000000 });

const slot = numberOf({ integer: true, minimum: 0, maximum: 9999 });

const pid = numberOf({ integer: true, minimum: 1 });

const slotStack = object({
  state: stackState,
  frames: list(stackFrame, { maxItems: 50 }),
  note: nullable(string),
  at: time,
  slot,
  pid: nullable(pid),
  generation: count,
});

const programSample = tuple(
  string,
  map(string, string),
  either(number, oneOf('NaN', '+Inf', '-Inf')),
);

const programFamily = object({
  name: string,
  type: oneOf('counter', 'gauge', 'histogram', 'summary'),
  help: string,
  samples: list(programSample),
});

const programMetrics = object({
  families: list(programFamily),
  dropped: count,
  late: count,
  failure: nullable(string),
});

const workerLoad = object({
  pid,
  requests: nullable(object({ open: count, oldestMs: number, answered: count, errors: count })),
  memoryGrowth: nullable(number),
});

const answerFigures = object({ requests: number, errors: number, p99Ms: nullable(number) });

const canaryState = object({
  slots: list(slot),
  forMs: number,
  max5xx: number,
  maxP99: number,
  sinceMs: nullable(number),
  canary: answerFigures,
  old: answerFigures,
});

const reportedSpec = object({});

const address = stringOf({ maxLength: 4096 });

const listenFault = object({ code: string, address: nullable(address), port: nullable(number) });

const endedReload = object({
  ok: boolean,
  at: time,
  reason: nullable(string),
  fault: optional(nullable(listenFault)),
  durationMs: number,
  generation: count,
  done: list(slot),
  kept: list(slot),
  rolledBack: list(slot),
});

const replacement = object({ slot, at: time, reason: string });

const reloadCounts = object({ ok: count, failed: count, rolledBack: count });

const listeningRecord = object({ input: address, addresses: list(address, { maxItems: 20 }) });

const slotHealth = object({
  status: oneOf('starting', 'healthy', 'unhealthy'),
  failures: count,
  reason: nullable(string),
  failingSinceMs: nullable(number),
});

const workerStatus = oneOf(
  'starting',
  'online',
  'draining',
  'stopping',
  'stopped',
  'backoff',
  'errored',
  'exited',
  'unresponsive',
);

const stack = object({
  state: stackState,
  frames: list(stackFrame, { maxItems: 50 }),
  note: nullable(string),
  at: time,
});

const listener = object({ address, protocol: nullable(oneOf('http', 'https')) });

const proxy = object({ header: string, keepAliveMs: number });

const pastExit = object({
  code: nullable(number),
  signal: nullable(string),
  error: optional(nullable(string)),
  fault: optional(nullable(listenFault)),
  reason: string,
  uptimeMs: number,
  at: time,
  cause: optional(nullable(string)),
  lastLines: list(string),
});

const slotState = object({
  health: optional(nullable(slotHealth)),
  slot,
  status: workerStatus,
  pid: nullable(pid),
  isReady: boolean,
  generation: count,
  restarts: count,
  startedMs: nullable(number),
  reason: nullable(string),
  retryAtMs: nullable(number),
  blockedSinceMs: nullable(number),
  stack: nullable(stack),
  listening: list(listener, { maxItems: 1000 }),
  proxy: nullable(proxy),
  lastExit: nullable(pastExit),
  earlierExits: list(pastExit),
});

const snapshot = object({
  canary: nullable(canaryState),
  healthFailsEverywhere: boolean,
  name: string,
  generation: count,
  mode: oneOf('cluster', 'fork'),
  pid,
  node: string,
  spec: reportedSpec,
  busy: nullable(string),
  lastReload: nullable(endedReload),
  lastReplacement: nullable(replacement),
  reloads: reloadCounts,
  logDroppedBytes: number,
  logDropReason: nullable(string),
  connectionsGivenUp: count,
  listeningRecord: nullable(listeningRecord),
  slots: list(slotState, { maxItems: 1000 }),
  retiring: list(pid),
});

const slotFailure = object({
  slot: nullable(slot),
  reason: string,
  fault: optional(nullable(listenFault)),
  code: optional(nullable(number)),
  lastLines: list(string),
});

const slotNote = object({ slot, note: string });

const outcome = object({
  ok: boolean,
  done: list(slot),
  failed: list(slotFailure),
  kept: list(slot),
  rolledBack: list(slot),
  longLivedCut: number,
  minReady: number,
  durationMs: number,
  notes: optional(list(slotNote)),
});

const histogram = object({ counts: list(number), sumMs: number });

const telemetryReport = object({
  atMs: number,
  activeMs: number,
  idleMs: number,
  delay: object({ counts: list(number), sumMs: number, maxMs: number }),
  heapUsed: number,
  heapTotal: number,
  connections: number,
  begun: number,
  requests: number,
  errors: number,
  latency: histogram,
  lastMinute: optional(list(number)),
});

const loopTimes = object({ pid, activeMs: number, idleMs: number });

const sentSlots = object({ sent: list(slot), failed: list(slot) });

const givenSpec = object({});

const programData = json(131072);

const primaryEvent = object({
  slot: optional(slot),
  pid: optional(nullable(pid)),
  generation: optional(count),
  reason: optional(nullable(string)),
  fault: optional(nullable(listenFault)),
  after: optional(string),
  code: optional(nullable(number)),
  signal: optional(nullable(string)),
  cut: optional(number),
  type: string,
  at: time,
  seq: optional(count),
  again: optional(boolean),
  lastLines: optional(list(string)),
  durationMs: optional(number),
  name: optional(string),
  data: optional(programData),
  dropped: optional(count),
});

const progress = object({
  kind: oneOf(
    'starting',
    'waiting',
    'online',
    'draining',
    'stopping',
    'stopped',
    'failed',
    'exited',
    'rolling back',
    'judging',
    'judged',
  ),
  slot: optional(slot),
  pid: optional(nullable(pid)),
  generation: optional(count),
  reason: optional(nullable(string)),
  fault: optional(nullable(listenFault)),
  after: optional(string),
  code: optional(nullable(number)),
  signal: optional(nullable(string)),
  cut: optional(number),
});

const featureField = oneOf('programMetrics');

const field = either(featureField, oneOf('usage', 'vitals', 'counters', 'details'));

const selection = object({ selectors: list(string) });

const variableName = stringOf({ pattern: /^[^=\0]+$/ });

const variableValue = stringOf({ maxLength: 4194304, pattern: /^[^\0]*$/ });

const variables = map(variableName, variableValue);

const canaryOrder = object({
  instances: numberOf({ integer: true, minimum: 1 }),
  forMs: numberOf({ minimum: 1, maximum: 86400000 }),
  max5xx: numberOf({ minimum: 0 }),
  maxP99: numberOf({ minimum: 1 }),
  minRequests: optional(count),
});

const savedSpec = object({});

const rollout = object({
  spec: savedSpec,
  generation: count,
  resizeTo: optional(list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true })),
});

const author = object({
  role: stringOf({ maxLength: 64 }),
  user: nullable(stringOf({ maxLength: 64 })),
});

const difference = object({ key: string, from: anything, to: anything });

const appChange = object({
  at: time,
  action: stringOf({ maxLength: 64 }),
  by: nullable(author),
  generation: count,
  isApplied: boolean,
  differences: list(difference, { maxItems: 20 }),
  omitted: count,
});

export const primaryResults = {
  'end-trial': anything,
  why: object({ workers: list(slotStack) }),
  profile: object({ pid, generation: count, isBlocked: boolean }),
  'program-metrics': programMetrics,
  loads: object({ workers: list(workerLoad) }),
  subscribe: snapshot,
  ping: anything,
  bye: anything,
  start: outcome,
  stop: outcome,
  restart: outcome,
  reload: outcome,
  scale: outcome,
  reset: object({ ok: boolean, done: list(slot), failed: list(slotFailure) }),
  telemetry: object({ workers: list(object({ pid, report: telemetryReport })) }),
  'loop-times': object({ workers: list(loopTimes) }),
  'forward-program-events': anything,
  send: sentSlots,
  signal: sentSlots,
  configure: anything,
  spec: object({ spec: givenSpec }),
  'reopen-logs': anything,
  'flush-logs': anything,
  retire: outcome,
  hurry: anything,
  abandon: anything,
  host: anything,
  shutdown: outcome,
};

export const primaryNotifications = { state: snapshot, event: primaryEvent, progress: progress };

export const daemonParams = {
  'run-now': object({
    selectors: list(string),
    untilEnd: optional(boolean),
    table: optional(list(field)),
  }),
  why: selection,
  profile: object({
    selector: string,
    kind: oneOf('cpu', 'heap'),
    durationMs: optional(numberOf({ integer: true, minimum: 0, maximum: 3600000 })),
  }),
  list: object({
    selectors: optional(list(string)),
    fields: optional(list(field)),
    showSecrets: optional(boolean),
  }),
  start: object({
    specs: list(givenSpec),
    shellEnv: optional(variables),
    table: optional(list(field)),
  }),
  apply: object({
    specs: list(givenSpec),
    shellEnv: optional(variables),
    canary: optional(canaryOrder),
    parallel: optional(numberOf({ integer: true, minimum: 1 })),
    onFailure: optional(oneOf('keep', 'rollback')),
    action: oneOf('start', 'apply', 'reload', 'restart'),
    file: optional(nullable(string)),
    only: optional(nullable(list(string))),
    prune: optional(boolean),
    updateEnv: optional(boolean),
    dryRun: optional(boolean),
    wait: optional(boolean),
    table: optional(list(field)),
  }),
  resume: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    table: optional(list(field)),
  }),
  stop: object({ selectors: list(string), table: optional(list(field)) }),
  restart: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    table: optional(list(field)),
  }),
  reload: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    canary: optional(canaryOrder),
    parallel: optional(numberOf({ integer: true, minimum: 1 })),
    onFailure: optional(oneOf('keep', 'rollback')),
    wait: optional(boolean),
    table: optional(list(field)),
  }),
  delete: object({ selectors: list(string), table: optional(list(field)) }),
  scale: object({
    selector: string,
    instances: either(number, string),
    table: optional(list(field)),
  }),
  reset: object({ selectors: list(string), table: optional(list(field)) }),
  env: object({ selectors: list(string), showSecrets: optional(boolean) }),
  rename: object({ app: string, name: string, table: optional(list(field)) }),
  resurrect: object({ table: optional(list(field)) }),
  kill: object({ table: optional(list(field)) }),
  save: object({}),
  flush: selection,
  'log-files': selection,
  'reload-logs': selection,
  watch: object({}),
  events: object({ selectors: optional(list(string)), since: optional(number) }),
  send: object({ selectors: list(string), message: anything }),
  signal: object({ selectors: list(string), signal: string }),
  'update-apps': object({ table: optional(list(field)) }),
  ping: object({}),
};

export const desiredApp = object({
  spec: savedSpec,
  generation: count,
  stopped: boolean,
  killed: boolean,
  deleting: boolean,
  slots: list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true }),
  stoppedSlots: list(slot, { maxItems: 1000, uniqueItems: true }),
  ids: map(stringOf({ pattern: /^\d+$/ }), count),
  rollout: nullable(rollout),
  listeningRecord: nullable(listeningRecord),
  createdAt: nullable(time),
  changes: list(appChange, { maxItems: 3 }),
});
