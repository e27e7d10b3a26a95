/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { recordedWorker } from '../shared/processes/checks.js';
import {
  anything,
  boolean,
  either,
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
} from '../shared/checks.js';

const slot = numberOf({ integer: true, minimum: 0, maximum: 9999 });

const slotSelection = object({ slots: optional(list(slot)) });

const count = numberOf({ integer: true, minimum: 0 });

const completeSpec = object({
  name: string,
  script: string,
  cwd: string,
  instances: either(
    numberOf({ integer: true }),
    object({
      min: numberOf({ integer: true }),
      max: numberOf({ integer: true }),
      elu: number,
      cooldownMs: number,
    }),
  ),
  execMode: oneOf('cluster', 'fork'),
  maxSurge: numberOf({ integer: true, minimum: 0 }),
});

const address = stringOf({ maxLength: 4096 });

const earlierWorkers = nullable(either(list(recordedWorker), oneOf('unknown')));

export const primaryParams = /** @type {Record<string, ReturnType<typeof object> | undefined>} */ ({
  why: slotSelection,
  profile: object({
    slot,
    kind: oneOf('cpu', 'heap'),
    durationMs: optional(numberOf({ integer: true, minimum: 0, maximum: 3600000 })),
  }),
  'end-profile': object({
    kind: oneOf('cpu', 'heap'),
    pid: numberOf({ integer: true, minimum: 1 }),
    isWanted: boolean,
  }),
  'past-hour': object({ every: count }),
  subscribe: object({
    after: optional(map(string, count)),
    isManaged: optional(boolean),
    daemon: optional(object({ execPath: string, script: string })),
  }),
  host: object({
    spec: completeSpec,
    generation: count,
    slots: list(slot, { minItems: 1, maxItems: 1000, uniqueItems: true }),
    stoppedSlots: list(slot),
    listeningRecord: nullable(
      object({ input: address, addresses: list(address, { maxItems: 20 }) }),
    ),
    isSecond: boolean,
    previous: earlierWorkers,
    sockets: numberOf({ integer: true, minimum: 0 }),
  }),
  serve: object({ previous: earlierWorkers }),
  start: slotSelection,
  stop: slotSelection,
  restart: object({
    slots: optional(list(slot)),
    spec: optional(completeSpec),
    generation: optional(count),
  }),
  reload: object({
    slots: optional(list(slot)),
    canary: optional(
      object({
        instances: numberOf({ integer: true, minimum: 1 }),
        forMs: numberOf({ minimum: 1, maximum: 86400000 }),
        max5xx: numberOf({ minimum: 0 }),
        maxP99: numberOf({ minimum: 1 }),
      }),
    ),
    parallel: optional(numberOf({ integer: true, minimum: 1 })),
    onFailure: optional(oneOf('keep', 'rollback')),
    spec: optional(completeSpec),
    generation: optional(count),
  }),
  scale: object({ slots: list(slot), spec: completeSpec }),
  reset: slotSelection,
  telemetry: object({ leaseMs: number }),
  send: object({ slots: optional(list(slot)), message: anything }),
  signal: object({ slots: optional(list(slot)), signal: string }),
  input: object({ slot, text: stringOf({ maxLength: 65536 }) }),
  hurry: object({ kill: optional(boolean) }),
  shutdown: object({ goesOn: optional(oneOf('later', 'elsewhere')) }),
});
