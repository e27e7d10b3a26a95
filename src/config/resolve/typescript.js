/** A script in TypeScript, for a Node that does not run it by itself: from version 22.18 on it does. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { attempt } from '../../errors/error.js';
import { isOtherUser } from '../../shared/home.js';
import { isNode } from '../../shared/package/root.js';
import { nearestOf } from '../command/locate.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { Step } from './app.js'
 */

const TYPESCRIPT = /\.[cm]?ts$/;
const LOADS_MORE = /--(import|require|loader|experimental-(loader|strip|transform))|(^|\s)-r(\s|$)/;
const TSX = ['--import', 'tsx'];
/** ms */
const ANSWER_TIMEOUT = 2000;

/** Adds tsx where the app has it; without it, every worker would crash. @type {Step} */
export function loadTypeScript(spec, { inputOf }, { report, runsElsewhere }) {
  const { script, interpreter, nodeArgs, cwd, env, shellEnv, resolvedFrom } = spec;
  const { NODE_OPTIONS: options = '' } = { ...shellEnv, ...env, ...resolvedFrom?.env };
  if (!TYPESCRIPT.test(script) || LOADS_MORE.test([...nodeArgs, options].join(' '))) return;
  if (runsElsewhere || runsTypeScript(spec)) return;
  const input = inputOf('script');
  const fault = `${interpreter ?? `Node ${process.versions.node}`} does not run TypeScript by itself`;
  if (nearestOf(cwd, join('node_modules', 'tsx')) === null) {
    const remedy = 'run `npm install tsx`, compile the program, or use Node 22.18 or later';
    return input.reject('a program that can run here', `${fault}: ${remedy}`);
  }
  spec.nodeArgs = [...nodeArgs, ...TSX];
  report.warn(input, `runs with ${TSX.join(' ')}, because ${fault}`);
}

/** @param {Spec} spec @returns {boolean} true also if that is unknown */
function runsTypeScript({ interpreter, execMode, uid, env, shellEnv }) {
  if (interpreter === null) {
    return execMode === 'fork' || Boolean(/** @type {any} */ (process.features).typescript);
  }
  // What another user may have put there is not run with the rights of root.
  if (!isNode(interpreter) || isOtherUser(uid)) return true;
  const ask = () =>
    execFileSync(interpreter, ['-p', 'process.features.typescript ?? false'], {
      encoding: 'utf8',
      env: { PATH: env.PATH ?? shellEnv.PATH ?? process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ANSWER_TIMEOUT,
    });
  return attempt(ask, '').trim() !== 'false';
}
