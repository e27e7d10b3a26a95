/** One request with its time, on a new connection unless there is an agent. */
import { answerOf } from '../../../test/support/http-ask.js';

/** @param {{port: number, path: string, agent?: import('node:http').Agent}} options */
export async function ask({ port, path, agent }) {
  const begin = performance.now();
  const { body } = await answerOf({ port, path, agent: agent ?? false });
  return { ms: performance.now() - begin, body };
}
