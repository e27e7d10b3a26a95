/** `agent --listen`: answers the agent checks of HAProxy, one line for each connection. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { escapeLine } from '../../show/escape.js';
import { isLoopback, listenOn, readAddress } from '../../shared/listen-address.js';
import { limitConnections, sharePending } from '../../shared/http-limits.js';
import { DRAIN_ALL, NO_CHANGE, answerFor } from './answer.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Steering, Answer } from './answer.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Daemons } from '../../cli/context.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

/** HAProxy sends the name with the connection; one that is configured without `agent-send` sends none. */
const NAME_MS = 500;
const MAX_NAME_BYTES = 128;
/** Less than HAProxy's default interval of 2 s, which is also its timeout. */
const REPLY_MS = 1000;
const CONNECTION_MS = 5000;

/** @typedef {{apps: App[]} | {answer: Answer}} Known answer: that is all that is known */

/** @type {CommandData} */
export const command = {
  summary: 'tell HAProxy how much this machine can take (agent-check)',
  details:
    'Answers each connection with one line: up and a weight, which follows the number of ready ' +
    'workers and how busy their event loops are; up 0% while the app is being stopped; stopped or ' +
    'down when no worker is ready. Without a running daemon it says nothing, and HAProxy keeps ' +
    'what it knows. `nodecluster export haproxy` writes the other side.',
  arguments: [
    {
      name: '[app]',
      summary: 'for a balancer that does not name the app (agent-send); default: the only one',
    },
  ],
  options: [
    {
      flags: '--listen <address>',
      summary: 'where to answer; a port alone means every address of this machine',
    },
  ],
  examples: ['nodecluster agent --listen 9500', 'nodecluster agent --listen 10.0.0.5:9500 api'],
};

/**
 * Resolves when the server has closed.
 * @type {Run}
 * @throws {NodeclusterError} E_USAGE, E_LISTEN_ADDRESS, E_LISTEN
 */
export async function run({ daemons, note, options: { listen }, words: [name = null] }) {
  if (listen === undefined) {
    throw usageError('agent', 'Add the address where HAProxy asks: --listen 9500');
  }
  // A balancer is on another machine.
  const { host, port } = readAddress(listen, '0.0.0.0');
  const look = sharePending(() => lookAtApps(daemons));
  const answer = answering(look);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(CONNECTION_MS, () => socket.destroy());
    reply(socket, name, answer).catch(() => socket.destroy());
  });
  limitConnections(server);
  note(`Answering HAProxy's agent checks on ${escapeLine(await listenOn(server, { host, port }))}`);
  if (!isLoopback(host))
    note('Everyone who can reach this address can read how busy the apps are.');
  // Makes the workers measure from now on, so that the first answer has values.
  await look();
  await once(server, 'close');
  return 0;
}

/** @param {Socket} socket @param {string | null} name @param {(name: string | null) => Promise<Answer>} answer */
async function reply(socket, name, answer) {
  const asked = name ?? ((await within(firstLine(socket), NAME_MS)) || null);
  const { line, why } = await answer(asked);
  socket.end(`${line}\n${why}\n`);
}

/** @param {Socket} socket @returns {Promise<string>} empty: it cannot be a name */
function firstLine(socket) {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      if (text.length < MAX_NAME_BYTES) text += chunk;
      if (text.includes('\n') || text.length >= MAX_NAME_BYTES) {
        resolve(/^[\w@.-]{1,64}(?=\r?\n)/.exec(text)?.[0] ?? '');
      }
    });
  });
}

/** @param {() => Promise<Known>} look @returns {(name: string | null) => Promise<Answer>} */
function answering(look) {
  /** @type {Map<string, Steering>} by app */
  const steerings = new Map();
  return async (asked) => {
    const known = await look();
    if ('answer' in known) return known.answer;
    const [only, ...others] = known.apps.map(({ name }) => name);
    const name = asked ?? (others.length === 0 ? only : undefined);
    if (name === undefined) return { ...NO_CHANGE, why: 'name the app: agent-send "api\\n"' };
    const app = known.apps.find((candidate) => candidate.name === name);
    const before = steerings.get(name) ?? null;
    const { answer, steering } = answerFor(name, app, before, performance.now());
    if (steering) steerings.set(name, steering);
    else steerings.delete(name);
    return answer;
  };
}

/**
 * A daemon that exits while the apps go on closes its socket first. So one that still accepts and
 * refuses the request is stopping the apps.
 * @param {Daemons} daemons
 */
async function lookAtApps(daemons) {
  const isEnding = (/** @type {unknown} */ error) =>
    NodeclusterError.from(error).code === 'E_DAEMON_ENDING';
  const lookAgain = (/** @type {unknown} */ error) => {
    daemons.close();
    if (!isEnding(error)) throw error;
    return listApps(daemons);
  };
  try {
    const apps = await within(listApps(daemons).catch(lookAgain), REPLY_MS);
    return apps ? { apps } : { answer: NO_CHANGE };
  } catch (error) {
    return { answer: isEnding(error) ? DRAIN_ALL : NO_CHANGE };
  }
}

/** @param {Daemons} daemons @returns {Promise<App[] | null>} null: no daemon is running; none is started */
async function listApps(daemons) {
  const client = await daemons.find();
  if (!client) return null;
  const { apps } = await client.request('list', { fields: ['vitals'] }, { timeoutMs: REPLY_MS });
  return apps;
}
