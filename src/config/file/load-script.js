/**
 * Runs an ecosystem file in JavaScript or TypeScript. A `.js` is first compiled as CommonJS, whatever its package says: PM2
 * writes `module.exports = …` into packages of `type: module` too. If it has `import` or `export`, it is imported.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { attempt, NodeclusterError } from '../../errors/error.js';

/** Matches V8's message about code that compiles only as an ES module. */
const MODULE_SYNTAX = /import|'export'|await/;

/** @param {string} file @param {string} text @param {string} label @returns {Promise<unknown>} what it exports: by default, or all by name */
export async function runScript(file, text, label) {
  try {
    const runCommonJs = /\.(mjs|[cm]?ts)$/.test(file) ? null : compileCommonJs(file, text);
    if (runCommonJs) return runCommonJs();
    const namespace = await untilImported(pathToFileURL(file).href);
    return namespace.default ?? { ...namespace };
  } catch (thrown) {
    throw scriptError(thrown, file, label);
  }
}

/** A module may wait at its top level for what never happens. This process would then end without a word. @param {string} url */
async function untilImported(url) {
  let onIdle = () => {};
  const idle = new Promise((_resolve, reject) => {
    onIdle = () => reject(new Error('its top-level await never ends'));
  });
  process.once('beforeExit', onIdle);
  try {
    // `run` reads its file again, and Node imports a URL, and loads a file of CommonJS, only once.
    delete createRequire(url).cache[fileURLToPath(url)];
    const count = imports.get(url) ?? 0;
    imports.set(url, count + 1);
    return await Promise.race([import(count === 0 ? url : `${url}?${count}`), idle]);
  } finally {
    process.off('beforeExit', onIdle);
  }
}

/** How often each was imported. @type {Map<string, number>} */
const imports = new Map();

/** @param {string} file @param {string} text @returns {(() => unknown) | null} null: a module */
function compileCommonJs(file, text) {
  const names = ['module', 'exports', 'require', '__filename', '__dirname'];
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const options = { filename: file, importModuleDynamically };
  try {
    const run = vm.compileFunction(text.replace(/^#!.*/, ''), names, options);
    return () => {
      const module = { exports: {} };
      run(module, module.exports, createRequire(file), file, dirname(file));
      return module.exports;
    };
  } catch (error) {
    const isModule = MODULE_SYNTAX.test(/** @type {Error} */ (error).message);
    if (isModule && !file.endsWith('.cjs')) return null;
    throw error;
  }
}

/** @param {unknown} thrown @param {string} file @param {string} label */
function scriptError(thrown, file, label) {
  const { stack = '' } = thrown instanceof Error ? thrown : {};
  const path = [pathToFileURL(file).href, file].find((each) => stack.includes(`${each}:`)) ?? '';
  const [, line = null] = /^:(\d+)/.exec(stack.slice(stack.indexOf(path) + path.length)) ?? [];
  const reason = attempt(() => String(thrown), 'what it threw has no text');
  const data = { file: label, line: line && Number(line), reason };
  return new NodeclusterError('E_CONFIG_SCRIPT_FAILED', data, thrown);
}
