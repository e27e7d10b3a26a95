/** Keys of PM2 that nodecluster does not have and that no option stands for, with the closest equivalent. */

/** @import { Pm2Name } from './option.js' */

const GIT = 'nodecluster does not inspect repositories';
const TELEMETRY = 'nodecluster does not send metrics anywhere';

/** @type {Pm2Name[]} */
export const pm2Keys = [
  { keys: ['autostart'], advice: 'all apps are started; select some with --only' },
  { keys: ['force'], note: 'the same script can be started twice under two names' },
  { keys: ['vizion'], note: GIT },
  { keys: ['post_update', 'install_url', 'ref', 'repo'], advice: GIT },
  { keys: ['pmx', 'automation', 'disable_trace', 'io', 'instance_id', 'pm_id'], note: TELEMETRY },
  { keys: ['trace', 'v8', 'event_loop_inspector', 'deep_monitoring'], advice: TELEMETRY },
  { keys: ['windows_hide'], note: 'it is for Windows' },
  { keys: ['write'], note: '`nodecluster init` writes an ecosystem file' },
];

/** Top-level sections of a file. */
export const pm2Sections = new Map([
  ['deploy', 'copy releases with another tool, point a `current` link at the new one, and reload'],
  ['static', 'use `nodecluster serve <directory> <port>`'],
]);

/**
 * @param {Pm2Name} name of a key
 * @param {unknown} value
 * @returns {boolean} whether the app runs the same without it
 */
export function changesNothing({ keys, note }, value) {
  const isEmpty =
    typeof value === 'object'
      ? Object.keys(value ?? {}).length === 0
      : [undefined, ''].includes(/** @type {any} */ (value));
  const byDefault = keys?.[0] === 'autostart';
  return note !== undefined || isEmpty || value === byDefault;
}
