/** What workers did in the last hour, as records of their apps at that time. */

/** @import { App, Worker } from '../protocol/shapes.js' */

/** What has to be asked for. @type {['pastHour']} */
export const PAST_FIELDS = ['pastHour'];
/** Between two records. */
export const STEP_MS = 10_000;
export const HOUR_MS = 3600_000;
const MINUTE_MS = 60_000;

/** @param {readonly App[]} apps with what was asked for @returns {{at: number, apps: App[]}[]} the oldest first, from when something is known */
export function pastFrames(apps) {
  const last = Math.max(...apps.map(({ pastHour }) => pastHour?.at ?? 0));
  const frames = Array.from({ length: HOUR_MS / STEP_MS }, (_, index) => {
    const at = last - HOUR_MS + (index + 1) * STEP_MS;
    return { at, apps: apps.map((app) => ({ ...app, workers: workersAt(app, at) })) };
  });
  const first = frames.findIndex((frame) =>
    frame.apps.some(({ workers }) => workers.some(({ status }) => status === 'online')),
  );
  return first < 0 ? [] : frames.slice(first);
}

/** @param {App} app @param {number} at epoch ms */
function workersAt({ pastHour, workers: current }, at) {
  const { everyMs = STEP_MS, workers: all = [] } = pastHour ?? {};
  // The steps of another primary may end some seconds earlier.
  const back = Math.max(0, Math.round(((pastHour?.at ?? at) - at) / everyMs));
  const known = all.flatMap(({ slot, errorsPerSecond, ...figures }) => {
    const end = errorsPerSecond.length - back;
    if (end < 1 || errorsPerSecond[end - 1] === null) return [];
    const entries = Object.entries(figures).map(([key, values]) => [key, values[end - 1]]);
    const minute = errorsPerSecond.slice(Math.max(0, end - Math.ceil(MINUTE_MS / everyMs)), end);
    const perSecond = minute.map(Number).reduce((sum, value) => sum + value, 0);
    const requests = { errors: Math.round((perSecond * everyMs) / 1000) };
    return { slot, status: 'online', restarts: 0, requests, ...Object.fromEntries(entries) };
  });
  const others = current
    .filter(({ slot }) => known.every((each) => each.slot !== slot))
    .map(({ slot }) => ({ slot, status: 'stopped', restarts: 0 }));
  return /** @type {Worker[]} */ ([...known, ...others]);
}
