/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import {
  anything,
  boolean,
  either,
  integer,
  json,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  string,
  tuple,
} from './checks.js';

const stackState = oneOf('running', 'blocked', 'native', 'stopped', 'unknown');

const count = integer({ minimum: 0 });

const stackFrame = object({
  name: string(),
  file: string(),
  line: count,
  column: count,
  origin: oneOf('program', 'node', 'nodecluster'),
});

const time = number({ minimum: 0, maximum: 8640000000000000 });

const slot = integer({ minimum: 0, maximum: 9999 });

const pid = integer({ minimum: 1 });

const slotStack = object({
  state: stackState,
  frames: list(stackFrame, { maxItems: 50 }),
  note: nullable(string()),
  at: time,
  slot: slot,
  pid: nullable(pid),
  generation: count,
});

const programSample = tuple(
  string(),
  map(string(), string()),
  either(number(), oneOf('NaN', '+Inf', '-Inf')),
);

const programFamily = object({
  name: string(),
  type: oneOf('counter', 'gauge', 'histogram', 'summary'),
  help: string(),
  samples: list(programSample),
});

const programMetrics = object({
  families: list(programFamily),
  dropped: count,
  late: count,
  failure: nullable(string()),
});

const workerLoad = object({
  pid: pid,
  requests: nullable(object({ open: count, oldestMs: number(), answered: count, errors: count })),
  memoryGrowth: nullable(number()),
});

const answerFigures = object({ requests: number(), errors: number(), p99Ms: nullable(number()) });

const canaryState = object({
  slots: list(slot),
  sinceMs: nullable(number()),
  forMs: number(),
  max5xx: number(),
  maxP99: number(),
  canary: answerFigures,
  old: answerFigures,
});

const reportedSpec = object({ holdTimeoutMs: number() });

const address = string({ maxLength: 4096 });

const listenFault = object({
  code: string(),
  address: nullable(address),
  port: nullable(number()),
});

const endedReload = object(
  {
    ok: boolean,
    at: time,
    reason: nullable(string()),
    durationMs: number(),
    generation: count,
    done: list(slot),
    kept: list(slot),
    rolledBack: list(slot),
  },
  { fault: nullable(listenFault) },
);

const replacement = object({ slot: slot, at: time, reason: string() });

const reloadCounts = object({ ok: count, failed: count, rolledBack: count });

const listeningRecord = object({ input: address, addresses: list(address, { maxItems: 20 }) });

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
  note: nullable(string()),
  at: time,
});

const listener = object({ address: address, protocol: nullable(oneOf('http', 'https')) });

const proxy = object({ header: string(), keepAliveMs: number() });

const pastExit = object(
  {
    code: nullable(number()),
    signal: nullable(string()),
    reason: string(),
    uptimeMs: number(),
    at: time,
    lastLines: list(string()),
  },
  { error: nullable(string()), fault: nullable(listenFault), cause: nullable(string()) },
);

const slotHealth = object({
  status: oneOf('starting', 'healthy', 'unhealthy'),
  failures: count,
  reason: nullable(string()),
  failingSinceMs: nullable(number()),
});

const slotState = object(
  {
    slot: slot,
    status: workerStatus,
    pid: nullable(pid),
    isReady: boolean,
    generation: count,
    restarts: count,
    startedMs: nullable(number()),
    reason: nullable(string()),
    retryAtMs: nullable(number()),
    blockedSinceMs: nullable(number()),
    stack: nullable(stack),
    listening: list(listener, { maxItems: 1000 }),
    proxy: nullable(proxy),
    lastExit: nullable(pastExit),
    earlierExits: list(pastExit),
  },
  { health: nullable(slotHealth) },
);

const retiringWorker = object({
  slot: slot,
  pid: nullable(pid),
  status: string(),
  generation: count,
});

const snapshot = object({
  canary: nullable(canaryState),
  healthFailsEverywhere: boolean,
  name: string(),
  generation: count,
  mode: oneOf('cluster', 'fork'),
  scheduling: oneOf('round-robin', 'shared', 'fair', 'reuseport', 'sticky'),
  schedulingNote: nullable(string()),
  pid: pid,
  node: string(),
  spec: reportedSpec,
  busy: nullable(string()),
  lastReload: nullable(endedReload),
  lastReplacement: nullable(replacement),
  reloads: reloadCounts,
  logDroppedBytes: number(),
  logDropReason: nullable(string()),
  connectionsGivenUp: count,
  listeningRecord: nullable(listeningRecord),
  slots: list(slotState, { maxItems: 1000 }),
  retiring: list(retiringWorker),
});

