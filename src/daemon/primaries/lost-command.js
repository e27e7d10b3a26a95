/**
 * A command whose connection to the primary breaks while it is carried out. The primary goes on with it, so
 * what became of it is what the primary reports when it has been found again.
 */
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { endOf, isJudged } from './connection/end-of-command.js';

/**
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { PrimaryLink } from './link.js'
 */

const POLL_MS = 20;

/**
 * @template {keyof PrimaryMethods} K
 * @param {PrimaryLink} link
 * @param {K} method
 * @param {PrimaryMethods[K]['params'] & {slots?: number[], generation?: number}} params
 * @param {{report?: ReportProgress, timeoutMs: number}} options
 * @returns {Promise<PrimaryMethods[K]['result']>}
 * @throws {NodeclusterError} E_PRIMARY_LOST, and what the link throws
 */
export async function requestThroughLoss(link, method, params, options) {
  const before = link.snapshot;
  try {
    return await link.request(method, params, options);
  } catch (thrown) {
    const { code, data } = NodeclusterError.from(thrown);
    if (code !== 'E_PRIMARY_LOST') throw thrown;
    const isOver = () =>
      link.state !== 'unknown' && (!isJudged(method) || link.state === 'none' || isIdle(link));
    await poll(isOver, { timeoutMs: options.timeoutMs, everyMs: POLL_MS });
    link.refuseUnknown();
    if (link.state === 'none') throw new NodeclusterError('E_PRIMARY_GONE', data, thrown);
    const ended = link.snapshot && isIdle(link) && endOf(method, params, before, link.snapshot);
    if (!ended) throw thrown;
    return /** @type {PrimaryMethods[K]['result']} */ (ended);
  }
}

/** @param {PrimaryLink} link to a primary that answers */
function isIdle({ snapshot }) {
  return snapshot?.busy === null;
}
