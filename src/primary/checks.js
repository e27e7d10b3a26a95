/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import {
  anything,
  boolean,
  either,
  list,
  map,
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

const socketName = stringOf({ pattern: /^[\w-]{1,40}\.sock$/ });

const count = numberOf({ integer: true, minimum: 0 });

const pid = numberOf({ integer: true, minimum: 1 });

const instanceRange = object({
  min: numberOf({ integer: true }),
  max: numberOf({ integer: true }),
  elu: number,
  cooldownMs: number,
});

const variableName = stringOf({ pattern: /^[^=\0]+$/ });

const variableValue = stringOf({ maxLength: 4194304, pattern: /^[^\0]*$/ });

const completeSpec = object({
  name: string,
  script: string,
  args: list(string),
  cwd: string,
  instances: either(numberOf({ integer: true }), instanceRange),
  execMode: oneOf('cluster', 'fork'),
  env: map(variableName, variableValue),
  shellEnv: map(variableName, variableValue),
  maxSurge: numberOf({ integer: true, minimum: 0 }),
});

const canaryOrder = object({
  instances: numberOf({ integer: true, minimum: 1 }),
  forMs: numberOf({ minimum: 1, maximum: 86400000 }),
  max5xx: numberOf({ minimum: 0 }),
  maxP99: numberOf({ minimum: 1 }),
  minRequests: optional(count),
});

const hostedApp = object({ launch: string, sockets: numberOf({ integer: true, minimum: 0 }) });

export const primaryParams = {
  'end-trial': object({}),
  why: slotSelection,
  profile: object({
    slot,
    socket: socketName,
    kind: oneOf('cpu', 'heap'),
    durationMs: optional(numberOf({ integer: true, minimum: 0, maximum: 3600000 })),
  }),
  'program-metrics': object({}),
  loads: object({}),
  subscribe: object({
    after: optional(count),
    isManaged: optional(boolean),
    daemon: optional(object({ execPath: string, script: string })),
    pid: optional(pid),
  }),
  ping: object({}),
  bye: object({}),
  start: slotSelection,
  stop: slotSelection,
  restart: object({
    slots: optional(list(slot)),
    spec: optional(completeSpec),
    generation: optional(count),
  }),
  reload: object({
    slots: optional(list(slot)),
    canary: optional(canaryOrder),
    parallel: optional(numberOf({ integer: true, minimum: 1 })),
    onFailure: optional(oneOf('keep', 'rollback')),
    spec: optional(completeSpec),
    generation: optional(count),
  }),
  scale: object({ slots: list(slot), spec: completeSpec }),
  reset: slotSelection,
  telemetry: object({ leaseMs: number }),
  'loop-times': object({}),
  'forward-program-events': object({ enabled: boolean }),
  send: object({ slots: optional(list(slot)), message: anything }),
  signal: object({ slots: optional(list(slot)), signal: string }),
  configure: object({ spec: completeSpec }),
  spec: object({}),
  'reopen-logs': object({}),
  'flush-logs': object({}),
  retire: object({}),
  hurry: object({ kill: optional(boolean) }),
  abandon: object({}),
  host: hostedApp,
  shutdown: object({ areSocketsHeld: optional(boolean) }),
};
