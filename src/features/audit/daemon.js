/** Keeps who asked for what in audit.log, which only grows and is rotated as daemon.log is. */
import { join } from 'node:path';
import { openLog } from '../../daemon/log.js';
import { AUDIT_LOG } from './file.js';

/** @import { Asked, MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export function audit({ paths, log }) {
  const file = openLog(join(paths.home, AUDIT_LOG));
  /** What is refused later has the number of its entry. @type {WeakMap<Asked, number>} */
  const numbers = new WeakMap();
  let count = 0;
  return {
    asked(request) {
      numbers.set(request, (count += 1));
      keep('info', request);
    },
    refused: (request, code) => keep('warn', request, { refused: code }),
    methods: { 'audit-lost': { query: async () => ({ lost: file.lost() }) } },
  };

  /** @param {'info' | 'warn'} level @param {Asked} request @param {{refused?: string}} [more] */
  function keep(level, request, more) {
    const { command, by, apps, params } = request;
    const before = file.lost();
    file[level](command, { number: numbers.get(request), ...more, by, apps, ...params });
    const lost = file.lost();
    if (lost && !before) log.error('audit.unwritable', { reason: lost.reason });
  }
}
