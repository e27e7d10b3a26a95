/**
 * Joins the modules of the page into one script, for a file that must need no other. The page keeps to the
 * few forms of import and export that are read here, so that no bundler is needed. Pure.
 */
import path from 'node:path';
import { IMPORT } from '../page-files.js';

/** @import { Assets } from '../http/assets.js' */

const DECLARATION = /^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(?<name>[\w$]+))/gm;
const DEFAULT = /(?<=^|;|\})export\s+default\s+/gm;
const LIST = /(?<=^|;|\})export\s*\{(?<names>[^}]*)\};?/gm;

/**
 * @param {Assets} assets
 * @param {string} entry the module that the page loads
 * @param {Record<string, string>} [packages] the path of the file of each, by name
 * @returns {string} a script
 * @throws {Error} if a module is missing, or imports itself by others
 */
export function linkModules(assets, entry, packages = {}) {
  /** The name of each module in the script, by path. @type {Map<string, string>} */
  const names = new Map();
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {string} */ file, /** @type {string[]} */ importers) => {
    if (names.has(file)) return;
    if (importers.includes(file)) throw new Error(`${file} imports itself`);
    const code = assets.get(file)?.body.toString();
    if (code === undefined) throw new Error(`${file} is missing`);
    const resolve = (/** @type {string} */ from) =>
      path.posix.normalize(packages[from] ?? path.posix.join(path.posix.dirname(file), from));
    for (const { groups } of code.matchAll(IMPORT)) {
      add(resolve(String(groups?.from)), [...importers, file]);
    }
    const linked = linkOne(code, (from) => names.get(resolve(from)));
    names.set(file, `module${names.size}`);
    parts.push(`const ${names.get(file)} = (() => {\n${linked}})();\n`);
  };
  add(entry, []);
  return `'use strict';\n${parts.join('')}`;
}

/** @param {string} code @param {(specifier: string) => string | undefined} nameOf a module */
function linkOne(code, nameOf) {
  /** @type {string[]} */
  const exported = [];
  const linked = code
    .replace(IMPORT, (...match) => {
      const { alone, all, names, from } = match.at(-1);
      const module = nameOf(from);
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
