/** A script in TypeScript, for a Node that does not run it by itself: from version 22.18 on it does. */
import { join } from 'node:path';
import { nearestWith } from '../command/locate.js';

/** @import { Step } from './app.js' */

const TYPESCRIPT = /\.[cm]?ts$/;
const LOADS_MORE = /--(import|require|loader|experimental-(loader|strip|transform))|(^|\s)-r(\s|$)/;

/** Adds tsx where the app has it; without it, every worker would crash. @type {Step} */
export function loadTypeScript(spec, { inputOf }, { report, runsElsewhere }) {
  const { script, interpreter, execMode, nodeArgs, cwd, env, shellEnv, resolvedFrom } = spec;
  const { NODE_OPTIONS: options = '' } = { ...shellEnv, ...env, ...resolvedFrom?.env };
  if (!TYPESCRIPT.test(script) || LOADS_MORE.test([...nodeArgs, options].join(' '))) return;
  const isOwnNode = execMode === 'cluster' ? interpreter === null : interpreter === 'node';
  if (runsElsewhere || !isOwnNode || /** @type {any} */ (process.features).typescript) return;
  const input = inputOf('script');
  const fault = `Node ${process.versions.node} does not run TypeScript by itself`;
  if (nearestWith(cwd, join('node_modules', 'tsx')) === null) {
    const remedy = 'run `npm install tsx`, compile the program, or use Node 22.18 or later';
    return input.reject('a program that can run here', `${fault}: ${remedy}`);
  }
  spec.nodeArgs = [...nodeArgs, '--import', 'tsx'];
  report.warn(input, `runs with --import tsx, because ${fault}`);
}
