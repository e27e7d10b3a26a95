/** What is wrong with a file, and what is only odd about it, gathered while it is read. */
import { pathText } from './position.js';

/**
 * @import { Problem } from '../../errors/codes/config.js'
 * @import { ConfigDocument } from './load.js'
 * @import { Place } from './position.js'
 */

/** @typedef {ReturnType<typeof newReport>} Report */
/** @typedef {{place: Place, text: string}} Remark */

/**
 * @param {ConfigDocument} document
 * @param {boolean} lenient unknown keys are warnings
 */
export function newReport({ source, locate, written }, lenient) {
  /** @type {Problem[]} */
  const problems = [];
  /** @type {Remark[]} what only PM2 has, with advice */
  const foreign = [];
  /** @type {Remark[]} */
  const odd = [];
  return {
    origin: { locate, written, nameOf: pathText, problems },
    /** @param {Place} place @param {string} text */
    onUseless: (place, text) => void odd.push({ place, text }),
    /** @param {Place} place @param {string} advice */
    onForeignKey: (place, advice) => void foreign.push({ place, text: advice }),
    /** @param {Place} place @param {string|null} near */
    onUnknownKey(place, near) {
      const guess = near ? `; did you mean ${near}?` : '';
      const text = `unknown key ${place.path.at(-1)} is ignored${guess}`;
      if (lenient) odd.push({ place, text });
      else place.report(`expected a known key, got "${place.path.at(-1)}"${guess}`, 'key');
    },
    /** @param {readonly Place[]} left apps that nobody asked for */
    warnings(left) {
      const matters = (/** @type {Remark} */ { place }) => !left.some((app) => holds(app, place));
      const block = foreignBlock(source, foreign.filter(matters));
      return [...block, ...oddLines(source, odd.filter(matters))];
    },
  };
}

/**
 * @param {Place} app
 * @param {Place} place
 */
function holds(app, place) {
  return app.path.every((step, index) => place.path[index] === step);
}

/**
 * Files of PM2 repeat such keys in every app; what they mean here is said once.
 * @param {string} source
 * @param {Remark[]} remarks
 * @returns {string[]} one of several lines, or none
 */
function foreignBlock(source, remarks) {
  /** @type {Map<string, Set<string>>} keys by advice */
  const groups = new Map();
  for (const { place, text } of remarks) {
    groups.set(text, (groups.get(text) ?? new Set()).add(String(place.path.at(-1))));
  }
  if (groups.size === 0) return [];
  const lines = [...groups].map(([advice, keys]) => `\n  ${[...keys].join(', ')}: ${advice}`);
  return [`${source} says what only PM2 knows; it is ignored.${lines.join('')}`];
}

/**
 * @param {string} source
 * @param {Remark[]} odd
 * @returns {string[]} each text once
 */
function oddLines(source, odd) {
  const texts = [...new Set(odd.map(({ text }) => text))];
  return texts.map((text) => {
    const [first, ...more] = odd.filter((each) => each.text === text);
    const { line, column, key } = first.place.problem(text, 'key');
    const at = line === null ? source : `${source}:${line}:${column}`;
    const others = more.length > 0 ? ` (and ${more.length} more such keys)` : '';
    return `${at} ${key}: ${text}${others}`;
  });
}
