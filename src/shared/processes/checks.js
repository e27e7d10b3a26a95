/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { boolean, integer, object, string } from '../checks.js';

export const primaryRecord = object(
  { pid: integer({ minimum: 1 }), startTime: string(), bootId: string(), socket: string() },
  { uid: integer({ minimum: 0 }) },
);

export const recordedWorker = object(
  {
    pid: integer({ minimum: 1 }),
    startTime: string(),
    bootId: string(),
    slot: integer({ minimum: 0 }),
    generation: integer({ minimum: 0 }),
    mark: string(),
    ownsGroup: boolean,
  },
  { uid: integer({ minimum: 0 }) },
);
