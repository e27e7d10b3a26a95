/**
 * Makes text of unknown origin safe to print. Output of programs and text from files may contain
 * control sequences that move the cursor, rename the window or reverse text; they are shown
 * instead of sent to the terminal.
 */
import { colourSequence, withoutColours } from '../shared/colours.js';

/* eslint-disable no-control-regex -- control characters are the subject of this file */
const eachColour = /(\u001b\[[0-9;:]*m)/;
const controlCharacter =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const unsafeInJson = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/* eslint-enable no-control-regex */
/** Ends all colours. */
export const colourReset = '\u001b[0m';

/**
 * @param {unknown} value text of unknown origin
 * @returns {string} one line: colours are removed, every other control character is escaped
 */
export function escapeLine(value) {
  return String(value)
    .replace(colourSequence, '')
    .replaceAll('\t', '  ')
    .replace(controlCharacter, escapeCharacter);
}

/**
 * @param {unknown} value text of unknown origin that may have several lines
 * @returns {string} the same, with its newlines kept
 */
export function escapeText(value) {
  return String(value).split(/\r?\n/).map(escapeLine).join('\n');
}

/**
 * @param {string} line of a program's output
 * @param {boolean} keepsColours if true, colours are reset at the end of the line
 * @returns {string} tabs stay, every other control character is escaped
 */
export function escapeMessage(line, keepsColours) {
  if (!keepsColours) return withoutColours(line).replace(controlCharacter, escapeCharacter);
  const parts = line.split(eachColour);
  if (parts.length === 1) return line.replace(controlCharacter, escapeCharacter);
  const escaped = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(controlCharacter, escapeCharacter),
  );
  return `${escaped.join('')}${colourReset}`;
}

/**
 * @param {unknown} value anything that JSON can hold
 * @returns {string} indented JSON without characters that a terminal could act on
 */
export function jsonText(value) {
  return JSON.stringify(value, null, 2).replace(unsafeInJson, escapeUnit);
}

/** @param {unknown} value anything that JSON can hold @returns {string} the same on one line */
export function jsonLine(value) {
  return JSON.stringify(value).replace(unsafeInJson, escapeUnit);
}

/** @param {string} character */
function escapeCharacter(character) {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escapeUnit(character);
}

/** @param {string} character */
function escapeUnit(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @param {string} text that a user looks for, in capitals or not @returns {RegExp} what it matches is a group, which split() keeps */
export function patternOf(text) {
  return new RegExp(`(${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`, 'i');
}
