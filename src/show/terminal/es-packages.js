/**
 * Packages that are ES modules, loaded when they are needed. Node before 20.19 and 22.12 cannot load them
 * synchronously: there a command loads them at its start. The only importer of these packages.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const load = {
  chalk: () => /** @type {typeof import('chalk')} */ (require('chalk')),
  'string-width': () => /** @type {typeof import('string-width')} */ (require('string-width')),
  'wrap-ansi': () => /** @type {typeof import('wrap-ansi')} */ (require('wrap-ansi')),
};
/** @type {Record<string, any>} */
const loaded = {};

/** @template {keyof typeof load} K @param {K} name @returns {ReturnType<typeof load[K]>} */
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
