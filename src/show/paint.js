/** Colours by meaning. What is shown takes a `Paint`; that of a terminal has colours. Foreground only: its theme is not known. */
import { statusTone } from './tone.js';

/** @import { Tone } from './tone.js' */

const STYLES = /** @type {const} */ ([
  'bold',
  'dim',
  'inverse',
  'gray',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'cyanBright',
]);

/** @typedef {Record<typeof STYLES[number], (text: string) => string>} Paint */

/** Without colours. */
export const plain = /** @type {Paint} */ ({});
for (const style of STYLES) plain[style] = String;

/** @typedef {Tone | 'off' | 'accent'} Colour off: it does not run; accent: it says nothing, as a curve */

/** @type {Record<Exclude<Colour, ''>, keyof Paint>} */
const COLOURS = { good: 'green', warn: 'yellow', bad: 'red', off: 'gray', accent: 'cyan' };

/** @param {Colour} colour @param {Paint} paint @param {string} text */
export function paintTone(colour, paint, text) {
  return colour === '' ? text : paint[COLOURS[colour]](text);
}

/** @param {string} status of a worker or an app, or the kind of a progress event @param {Paint} paint */
export function paintStatus(status, paint) {
  return paintTone(statusTone(status), paint, status);
}
