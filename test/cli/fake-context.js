/** A context as main makes it, with a daemon that answers from a table and writes down what it was asked. */
import { contextWith } from '../../src/cli/context.js';
import { readCommandLine } from '../../src/cli/main.js';

/**
 * @param line words as typed, without `nodecluster`
 * @param world daemon: its answers by method; null: none runs, and there are no recorded apps. input: what stdin holds
 */
export async function commandWith(line, world = {}) {
  const { daemon = {}, cwd = '/nowhere', input = '', env = { SHELL_ONE: 'shell' } } = world;
  const asked = [];
  const printed = [];
  const noted = [];
  const answers = { list: () => ({ daemon: { pid: 1, version: '0' }, apps: [] }), ...daemon };
  const client = {
    peer: { pid: 0 },
    async request(method, params, { onNotification } = {}) {
      asked.push({ method, params });
      return answers[method](params, (event, kind = 'progress') => onNotification(kind, event));
    },
  };
  const invocation = await readCommandLine(line.split(' '), 80);
  if ('text' in invocation) throw new Error(`${line} is a help page`);
  const daemons = {
    home: '/home/.nodecluster',
    find: async () => (daemon === null ? null : client),
    open: async () => (daemon === null ? null : client),
    start: async () => client,
    close: () => {},
  };
  const context = contextWith(daemons, invocation, {
    cwd,
    env,
    stdin: [input],
    stdout: { width: null, colours: false },
    stderr: { width: null, colours: false },
    print: (text) => printed.push(text),
    write: async (text) => printed.push(...text.trimEnd().split('\n')) > 0,
    note: (text) => noted.push(text),
    status: () => {},
    withStdoutOnStderr: (work) => work(),
  });
  return { asked, printed, noted, context, run: () => invocation.run(context) };
}

/** Runs a command that is to end with exit code 0. */
export async function runOk(line, world) {
  const command = await commandWith(line, world);
  const code = await command.run();
  if (code !== 0) throw new Error(`${line} ended with exit code ${code}`);
  return command;
}

export function outcome(more = {}) {
  return {
    name: 'api',
    action: 'stop',
    ok: true,
    done: [0],
    failed: [],
    kept: [],
    rolledBack: [],
    minReady: 1,
    durationMs: 100,
    longLivedCut: 0,
    ...more,
  };
}
