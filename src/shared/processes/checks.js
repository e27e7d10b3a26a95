/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { boolean, numberOf, object, optional, string } from '../checks.js';

export const primaryRecord = object({
  pid: numberOf({ integer: true, minimum: 1 }),
  startTime: string,
  bootId: string,
  uid: optional(numberOf({ integer: true, minimum: 0 })),
  socket: string,
});

export const recordedWorker = object({
  pid: numberOf({ integer: true, minimum: 1 }),
  startTime: string,
  bootId: string,
  uid: optional(numberOf({ integer: true, minimum: 0 })),
  mark: string,
  ownsGroup: boolean,
});
