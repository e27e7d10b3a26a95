/** loadtest from npm, the tool of two of the articles: a fixed number of requests. */
import { join } from 'node:path';
import { numberIn, runTool } from './tool.js';
import { BENCH } from '../installed.js';

/** @import { Load } from './tool.js' */

const COMMAND = join(BENCH, 'node_modules/.bin/loadtest');
const TIMEOUT_MS = 180_000;

/**
 * @param {{requests: number, clients: number}} options
 * @returns {Load}
 */
export function loadtest({ requests, clients }) {
  return async (url) => {
    const args = ['-n', `${requests}`, '-c', `${clients}`, '--cores', '1'];
    const install = 'npm ci --prefix bench';
    const text = await runTool(COMMAND, [...args, url], { install, timeoutMs: TIMEOUT_MS });
    return {
      requests: numberIn(text, /Completed requests:\s+(\d+)/),
      perSecond: numberIn(text, /Effective rps:\s+([\d.]+)/),
      meanMs: numberIn(text, /Mean latency:\s+([\d.]+)/),
      p99Ms: numberIn(text, /99%\s+([\d.]+)/),
      longestMs: numberIn(text, /100%\s+([\d.]+)/),
      totalSeconds: numberIn(text, /Total time:\s+([\d.]+)/),
      failed: numberIn(text, /Total errors:\s+(\d+)/),
    };
  };
}
