/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { programFamily } from '../protocol/checks.js';
import {
  anything,
  boolean,
  either,
  every,
  json,
  list,
  map,
  nullable,
  number,
  numberOf,
  object,
  oneOf,
  optional,
  orNewer,
  string,
  stringOf,
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

const steps = list(nullable(number), { maxItems: 360 });

const address = stringOf({ maxLength: 4096 });

const answerFigures = object({ requests: number, errors: number, p99Ms: optional(number) });

const fact = orNewer(
  either(
    object({
      kind: oneOf('exit'),
      code: optional(number),
      signal: optional(string),
      stdinEnded: optional(oneOf('empty', 'given')),
    }),
    object({
      kind: oneOf('listen'),
      errno: string,
      address: optional(address),
      port: optional(number),
      holder: optional(string),
    }),
    object({ kind: oneOf('start'), error: string }),
    object({
      kind: oneOf('late'),
      what: oneOf('ready', 'load', 'listen', 'turn', 'continue', 'check', 'exit', 'serve'),
      afterMs: optional(number),
      addresses: optional(list(address)),
      instead: optional(list(address)),
      text: optional(string),
    }),
    object({
      kind: oneOf('hang'),
      ms: number,
      frame: optional(stackFrame),
      graceMs: optional(number),
    }),
    object({ kind: oneOf('loss'), errno: string }),
    object({
      kind: oneOf('channel'),
      what: oneOf('closed', 'invalid', 'long', 'unread'),
      limit: optional(count),
    }),
    object({ kind: oneOf('error'), code: string, text: string }),
    object({ kind: oneOf('reported'), text: string }),
    object({ kind: oneOf('check'), failures: count, text: string }),
    object({ kind: oneOf('limit'), setting: string, value: number }),
    object({ kind: oneOf('waits'), ms: number, isSilent: boolean }),
    object({ kind: oneOf('errors'), count, total: count }),
    object({ kind: oneOf('growth'), bytesPerMinute: number }),
    object({ kind: oneOf('files'), open: count, limit: count }),
    object({ kind: oneOf('left'), processes: list(string) }),
    object({ kind: oneOf('undrained', 'hurried', 'stopped') }),
    object({ kind: oneOf('turn'), of: string }),
    object({ kind: oneOf('dependency'), name: string }),
    object({ kind: oneOf('uptime'), ms: number, listens: optional(boolean) }),
    object({ kind: oneOf('judging'), forMs: number, beside: number }),
    object({
      kind: oneOf('judged'),
      mayFollow: boolean,
      isTimed: boolean,
      own: answerFigures,
      old: answerFigures,
    }),
    object({ kind: oneOf('share'), is5xx: boolean, found: number, total: number, allowed: number }),
    object({ kind: oneOf('slow'), p99Ms: number, allowedMs: number }),
    object({ kind: oneOf('few'), requests: number, old: number }),
    object({ kind: oneOf('superseded', 'unjudged') }),
    object({ kind: oneOf('cores'), count: number }),
    object({ kind: oneOf('busy'), share: number }),
    object({ kind: oneOf('idle'), ms: number }),
    object({ kind: oneOf('memory'), free: number, needed: number }),
    object({ kind: oneOf('skipped'), other: oneOf('waiting', 'beginning', 'running') }),
    object({
      kind: oneOf('repeated'),
      file: string,
      times: number,
      ms: number,
      command: list(string),
    }),
    object({ kind: oneOf('stack'), frames: list(stackFrame), doing: optional(string) }),
    object({ kind: oneOf('spare'), slot: number, pid: optional(pid) }),
  ),
);

const reason = every(
  fact,
  object({
    final: optional(
      either(
        object({ failures: count, windowMs: number, isLonger: boolean }),
        oneOf('autorestart', 'stop_exit_codes'),
      ),
    ),
    replaces: optional(fact),
    takenBack: optional(oneOf(true)),
  }),
);

const slotFailure = object({
  slot: nullable(slot),
  reason,
  stays: optional(oneOf('errored', 'exited', 'unreverted')),
  isOldGone: optional(oneOf(true)),
  cause: optional(nullable(string)),
  lastLines: list(string),
});

const killed = object({ workers: count, afterMs: number, signal: nullable(string) });

const outcome = object({
  ok: boolean,
  done: list(slot),
  failed: list(slotFailure),
  kept: list(slot),
  rolledBack: list(slot),
  longLivedCut: number,
  killed: optional(killed),
  minReady: number,
  durationMs: number,
  notes: optional(
    list(
      object({
        slot,
        note: either(
          object({ kind: oneOf('silent') }),
          object({ kind: oneOf('elsewhere'), ports: list(number), asked: number }),
          object({
            kind: oneOf('below'),
            places: list(object({ address, by: string })),
            isAlone: boolean,
          }),
          object({ kind: oneOf('gone'), addresses: list(address) }),
          object({ kind: oneOf('crashed'), reason }),
        ),
      }),
    ),
  ),
});

const sentSlots = object({ sent: list(slot), failed: list(slot) });

const givenSpec = object({});

const listeningRecord = object({ input: address, addresses: list(address, { maxItems: 20 }) });

const pastExit = object({
  code: nullable(number),
  signal: nullable(string),
  isExcused: optional(boolean),
  reason,
  uptimeMs: number,
  at: time,
  cause: optional(nullable(string)),
  lastLines: list(string),
});

const selection = object({ selectors: list(string) });

const variables = map(
  stringOf({ pattern: /^[^=\0]+$/ }),
  stringOf({ maxLength: 4194304, pattern: /^[^\0]*$/ }),
);

const canaryOrder = object({
  instances: numberOf({ integer: true, minimum: 1 }),
  forMs: numberOf({ minimum: 1, maximum: 86400000 }),
  max5xx: numberOf({ minimum: 0 }),
  maxP99: numberOf({ minimum: 1 }),
});

const savedSpec = object({});

export const primaryResults =
  /** @type {Record<string, ReturnType<typeof object> | undefined>} */ ({
    why: object({
      workers: list(
        object({
          state: stackState,
          frames: list(stackFrame, { maxItems: 50 }),
          note: nullable(string),
          at: time,
          slot,
          pid: nullable(pid),
          generation: count,
          peers: optional(list(string)),
        }),
      ),
    }),
    profile: object({ pid, generation: count }),
    'program-metrics': object({
      families: list(programFamily, { maxItems: 10000 }),
      failure: nullable(string),
    }),
    'past-hour': object({
      at: time,
      everyMs: count,
      workers: list(
        object({
          slot,
          cpu: steps,
          memory: steps,
          elu: steps,
          requestsPerSecond: steps,
          errorsPerSecond: steps,
        }),
        { maxItems: 1000 },
      ),
    }),
    loads: object({
      workers: list(
        object({
          requests: optional(
            object({
              open: count,
              oldestSince: optional(time),
              unansweredSince: optional(time),
              answered: count,
              errors: count,
            }),
          ),
          memoryGrowth: optional(number),
          degraded: optional(oneOf('waits', 'errors', 'files', 'replacement', 'memory', 'unknown')),
          troubleSince: optional(time),
          files: optional(object({ open: count, limit: count })),
          failedReplacement: optional(object({ count, reason })),
          lastError: optional(string),
          pid,
        }),
      ),
    }),
    subscribe: object({ apps: list(string) }),
    start: outcome,
    stop: outcome,
    restart: outcome,
    reload: outcome,
    scale: outcome,
    reset: object({ ok: boolean, done: list(slot), failed: list(slotFailure) }),
    telemetry: object({
      workers: list(
        object({
          pid,
          report: object({
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
            latency: object({ counts: list(number), sumMs: number }),
            lastMinute: list(number),
            slowestMs: number,
          }),
        }),
      ),
    }),
    send: sentSlots,
    signal: sentSlots,
    spec: object({ spec: givenSpec }),
    shutdown: outcome,
  });

export const primaryNotifications = {
  state: object({
    canary: optional(
      object({
        slots: list(slot),
        since: optional(time),
        forMs: number,
        canary: answerFigures,
        old: answerFigures,
      }),
    ),
    spares: optional(
      object({ refused: optional(oneOf('silent', 'udp', 'below')), ready: list(number) }),
    ),
    healthFailsEverywhere: boolean,
    variablesFrom: optional(map(string, string)),
    name: string,
    generation: count,
    mode: oneOf('cluster', 'fork'),
    node: string,
    spec: object({}),
    busy: nullable(string),
    lastReload: nullable(
      object({
        ok: boolean,
        at: time,
        reason: nullable(reason),
        cause: optional(nullable(string)),
        durationMs: number,
        generation: count,
        done: list(slot),
        kept: list(slot),
        rolledBack: list(slot),
      }),
    ),
    lastReplacement: nullable(object({ slot, at: time, reason })),
    reloads: object({ ok: count, failed: count, rolledBack: count }),
    logDroppedBytes: number,
    logDropReason: nullable(string),
    connectionsGivenUp: count,
    listeningRecord: nullable(listeningRecord),
    slots: list(
      object({
        health: optional(
          object({
            status: oneOf('starting', 'healthy', 'unhealthy'),
            failures: count,
            reason: optional(string),
            failingSince: optional(time),
          }),
        ),
        slot,
        status: oneOf(
          'starting',
          'online',
          'draining',
          'stopping',
          'stopped',
          'backoff',
          'errored',
          'exited',
          'spare',
          'blocked',
        ),
        pid: nullable(pid),
        beside: list(pid),
        isReady: boolean,
        emptiesFirst: optional(boolean),
        generation: count,
        restarts: count,
        startedMs: nullable(number),
        reason: nullable(reason),
        retryAtMs: nullable(number),
        blockedSinceMs: nullable(number),
        stack: nullable(
          object({
            state: stackState,
            frames: list(stackFrame, { maxItems: 50 }),
            note: nullable(string),
            at: time,
          }),
        ),
        listening: list(
          object({ address, protocol: nullable(oneOf('http', 'https')), by: optional(string) }),
          { maxItems: 1000 },
        ),
        lastExit: nullable(pastExit),
        earlierExits: list(pastExit),
      }),
      { maxItems: 1000 },
    ),
    retiring: list(pid),
  }),
  event: object({
    slot: optional(slot),
    pid: optional(nullable(pid)),
    generation: optional(count),
    reason: optional(nullable(reason)),
    after: optional(reason),
    code: optional(nullable(number)),
    signal: optional(nullable(string)),
    cut: optional(number),
    killed: optional(killed),
    type: string,
    at: time,
    seq: optional(count),
    again: optional(boolean),
    lastLines: optional(list(string)),
    cause: optional(string),
    durationMs: optional(number),
    name: optional(string),
    data: optional(json(131072)),
    dropped: optional(count),
    app: string,
  }),
  left: object({ app: string }),
  progress: object({
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
    reason: optional(nullable(reason)),
    after: optional(reason),
    code: optional(nullable(number)),
    signal: optional(nullable(string)),
    cut: optional(number),
    killed: optional(killed),
  }),
};

export const daemonParams = /** @type {Record<string, ReturnType<typeof object> | undefined>} */ ({
  'run-now': object({ selectors: list(string), untilEnd: optional(boolean) }),
  why: selection,
  profile: object({
    selector: string,
    kind: oneOf('cpu', 'heap'),
    durationMs: optional(numberOf({ integer: true, minimum: 0, maximum: 3600000 })),
  }),
  'end-profile': object({ app: string, kind: oneOf('cpu', 'heap'), pid, isWanted: boolean }),
  list: object({
    selectors: optional(list(string)),
    fields: optional(
      list(oneOf('usage', 'vitals', 'counters', 'details', 'programMetrics', 'pastHour')),
    ),
    showSecrets: optional(boolean),
  }),
  start: object({ specs: list(givenSpec), shellEnv: optional(variables) }),
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
    dropEnv: optional(list(string)),
    dryRun: optional(boolean),
  }),
  resume: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    shellEnv: optional(variables),
  }),
  stop: selection,
  restart: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    shellEnv: optional(variables),
  }),
  reload: object({
    selectors: list(string),
    updateEnv: optional(nullable(variables)),
    shellEnv: optional(variables),
    canary: optional(canaryOrder),
    parallel: optional(numberOf({ integer: true, minimum: 1 })),
    onFailure: optional(oneOf('keep', 'rollback')),
  }),
  delete: selection,
  scale: object({ selector: string, instances: either(number, string) }),
  reset: selection,
  env: object({ selectors: list(string), showSecrets: optional(boolean) }),
  rename: object({ app: string, name: string }),
  flush: selection,
  'log-files': selection,
  events: object({ selectors: optional(list(string)), since: optional(number) }),
  send: object({ selectors: list(string), message: anything }),
  signal: object({ selectors: list(string), signal: string }),
  input: object({ selectors: list(string), text: stringOf({ maxLength: 65536 }) }),
});

export const desiredApp = object({
  spec: savedSpec,
  generation: count,
  stopped: boolean,
  waitsFor: nullable(list(string, { maxItems: 1000 })),
  killed: boolean,
  deleting: boolean,
  slots: list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true }),
  stoppedSlots: list(slot, { maxItems: 1000, uniqueItems: true }),
  ids: map(stringOf({ pattern: /^\d+$/ }), count),
  rollout: nullable(
    object({
      spec: savedSpec,
      generation: count,
      resizeTo: optional(list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true })),
    }),
  ),
  listeningRecord: nullable(listeningRecord),
  createdAt: nullable(time),
  primary: nullable(count),
  successor: nullable(count),
  changes: list(
    object({
      at: time,
      action: stringOf({ maxLength: 64 }),
      by: nullable(
        object({
          role: stringOf({ maxLength: 64 }),
          user: nullable(stringOf({ maxLength: 64 })),
          file: optional(stringOf({ maxLength: 4096 })),
        }),
      ),
      generation: count,
      isApplied: boolean,
      differences: list(object({ key: string, from: anything, to: anything }), { maxItems: 20 }),
      omitted: count,
    }),
    { maxItems: 5 },
  ),
});
