/** Carries out one health check of one worker. */
import { excerpt } from '../../../shared/processes/excerpt.js';
import { checkByCommand } from './exec-check.js';
import { askOverNetwork } from './over-network.js';
import { isHealthyStatus, targetOf } from './target.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { HealthReply } from '../../../primary/worker/agent-link.js'
 * @import { WorkerHandle } from '../../../primary/worker/handle.js'
 * @import { Target } from './target.js'
 */

/**
 * @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark' | 'agent' | 'listening'>} Checked
 */

/**
 * @param {Checked} worker
 * @param {NonNullable<Spec['health']>} rule
 * @param {AbortSignal} ended the worker needs no check any more
 * @returns {Promise<string | null>} why it failed; null: it succeeded; never rejects
 */
export async function runCheck(worker, { http, exec, timeoutMs }, ended) {
  try {
    if (exec !== null) return await checkByCommand(exec, worker, timeoutMs, ended);
    const target = targetOf(/** @type {string} */ (http));
    const failure = failureOf(await ask(worker, target, timeoutMs), timeoutMs);
    return failure === null ? null : `GET ${target.url?.href ?? target.path}: ${failure}`;
  } catch (error) {
    return String(error);
  }
}

/** @param {Checked} worker @param {Target} target @param {number} timeoutMs */
function ask({ agent, listening }, { path, host, port, url }, timeoutMs) {
  if (agent) return agent.checkHealth({ path, host, port, timeoutMs });
  return askOverNetwork({ path, host, port, url }, listening.values(), timeoutMs);
}

/** @param {HealthReply | null} reply @param {number} timeoutMs @returns {string | null} */
function failureOf(reply, timeoutMs) {
  const within = `within ${timeoutMs / 1000} s`;
  if (reply === null) return `no reply ${within}, its event loop is blocked`;
  if ('error' in reply) {
    if (reply.error === 'timeout') return `no response ${within}`;
    if (reply.error === 'closed') return 'the connection was closed without a response';
    return excerpt(String(reply.error));
  }
  const { status, body } = reply;
  if (isHealthyStatus(Number(status))) return null;
  return [String(Number(status)), excerpt(String(body ?? ''))].filter(Boolean).join(' ');
}
