/** Keeps who asked for what in audit.log, which only grows and is rotated as daemon.log is. */
import { join } from 'node:path';
import { openLog } from '../../daemon/log.js';
import { AUDIT_LOG } from './show.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export function audit({ home, log }) {
  const file = openLog(join(home, AUDIT_LOG));
  return {
    asked(request) {
      if (request.waits) return;
      const { command, params, ...entry } = request;
      const before = file.lost();
      file[entry.refused ? 'warn' : 'info'](command, { ...params, ...entry });
      const lost = file.lost();
      if (lost && !before) log.error('audit.unwritable', { reason: lost.reason });
    },
  };
}
