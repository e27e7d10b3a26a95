/**
 * Packages that are ES modules, loaded when they are needed. Node before 20.19 and 22.12 cannot load them
 * synchronously: there a command loads them at its start. The only importer of these packages.
 */
import { createRequire } from 'node:module';

/**
 * @typedef {object} Packages
 * @property {typeof import('chalk')} chalk
 * @property {typeof import('string-width')} string-width
 * @property {typeof import('wrap-ansi')} wrap-ansi
 */

const require = createRequire(import.meta.url);
/** @type {{[K in keyof Packages]: () => Packages[K]}} */
const load = {
  chalk: () => require('chalk'),
  'string-width': () => require('string-width'),
  'wrap-ansi': () => require('wrap-ansi'),
};
/** @type {Partial<Packages>} */
const loaded = {};

/**
 * @template {keyof Packages} K
 * @param {K} name
 */
export function esPackage(name) {
  return (loaded[name] ??= load[name]());
}

/** @returns {Promise<void>} when esPackage() can be called */
export async function preloadEsPackages() {
  if (process.features.require_module) return;
  loaded.chalk = await import('chalk');
  loaded['string-width'] = await import('string-width');
  loaded['wrap-ansi'] = await import('wrap-ansi');
}