const slotFailure = object(
  { slot: nullable(slot), reason: string(), lastLines: list(string()) },
  { fault: nullable(listenFault), code: nullable(number()) },
);

const slotNote = object({ slot: slot, note: string() });

const outcome = object(
  {
    ok: boolean,
    done: list(slot),
    failed: list(slotFailure),
    kept: list(slot),
    rolledBack: list(slot),
    longLivedCut: number(),
    minReady: number(),
    durationMs: number(),
  },
  { notes: list(slotNote) },
);

const histogram = object({ counts: list(number()), sumMs: number() });

const telemetryReport = object(
  {
    atMs: number(),
    activeMs: number(),
    idleMs: number(),
    delay: object({ counts: list(number()), sumMs: number(), maxMs: number() }),
    heapUsed: number(),
    heapTotal: number(),
    connections: number(),
    begun: number(),
    requests: number(),
    errors: number(),
    latency: histogram,
  },
  { lastMinute: list(number()) },
);

const loopTimes = object({ pid: pid, activeMs: number(), idleMs: number() });

const sentSlots = object({ sent: list(slot), failed: list(slot) });

const givenSpec = object({});

const programData = json(131072);

const primaryEvent = object(
  { type: string(), at: time },
  {
    slot: slot,
    pid: nullable(pid),
    generation: count,
    reason: nullable(string()),
    fault: nullable(listenFault),
    after: string(),
    code: nullable(number()),
    signal: nullable(string()),
    cut: number(),
    seq: count,
    again: boolean,
    lastLines: list(string()),
    durationMs: number(),
    name: string(),
    data: programData,
    dropped: count,
  },
);

const progress = object(
  {
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
  },
  {
    slot: slot,
    pid: nullable(pid),
    generation: count,
    reason: nullable(string()),
    fault: nullable(listenFault),
    after: string(),
    code: nullable(number()),
    signal: nullable(string()),
    cut: number(),
  },
);

const slotSelection = object({}, { slots: list(slot) });

const socketName = string({ pattern: /^[\w-]{1,40}\.sock$/ });

const instanceRange = object({
  min: integer(),
  max: integer(),
  elu: number(),
  cooldownMs: number(),
});

const variableName = string({ pattern: /^[^=\0]+$/ });

const variableValue = string({ maxLength: 4194304, pattern: /^[^\0]*$/ });

const completeSpec = object({
  name: string(),
  script: string(),
  args: list(string()),
  cwd: string(),
  instances: either(integer(), instanceRange),
  execMode: oneOf('cluster', 'fork'),
  env: map(variableName, variableValue),
  shellEnv: map(variableName, variableValue),
  maxSurge: integer({ minimum: 0 }),
});

const canaryOrder = object(
  {
    instances: integer({ minimum: 1 }),
    forMs: number({ minimum: 1, maximum: 86400000 }),
    max5xx: number({ minimum: 0 }),
    maxP99: number({ minimum: 1 }),
  },
  { minRequests: count },
);

const featureField = oneOf('programMetrics');

const field = either(featureField, oneOf('usage', 'vitals', 'counters', 'details'));

const selection = object({ selectors: list(string()) });

const variables = map(variableName, variableValue);

const savedSpec = object({});

const rollout = object(
  { spec: savedSpec, generation: count },
  { resizeTo: list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true }) },
);

const author = object({
  role: string({ maxLength: 64 }),
  user: nullable(string({ maxLength: 64 })),
});

const difference = object({ key: string() }, { from: anything, to: anything });

const appChange = object({
  at: time,
  action: string({ maxLength: 64 }),
  by: nullable(author),
  generation: count,
  isApplied: boolean,
  differences: list(difference, { maxItems: 20 }),
  omitted: count,
});

export const primaryResults = {
  'end-trial': anything,
  why: object({ workers: list(slotStack) }),
  profile: object({ pid: pid, generation: count, isBlocked: boolean }),
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
  telemetry: object({ workers: list(object({ pid: pid, report: telemetryReport })) }),
  'loop-times': object({ workers: list(loopTimes) }),
  'forward-program-events': anything,
  send: sentSlots,
  signal: sentSlots,
  configure: anything,
  spec: object({ spec: givenSpec }),
  'reopen-logs': object({ files: list(string()) }),
  'flush-logs': object({ files: list(string()) }),
  retire: outcome,
  hurry: anything,
  abandon: anything,
  host: anything,
  shutdown: outcome,
};

