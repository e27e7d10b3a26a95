/** A child with a channel, whose program only lets time pass. */
import { fork } from 'node:child_process';
import { app } from './home.js';
import { plainEnv } from './spawn-clean.js';

export function forkIdle(t) {
  const options = { env: { ...plainEnv(), PORT: '0' }, execArgv: [] };
  const child = fork(app('never-listens.cjs'), options);
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}
