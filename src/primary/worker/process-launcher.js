/** Starts any other program by spawn: Python, a binary, a shell script, a cluster of its own. */
import { spawn } from 'node:child_process';
import { requireDirectory, workerEnvironment } from './environment.js';
import { agentFile, isNode, nodeArgsOf } from './node-args.js';

/**
 * @import { Launch } from '../pool/launch.js'
 * @import { Launched, Launcher } from './process.js'
 */

const agent = agentFile('fork.cjs');

/** @param {Parameters<Launcher>[0]} worker @returns {Launched} */
export function launchAsProcess({ launch, slot, mark }) {
  const { spec } = launch;
  requireDirectory(launch.cwd);
  const [command, ...args] = commandLine(launch);
  const child = spawn(command, args, {
    cwd: launch.cwd,
    env: workerEnvironment(launch, slot, mark),
    // Only Node understands the channel; other programs would inherit a useless descriptor.
    stdio: isNode(spec.interpreter)
      ? ['ignore', 'pipe', 'pipe', 'ipc']
      : ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return { child, hasAgent: false, ownsGroup: true };
}

/** @param {Launch} launch */
function commandLine({ spec, script, env }) {
  if (spec.interpreter === null) return [script, ...spec.args];
  const args = isNode(spec.interpreter) ? nodeArgsOf(spec, env, agent()) : spec.nodeArgs;
  return [spec.interpreter, ...args, script, ...spec.args];
}
