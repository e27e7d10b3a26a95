/** Runs a program that writes as fast as it can and then exits, and compares its output with the log. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listRotated } from '../../src/shared/log-files/rotated-files.js';
import { app } from '../../test/support/home.js';
import { isRunning } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';
import { cpuMs } from '../processes.js';
import { findLines } from './read-back.js';

/** @import { Runner } from './runners.js' */

const QUIET_MS = 1500;
const LONG_MS = 30 * 60_000;

/**
 * @param {Runner} runner
 * @param {{workers: number, lines: number, lineBytes: number, then: string, nodeArgs?: string[]}} flood
 */
export async function flooded(runner, { workers, lines, lineBytes, then, nodeArgs = [] }) {
  const directory = mkdtempSync(path.join(tmpdir(), 'flood-'));
  const env = { FLOOD: directory, LINES: String(lines), LINE_BYTES: String(lineBytes), THEN: then };
  const running = await runner({
    script: app('floods-log.cjs'),
    workers,
    env,
    nodeArgs,
    directory,
  });
  try {
    const cpuBefore = cpuSeconds(running.logger);
    const begun = Date.now();
    writeFileSync(path.join(directory, 'go'), '');
    await until(() => running.pids.every((pid) => !isRunning(pid)), 'the workers to exit', LONG_MS);
    const endedMs = (await quietSince(running.logs.out)) - begun;
    const notes = Array.from({ length: workers }, (_, slot) => noteOf(directory, slot));
    const written = notes.reduce((sum, note) => sum + note.lines, 0);
    const cpu = cpuSeconds(running.logger) - cpuBefore;
    const peakMegabytes = peakOf(running.logger);
    await running.stop();
    const found = await findLines(running.logs.out, { lineBytes, read: running.read });
    const error = existsSync(running.logs.error) ? readFileSync(running.logs.error, 'utf8') : '';
    const workerPeakMegabytes = Math.max(...notes.map(({ maxRSS }) => maxRSS)) / 1024;
    return { written, ...found, endedMs, cpu, peakMegabytes, workerPeakMegabytes, error };
  } finally {
    await running.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * @param {string} directory
 * @param {number} slot
 * @returns {{lines: number, maxRSS: number}}
 */
function noteOf(directory, slot) {
  const file = path.join(directory, `written-${slot}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { lines: 0, maxRSS: 0 };
}

/**
 * @param {string} log
 * @returns {Promise<number>} epoch ms at which the last byte came, some time ago
 */
async function quietSince(log) {
  let last = { bytes: -1, at: Date.now() };
  await until(
    async () => {
      const { size } = statSync(log);
      const state = `${size} ${(await listRotated(log)).length}`;
      const bytes = Number(state.replace(' ', '.'));
      if (bytes !== last.bytes) last = { bytes, at: Date.now() };
      return Date.now() - last.at > QUIET_MS;
    },
    'the log to be quiet',
    LONG_MS,
  );
  return last.at;
}

/** @param {number | null} pid */
function cpuSeconds(pid) {
  return pid === null ? 0 : cpuMs(pid).own / 1000;
}

/** @param {number | null} pid */
function peakOf(pid) {
  if (pid === null) return 0;
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
