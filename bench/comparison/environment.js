/** Where figures come from, in general words: what changes them and no more. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type } from 'node:os';
import { installedVersion } from './installed.js';

/** @import { Environment } from './types.js' */

const MANIFEST = new URL('../../package.json', import.meta.url);

/** @returns {Environment} */
export function environment() {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    system: `${type()} ${release().split('-')[0]}`,
    versions: {
      nodecluster: JSON.parse(readFileSync(MANIFEST, 'utf8')).version,
      PM2: installedVersion('pm2') ?? 'not installed',
      Watt: installedVersion('wattpm') ?? 'not installed',
      loadtest: installedVersion('loadtest') ?? 'not installed',
      'Apache Bench': said('ab', ['-V'], /Version ([\d.]+)/),
      siege: said('siege', ['-V'], /SIEGE ([\d.]+)/),
    },
  };
}

/** @param {string} command @param {string[]} args @param {RegExp} pattern */
function said(command, args, pattern) {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) return 'not installed';
  return pattern.exec(stdout + stderr)?.[1] ?? 'installed';
}
