/**
 * Runs a program in a real terminal, which `script` of util-linux creates; `stty` sets its size. The
 * output is kept as rows, so that a test sees what a user sees.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf, commandOf } from './processes.js';
import { until, within } from './until.js';

/** The reason why tests cannot have a terminal here; false when they can. */
export const noTerminal = reasonForNone();

/** @param command the program, in a shell that reports its exit and the state of the terminal */
export async function inTerminal(t, command, { env, cwd, columns = 80, rows = 24 }) {
  const folder = mkdtempSync(join(tmpdir(), 'nc-tty-'));
  const name = join(folder, 'name');
  const line =
    `tty > ${quoted(name)}; stty rows ${rows} cols ${columns}; ` +
    `${command.map(quoted).join(' ')}; code=$?; echo; echo "[ended $code]"; stty -a; echo "[left]"`;
  const pairs = Object.entries({ TERM: 'xterm-256color', ...env });
  const child = spawn(
    'env',
    ['-i', ...pairs.map((pair) => pair.join('=')), 'script', '-qfc', line, '/dev/null'],
    { cwd, env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = new Promise((resolve) => child.once('close', resolve));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  });
  const screen = () => rowsOf(output);
  const pid = () => until(() => programIn(child.pid, command) ?? 0, 'the program to run');
  return {
    screen,
    output: () => output,
    type: (keys) => child.stdin.write(keys),
    /** @param regexp matched against the screen, its rows joined by newlines */
    shows: (regexp) =>
      until(() => regexp.exec(screen().join('\n')), `the screen to show ${regexp}`).catch(
        (error) => {
          throw new Error(`${error.message}\n${screen().join('\n')}`);
        },
      ),
    showed: (regexp) => until(() => regexp.exec(output), `the screen to have shown ${regexp}`),
    resize: (width, height) =>
      execFileSync('stty', [
        ...['-F', readFileSync(name, 'utf8').trim()],
        ...['rows', String(height), 'cols', String(width)],
      ]),
    signal: async (signal) => process.kill(await pid(), signal),
    pid,
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    ended: async () => {
      await within(closed, 'the program to exit');
      const [, code, terminal] = /\[ended (\d+)\]([^]*)\[left\]/.exec(output) ?? [];
      return { code: Number(code), terminal };
    },
  };
}

/** The programs here write whole lines, each from its beginning. */
export function rowsOf(output) {
  let rows = [];
  let row = 0;
  // eslint-disable-next-line no-control-regex -- control sequences
  const parts = output.split(/(\u001b\[[?0-9;]*[A-Za-z])/);
  for (const part of parts) {
    const [, at] = /^.\[(\d+);1H$/.exec(part) ?? [];
    if (at !== undefined) row = Number(at) - 1;
    else if (part === '\u001b[2J') rows = [];
    else if (part === '\u001b[K') rows[row] = '';
    else if (part && !part.startsWith('\u001b')) rows[row] = (rows[row] ?? '') + part;
  }
  return Array.from(rows, (text) => text ?? '');
}

function programIn(pid, command) {
  const open = pid === undefined ? [] : [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (commandOf(next) === command.join(' ')) return next;
    open.push(...childrenOf(next));
  }
  return undefined;
}

function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function reasonForNone() {
  if (!existsSync('/proc/self/stat')) return 'no /proc here, and another script(1)';
  try {
    execFileSync('stty', ['--version']);
    const version = execFileSync('script', ['--version'], { encoding: 'utf8' });
    return version.includes('util-linux') ? false : 'another script(1) than that of util-linux';
  } catch {
    return 'no script(1) or stty(1) here, which make a terminal';
  }
}
