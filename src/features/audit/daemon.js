/** Keeps who asked for what in audit.log, which only grows and is rotated as daemon.log is. */
import { join } from 'node:path';
import { openLog } from '../../daemon/log.js';
import { AUDIT_LOG } from './file.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export function audit({ paths }) {
  const log = openLog(join(paths.home, AUDIT_LOG));
  return {
    asked: ({ method, by, params }) => log.info(method, { by, ...params }),
    refused: ({ method, by, code }) => log.warn(method, { by, refused: code }),
  };
}
