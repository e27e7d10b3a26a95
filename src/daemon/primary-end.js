/** The end of a primary that was asked to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../shared/process-identity.js';

const FAREWELL_MS = 5000;

/** ms between two looks whether it lives. */
const LOOK_MS = 20;

/**
 * Waits until the primary is gone, and kills it when it is not gone in time.
 * @param {import('./primary-record.js').PrimaryRecord} record
 * @param {import('./log.js').Log} log
 */
export async function seeOff(record, log) {
  if (await hasEnded(record)) return;
  log(`killing the primary ${record.pid}`);
  kill(record.pid);
  await hasEnded(record);
}

/** @param {import('../shared/process-identity.js').ProcessIdentity} identity */
async function hasEnded(identity) {
  const deadline = Date.now() + FAREWELL_MS;
  while (isAlive(identity) && Date.now() < deadline) await sleep(LOOK_MS);
  return !isAlive(identity);
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}
