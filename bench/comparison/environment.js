/** Where figures come from, in general words: what changes them and no more. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type } from 'node:os';
import { installedVersion } from '../installed.js';

/** @import { Environment } from './types.js' */

const MANIFEST = new URL('../../package.json', import.meta.url);

/** @param {Record<string, string>} [known] versions of an earlier run, which had what is not installed now @returns {Environment} */
export function environment(known) {
  const versions = Object.entries({
    nodecluster: JSON.parse(readFileSync(MANIFEST, 'utf8')).version,
    PM2: installedVersion('pm2'),
    Watt: installedVersion('wattpm'),
    'Apache Bench': said('ab', ['-V'], /Version ([\d.]+)/),
  });
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    system: `${type()} ${release().split('-')[0]}`,
    versions: { ...known, ...Object.fromEntries(versions.filter(([, version]) => version)) },
  };
}

/** @param {string} command @param {string[]} args @param {RegExp} pattern */
function said(command, args, pattern) {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) return null;
  return pattern.exec(stdout + stderr)?.[1] ?? 'installed';
}
