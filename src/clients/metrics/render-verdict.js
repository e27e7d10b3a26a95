/** @import { ProbeVerdict, ProbeVerdicts } from '../../protocol/shapes.js' */

/** Apps that are named; an orchestrator shows the first lines of a failed probe. */
const MAX_NAMED = 20;

/** Of a URL in what a program wrote; strangers may read it here. */
const PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/g;

/** @type {Record<keyof ProbeVerdicts, {yes: string, no: string}>} */
const WORDS = {
  live: { yes: 'live', no: 'not live' },
  ready: { yes: 'ready', no: 'not ready' },
  startup: { yes: 'started', no: 'not started yet' },
};

/**
 * @param {keyof ProbeVerdicts} probe
 * @param {ProbeVerdict} verdict
 * @param {string} [accept] of the request; what asks for JSON gets JSON
 * @returns {{text: string, type: string}} text: without a newline at the end
 */
export function renderVerdict(probe, { ok, reasons }, accept = '') {
  const named = reasons.slice(0, MAX_NAMED).map(({ app, reason }) => {
    return { app, reason: reason.replace(PASSWORD, '://********@') };
  });
  if (accept.includes('application/json')) {
    const text = JSON.stringify({ probe, ok, reasons: named });
    return { text, type: 'application/json' };
  }
  const lines = named.map(({ app, reason }) => (app === null ? reason : `${app}: ${reason}`));
  const { yes, no } = WORDS[probe];
  const text = ok ? yes : [no, ...lines].join('\n');
  return { text, type: 'text/plain; charset=utf-8' };
}
