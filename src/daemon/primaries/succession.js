/**
 * The second primary of an app that `update --apps` starts beside the first: it takes the place of the
 * first when that has exited, whether a daemon runs then or not.
 */
import { poll } from '../../shared/deadline.js';
import { isAlive } from '../../shared/processes/identity.js';
import { readLiveRecord } from '../../shared/processes/primary-record.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { requestOnce } from './connection.js';
import { killPrimary } from './shutdown.js';

/** @import { PrimaryLink } from './link.js' */

/** For a primary to notice that its predecessor has exited. */
const NOTICE = { timeoutMs: 10_000, everyMs: 10 };

export class Succession {
  #first;
  #recordFile;
  /** Leads to the second primary while this daemon replaces the first. @type {PrimaryLink | null} */
  second = null;

  /** @param {PrimaryLink} first @param {() => string} recordFile of the second primary */
  constructor(first, recordFile) {
    this.#first = first;
    this.#recordFile = recordFile;
  }

  /** Whether a second primary waits, perhaps that of an earlier daemon. */
  get isPending() {
    return this.#record !== null;
  }

  /** @returns {Promise<unknown>} when the second primary has taken the place of the first, which has exited */
  whenDone() {
    return poll(() => !this.isPending, NOTICE);
  }

  /** Otherwise the second primary would serve as soon as the first has exited. @param {number} timeoutMs */
  async end(timeoutMs) {
    if (this.second) return this.second.shutdown({ timeoutMs });
    // A daemon that was killed in the middle of `update --apps` has launched it.
    const record = this.#record;
    if (record === null) return;
    // It may be the primary of other apps too.
    if (record.shares && (await requestOnce(record, 'abandon', {})) === 'done') return;
    sendSignal(record.pid, 'SIGTERM');
    await poll(() => !isAlive(record), { timeoutMs, everyMs: NOTICE.everyMs });
    if (isAlive(record)) killPrimary(record);
  }

  get #record() {
    const record = readLiveRecord(this.#recordFile());
    return record?.pid === this.#first.pid ? null : record;
  }
}
