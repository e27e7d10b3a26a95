// A program alone, started again when it exits, with the delay that systemd has. SIGHUP restarts it.
import { spawn } from 'node:child_process';

const DELAY_MS = 100;
const [script] = process.argv.slice(2);

let child = start();
process.on('SIGHUP', () => child.kill('SIGTERM'));

function start() {
  const started = spawn(process.execPath, [script], { stdio: 'inherit' });
  started.once('exit', () => setTimeout(() => (child = start()), DELAY_MS));
  return started;
}
