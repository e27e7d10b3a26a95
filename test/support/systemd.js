/**
 * What systemd does, in python3 since Node has no unix datagrams and cannot listen without accepting: it is notified, opens
 * the sockets of a unit and starts its command, again when that has ended, and reads units (systemd.syntax(7)).
 */
import { spawn, spawnSync } from 'node:child_process';
import { spawnClean } from './spawn-clean.js';
import { until } from './until.js';

const RECEIVER = `
import os, socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
print('listening', flush=True)
while True: print(receiver.recv(4096).decode(), flush=True)
`;

/** Why a test that needs it cannot run; false: it can. */
export const noNotifySocket = ['python3', 'systemd-notify'].every(
  (command) => spawnSync(command, ['--version']).status === 0,
)
  ? false
  : 'needs python3 and systemd-notify';

export async function notifySocket(t, path) {
  const child = spawn('python3', ['-c', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await until(() => text.includes('listening'), 'the notify socket');
  return { count: (message) => text.split('\n').filter((line) => line === message).length };
}

const ACTIVATOR = `
import fcntl, json, os, socket, sys
high = []
for host, port in json.loads(sys.argv[1]):
    unit = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET)
    unit.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if ':' in host: unit.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    unit.bind((host, port))
    unit.listen(511)
    high.append((unit, fcntl.fcntl(unit.fileno(), fcntl.F_DUPFD, 100)))
print('listening', flush=True)
while True:
    pid = os.fork()
    if pid == 0:
        for index, (unit, fd) in enumerate(high): os.dup2(fd, 3 + index)
        for unit, fd in high: os.close(fd)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(high)), LISTEN_FDNAMES='x')
        os.execvp(sys.argv[2], sys.argv[2:])
    os.waitpid(pid, 0)
`;

/** Why a test that needs it cannot run; false: it can. */
export const noSocketUnit =
  spawnSync('python3', ['--version']).status === 0 ? false : 'needs python3';

export async function socketUnit(t, addresses, command, options) {
  const args = ['-c', ACTIVATOR, JSON.stringify(addresses), ...command];
  const child = spawnClean('python3', args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await until(() => text.includes('listening'), 'the socket unit');
}

export function readUnit(text) {
  const values = (key) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const [start] = values('ExecStart');
  return {
    command: wordsOf(start).map((word) => word.replaceAll('$$', '$')),
    env: Object.fromEntries(
      values('Environment')
        .flatMap(wordsOf)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  };
}

function wordsOf(value) {
  const words = value.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(\S+)/g);
  return [...words].map(([, ...forms]) =>
    forms.join('').replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}
