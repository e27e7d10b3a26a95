/** Apache Bench. Its figures are named as in all loads: times in milliseconds. */
import { numberIn, runTool } from './tool.js';

/** @import { Load } from './tool.js' */

/** So many that the time always ends the run. */
const REQUESTS = 100_000_000;
const GRACE_MS = 60_000;

/** @param {{clients: number, keepsConnections?: boolean}} options @returns {Load} */
export function ab({ clients, keepsConnections = false }) {
  return async (url, seconds) => {
    const args = ['-q', '-l', '-c', `${clients}`, '-t', `${seconds}`, '-n', `${REQUESTS}`];
    if (keepsConnections) args.push('-k');
    const target = new URL(url).pathname === '/' && !url.endsWith('/') ? `${url}/` : url;
    const timeoutMs = seconds * 1000 + GRACE_MS;
    const install = 'apache2-utils in Debian';
    const text = await runTool('ab', [...args, target], { install, timeoutMs });
    return {
      requests: numberIn(text, /^Complete requests:\s+(\d+)/m),
      perSecond: numberIn(text, /^Requests per second:\s+([\d.]+)/m),
      meanMs: numberIn(text, /^Time per request:\s+([\d.]+) \[ms\] \(mean\)/m),
      p99Ms: numberIn(text, /^\s*99%\s+(\d+)/m),
      longestMs: numberIn(text, /^\s*100%\s+(\d+)/m),
      failed:
        numberIn(text, /^Failed requests:\s+(\d+)/m) +
        (numberIn(text, /^Non-2xx responses:\s+(\d+)/m) || 0),
    };
  };
}
