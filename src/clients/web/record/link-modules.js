/**
 * Joins the modules of the page into one script, for a file that must need no other. The page keeps to the
 * few forms of import and export that are read here, so that no bundler is needed. Pure.
 */
import path from 'node:path';

/** @import { Assets } from '../http/assets.js' */

const IMPORT =
  /^import\s*(?:(?:(?<alone>[\w$]+)|\*\s*as\s+(?<all>[\w$]+)|\{(?<names>[^}]*)\})\s*from\s*)?(['"])(?<from>\.[^'"]+)\4;?/gm;
const DECLARATION = /^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(?<name>[\w$]+))/gm;
const DEFAULT = /(?<=^|;|\})export\s+default\s+/gm;
const LIST = /(?<=^|;|\})export\s*\{(?<names>[^}]*)\};?/gm;

/**
 * @param {Assets} assets
 * @param {string} entry the module that the page loads
 * @returns {string} a script
 * @throws {Error} if a module is missing, or imports itself by others
 */
export function linkModules(assets, entry) {
  /** The name of each module in the script, by path. @type {Map<string, string>} */
  const names = new Map();
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {string} */ file, /** @type {string[]} */ importers) => {
    if (names.has(file)) return;
    if (importers.includes(file)) throw new Error(`${file} imports itself`);
    const code = assets.get(file)?.body.toString();
    if (code === undefined) throw new Error(`${file} is missing`);
    for (const { groups } of code.matchAll(IMPORT)) {
      add(resolve(file, String(groups?.from)), [...importers, file]);
    }
    names.set(file, `module${names.size}`);
    parts.push(`const ${names.get(file)} = (() => {\n${linkOne(file, code, names)}})();\n`);
  };
  add(entry, []);
  return `'use strict';\n${parts.join('')}`;
}

/** @param {string} file @param {string} code @param {ReadonlyMap<string, string>} modules */
function linkOne(file, code, modules) {
  /** @type {string[]} */
  const exported = [];
  const linked = code
    .replace(IMPORT, (...match) => {
      const { alone, all, names, from } = match.at(-1);
      const module = modules.get(resolve(file, from));
      if (alone) return `const ${alone} = ${module}.default;`;
      if (all) return `const ${all} = ${module};`;
      return names ? `const { ${names.replace(/\s+as\s+/g, ': ')} } = ${module};` : '';
    })
    .replace(DECLARATION, (...match) => {
      exported.push(match.at(-1).name);
      return '';
    })
    .replace(DEFAULT, () => {
      exported.push('default: exportedDefault');
      return 'const exportedDefault = ';
    })
    .replace(LIST, (...match) => {
      exported.push(...namesIn(match.at(-1).names));
      return '';
    });
  return `${linked}\nreturn { ${exported.join(', ')} };\n`;
}

/** @param {string} list `a, b as c` @returns {string[]} `a`, `c: b` */
function namesIn(list) {
  const items = list.split(',').map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const [inside, outside = inside] = item.split(/\s+as\s+/);
    return inside === outside ? inside : `${outside}: ${inside}`;
  });
}

/** @param {string} file @param {string} specifier */
function resolve(file, specifier) {
  return path.posix.join(path.posix.dirname(file), specifier);
}
