/** The program of an app, and what was asked for if that led to it. */
import { relative } from 'node:path';
import { escapeLine } from '../../show/escape.js';

/** @import { Spec } from '../../config/spec.js' */

/** @param {Pick<Spec, 'resolvedFrom'>} spec @returns `npm start → next start`; null: none */
export function originOf({ resolvedFrom }) {
  if (!resolvedFrom) return null;
  const { script, args, cwd, lines } = resolvedFrom;
  const typed = [shortPath(script, cwd), ...args].join(' ');
  return escapeLine([typed, ...lines].join(' → '));
}

/**
 * @param {Pick<Spec, 'name' | 'script' | 'cwd' | 'resolvedFrom'>} spec
 * @returns {string | null} a sentence about what runs in place of what was asked for
 */
export function resolutionNote(spec) {
  const origin = originOf(spec);
  if (origin === null) return null;
  return `${escapeLine(spec.name)}: ${origin} runs ${escapeLine(shortPath(spec.script, spec.cwd))}, as a cluster of Node.`;
}

/** @param {string} path @param {string} cwd */
function shortPath(path, cwd) {
  const way = path.includes('/') ? relative(cwd, path) : path;
  return way.startsWith('../..') ? path : way;
}