export const primaryNotifications = { state: snapshot, event: primaryEvent, progress: progress };

export const primaryParams = {
  'end-trial': object({}),
  why: slotSelection,
  profile: object(
    { slot: slot, socket: socketName, kind: oneOf('cpu', 'heap') },
    { durationMs: integer({ minimum: 0, maximum: 3600000 }) },
  ),
  'program-metrics': object({}),
  loads: object({}),
  subscribe: object(
    {},
    {
      after: count,
      isManaged: boolean,
      daemon: object({ execPath: string(), script: string() }),
      pid: pid,
    },
  ),
  ping: object({}),
  bye: object({}),
  start: slotSelection,
  stop: slotSelection,
  restart: object({}, { slots: list(slot), spec: completeSpec, generation: count }),
  reload: object(
    {},
    {
      slots: list(slot),
      canary: canaryOrder,
      parallel: integer({ minimum: 1 }),
      onFailure: oneOf('keep', 'rollback'),
      spec: completeSpec,
      generation: count,
    },
  ),
  scale: object({ slots: list(slot), spec: completeSpec }),
  reset: slotSelection,
  telemetry: object({ leaseMs: number() }),
  'loop-times': object({}),
  'forward-program-events': object({ enabled: boolean }),
  send: object({}, { slots: list(slot), message: anything }),
  signal: object({ signal: string() }, { slots: list(slot) }),
  configure: object({ spec: completeSpec }),
  spec: object({}),
  'reopen-logs': object({}),
  'flush-logs': object({}),
  retire: object({}),
  hurry: object({}, { kill: boolean }),
  abandon: object({}),
  host: object({ launch: string() }),
  shutdown: object({}, { areSocketsHeld: boolean }),
};

export const daemonParams = {
  'run-now': object({ selectors: list(string()) }, { untilEnd: boolean, table: list(field) }),
  why: selection,
  profile: object(
    { selector: string(), kind: oneOf('cpu', 'heap') },
    { durationMs: integer({ minimum: 0, maximum: 3600000 }) },
  ),
  list: object({}, { selectors: list(string()), fields: list(field), showSecrets: boolean }),
  start: object({ specs: list(givenSpec) }, { shellEnv: variables, table: list(field) }),
  apply: object(
    { specs: list(givenSpec), action: oneOf('start', 'apply', 'reload', 'restart') },
    {
      shellEnv: variables,
      canary: canaryOrder,
      parallel: integer({ minimum: 1 }),
      onFailure: oneOf('keep', 'rollback'),
      file: nullable(string()),
      only: nullable(list(string())),
      prune: boolean,
      updateEnv: boolean,
      dryRun: boolean,
      wait: boolean,
      table: list(field),
    },
  ),
  resume: object(
    { selectors: list(string()) },
    { updateEnv: nullable(variables), table: list(field) },
  ),
  stop: object({ selectors: list(string()) }, { table: list(field) }),
  restart: object(
    { selectors: list(string()) },
    { updateEnv: nullable(variables), table: list(field) },
  ),
  reload: object(
    { selectors: list(string()) },
    {
      updateEnv: nullable(variables),
      canary: canaryOrder,
      parallel: integer({ minimum: 1 }),
      onFailure: oneOf('keep', 'rollback'),
      wait: boolean,
      table: list(field),
    },
  ),
  delete: object({ selectors: list(string()) }, { table: list(field) }),
  scale: object(
    { selector: string(), instances: either(number(), string()) },
    { table: list(field) },
  ),
  reset: object({ selectors: list(string()) }, { table: list(field) }),
  env: object({ selectors: list(string()) }, { showSecrets: boolean }),
  rename: object({ app: string(), name: string() }, { table: list(field) }),
  resurrect: object({}, { table: list(field) }),
  kill: object({}, { table: list(field) }),
  save: object({}),
  flush: selection,
  'log-files': selection,
  'reload-logs': selection,
  watch: object({}, { intervalMs: number() }),
  events: object({}, { selectors: list(string()), since: number() }),
  send: object({ selectors: list(string()) }, { message: anything }),
  signal: object({ selectors: list(string()), signal: string() }),
  'update-apps': object({}, { table: list(field) }),
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
  ids: map(string({ pattern: /^\d+$/ }), count),
  attempt: nullable(rollout),
  listeningRecord: nullable(listeningRecord),
  createdAt: nullable(time),
  changes: list(appChange, { maxItems: 3 }),
});
