/** Which init system this machine has, and what it needs to run a service. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { launchd } from './launchd.js';
import { openrc } from './openrc.js';
import { systemd } from './systemd.js';

/** @import { Installation, Service } from './service.js' */

/** @typedef {'systemd' | 'launchd' | 'openrc'} InitSystem */

/** What exists where it runs, as sd_booted(3) and OpenRC tell. @type {Record<InitSystem, string>} */
const MARKS = { systemd: '/run/systemd/system', launchd: '/bin/launchctl', openrc: '/run/openrc' };

export const initSystems = /** @type {InitSystem[]} */ (Object.keys(MARKS));

/** @param {InitSystem} initSystem @returns {boolean} whether this machine runs it */
export function runsHere(initSystem) {
  return existsSync(MARKS[initSystem]);
}

/**
 * @param {InitSystem} initSystem
 * @param {Service} service
 * @param {{uid: number, configHome: string, userHome: string}} user
 */
export function installationOf(initSystem, service, { uid, configHome, userHome }) {
  const isSystem = service.scope === 'system';
  if (initSystem === 'systemd') {
    const own = path.join(configHome, 'systemd', 'user');
    return systemd(service, isSystem ? '/etc/systemd/system' : own);
  }
  if (initSystem === 'openrc') return openrc(service, '/etc/init.d');
  const own = path.join(userHome, 'Library', 'LaunchAgents');
  return launchd(service, isSystem ? '/Library/LaunchDaemons' : own, uid);
}
