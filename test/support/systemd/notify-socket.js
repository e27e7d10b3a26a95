/** A socket on which systemd would be notified: python3 receives, since Node has no unix datagrams. */
import { spawn, spawnSync } from 'node:child_process';
import { until } from '../until.js';

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
  return {
    count: (message) => text.split('\n').filter((line) => line === message).length,
  };
}
