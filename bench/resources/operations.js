/** Commands and crashes, on the app `web`. */

/**
 * @typedef {object} Seen
 * @property {{pid: number}} daemon
 * @property {any[]} apps as `ls --json` shows them
 *
 * @typedef {object} Operation
 * @property {string} name
 * @property {string[]} [command] else a crash
 * @property {(seen: Seen) => number} [victim] the pid that is killed
 * @property {(before: Seen, now: Seen) => boolean} [isDone] missing: the command changes nothing
 * @property {true} [endsAll]
 */

/** @param {Seen} seen @param {string} [name] */
export const appOf = ({ apps }, name = 'web') => apps.find((app) => app.name === name);

/** @param {Seen} seen */
const workerPid = (seen) => appOf(seen)?.workers[0]?.pid;
/** @param {Seen} seen @param {string} [name] */
const isOnline = (seen, name) => appOf(seen, name)?.status === 'online';

/** @type {Operation[]} */
const CRASHES = [
  {
    name: 'a worker is killed',
    victim: (seen) => workerPid(seen),
    isDone: (before, now) => isOnline(now) && workerPid(now) !== workerPid(before),
  },
  {
    name: 'the daemon is killed',
    victim: ({ daemon }) => daemon.pid,
    isDone: (before, now) => isOnline(now) && now.daemon.pid !== before.daemon.pid,
  },
  {
    name: 'a primary is killed',
    victim: (seen) => appOf(seen).primaryPid,
    isDone: (before, now) => isOnline(now) && appOf(now).primaryPid !== appOf(before).primaryPid,
  },
];

/**
 * @param {string} script of an app to start
 * @returns {Operation[]}
 */
export function operationsOn(script) {
  return [
    { name: '`ls`', command: ['ls'] },
    { name: '`logs`', command: ['logs', 'web', '--no-follow'] },
    {
      name: '`start` of a new app',
      command: ['start', script, '--name', 'new'],
      isDone: (_, now) => isOnline(now, 'new'),
    },
    {
      name: '`reload`',
      command: ['reload', 'web'],
      isDone: (before, now) => isOnline(now) && workerPid(now) !== workerPid(before),
    },
    {
      name: '`scale` to more',
      command: ['scale', 'web', '2'],
      isDone: (_, now) => isOnline(now) && appOf(now).workers.length === 2,
    },
    {
      name: '`stop`',
      command: ['stop', 'web'],
      isDone: (_, now) => appOf(now)?.status === 'stopped',
    },
    { name: '`delete`', command: ['delete', 'web'], isDone: (_, now) => !appOf(now) },
    { name: '`save`', command: ['save'] },
    { name: '`kill`', command: ['kill'], endsAll: true },
    ...CRASHES,
  ];
}
