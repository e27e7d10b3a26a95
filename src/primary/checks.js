/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import {
  anything,
  boolean,
  either,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  string,
} from '../shared/checks.js';

const slot = integer({ minimum: 0, maximum: 9999 });

const slotSelection = object({}, { slots: list(slot) });

const socketName = string({ pattern: /^[\w-]{1,40}\.sock$/ });

const count = integer({ minimum: 0 });

const pid = integer({ minimum: 1 });

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

export const requestParams = {
  'end-trial': object({}),
  why: slotSelection,
  profile: object(
    { slot: slot, socket: socketName, kind: oneOf('cpu', 'heap') },
    { durationMs: integer({ minimum: 0, maximum: 3600000 }) },
  ),
  'program-metrics': object({}),
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
