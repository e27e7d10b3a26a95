/** `run` in a test: its transient home is in the directory of the test, which has no other home. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../home.js';
import { processesOf } from '../processes.js';

export function testRun(t) {
  const { root, env: ofHome, begin, run } = testHome(t);
  const runtime = join(root, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  const env = { XDG_RUNTIME_DIR: runtime, NODECLUSTER_HOME: '', HOME: join(root, 'no-home') };
  const withEnv = (options = {}) => ({ ...options, env: { ...env, ...options.env } });
  return {
    root,
    runtime,
    env: { ...ofHome, ...env },
    begin: (args, options) => begin(['run', ...args], withEnv(options)),
    /** Another command, as in the same container. */
    command: (args, options) => run(args, withEnv(options)),
    /** What a `run` that has ended must not leave. */
    left: () => ({ homes: readdirSync(runtime), processes: processesOf(root) }),
  };
}

export const NOTHING = { homes: [], processes: [] };
