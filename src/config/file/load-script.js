/**
 * Runs an ecosystem file that is JavaScript and takes what it exports. A `.js` is first compiled
 * as CommonJS, whatever its package says: PM2 generates `module.exports = …` into packages of
 * `type: module` too. Text with `import` or `export` does not compile so and is imported instead.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { NodeclusterError } from '../../errors/error.js';

/** What V8 says of text that compiles only as an ES module. */
const MODULE_SYNTAX = /import|'export'|await/;

/**
 * @param {string} file absolute path
 * @param {string} text its content
 * @param {string} label how messages name it
 * @returns {Promise<unknown>} `module.exports`, `export default`, or all named exports
 * @throws {NodeclusterError} E_CONFIG_SYNTAX, E_CONFIG_SCRIPT_FAILED
 */
export async function runScript(file, text, label) {
  try {
    const asCommonJs = file.endsWith('.mjs') ? null : compileCommonJs(file, text);
    if (asCommonJs) return asCommonJs();
    const namespace = await import(pathToFileURL(file).href);
    return namespace.default ?? { ...namespace };
  } catch (thrown) {
    throw scriptError(thrown, file, label);
  }
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {(() => unknown) | null} null for what is no CommonJS
 */
function compileCommonJs(file, text) {
  const names = ['module', 'exports', 'require', '__filename', '__dirname'];
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  let run;
  try {
    run = vm.compileFunction(text.replace(/^#!.*/, ''), names, {
      filename: file,
      importModuleDynamically,
    });
  } catch (error) {
    const isModule = MODULE_SYNTAX.test(/** @type {Error} */ (error).message);
    if (isModule && !file.endsWith('.cjs')) return null;
    throw error;
  }
  return () => {
    const module = { exports: {} };
    run(module, module.exports, createRequire(file), file, dirname(file));
    return module.exports;
  };
}

/**
 * @param {unknown} thrown
 * @param {string} file
 * @param {string} label
 */
function scriptError(thrown, file, label) {
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const stack = thrown instanceof Error ? String(thrown.stack) : '';
  const line = lineIn(stack, file);
  // A SyntaxError of the file itself starts with its path; one that the file throws has a trace.
  if (thrown instanceof SyntaxError && stack.startsWith(pathIn(stack, file) ?? '')) {
    const [, code = '', caret = ''] = line === null ? [] : stack.split('\n');
    const excerpt = code && `  ${line} | ${code}\n${' '.repeat(String(line).length + 3)}| ${caret}`;
    const data = { file: label, line, language: 'JavaScript', reason: thrown.message, excerpt };
    return new NodeclusterError('E_CONFIG_SYNTAX', data, thrown);
  }
  return new NodeclusterError('E_CONFIG_SCRIPT_FAILED', { file: label, line, reason }, thrown);
}

/**
 * @param {string} stack
 * @param {string} file
 */
function lineIn(stack, file) {
  const path = pathIn(stack, file);
  if (!path) return null;
  const line = /^:(\d+)/.exec(stack.slice(stack.indexOf(path) + path.length));
  return line ? Number(line[1]) : null;
}

/**
 * @param {string} stack
 * @param {string} file
 */
function pathIn(stack, file) {
  return [pathToFileURL(file).href, file].find((path) => stack.includes(`${path}:`)) ?? null;
}
