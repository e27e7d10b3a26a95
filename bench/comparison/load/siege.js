/** siege, as in the article that used it: a connection for each request, no pause between them. */
import { newDirectory } from '../scratch.js';
import { runTool } from './tool.js';

/** @import { Load } from './tool.js' */

const GRACE_MS = 60_000;

/** @param {{clients: number}} options @returns {Load} */
export function siege({ clients }) {
  // It writes its settings into the home directory.
  const env = { ...process.env, HOME: newDirectory() };
  return async (url, seconds) => {
    const args = ['-j', '-q', '-b', `-c${clients}`, `-t${seconds}S`, url];
    const timeoutMs = seconds * 1000 + GRACE_MS;
    const text = await runTool('siege', args, { install: 'siege in Debian', timeoutMs, env });
    const said = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return {
      requests: said.transactions,
      perSecond: said.transaction_rate,
      meanMs: said.response_time * 1000,
      longestMs: said.longest_transaction * 1000,
      failed: said.failed_transactions,
    };
  };
}
