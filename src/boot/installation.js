/** Which init system this machine has, and what it needs to run a service. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { launchd } from './launchd.js';
import { openrc } from './openrc.js';
import { systemd } from './systemd.js';

/** @import { Installation, Service } from './service.js' */

/** @typedef {'systemd' | 'launchd' | 'openrc'} InitSystem */

/** @type {readonly InitSystem[]} */
export const initSystems = ['systemd', 'launchd', 'openrc'];

/** @returns {InitSystem | null} null: none that is known here */
export function findInitSystem() {
  if (process.platform === 'darwin') return 'launchd';
  // As sd_booted(3) and OpenRC tell.
  if (existsSync('/run/systemd/system')) return 'systemd';
  return existsSync('/run/openrc') ? 'openrc' : null;
}

/**
 * @param {InitSystem} initSystem
 * @param {Service} service
 * @param {object} user
 * @param {number} user.uid
 * @param {string} user.configHome where the user's own units are
 * @param {string} user.userHome
 * @returns {Installation}
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
