/** Starts a service's command, and again whenever it has exited, as `Restart=always` does. */
import { spawnClean } from '../spawn-clean.js';

/**
 * @returns pid: of the process that runs now;
 *   disable: its next exit is its last
 */
export function restartingService(t, { command: [program, ...args], env }) {
  let isEnabled = true;
  const disable = () => {
    isEnabled = false;
  };
  t.teardown(disable);
  let child;
  const start = () => {
    child = spawnClean(program, args, { env, cwd: '/', stdio: 'ignore' });
    child.once('exit', () => isEnabled && start());
  };
  start();
  return { pid: () => child.pid, disable };
}
