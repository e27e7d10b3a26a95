/** The problems and warnings of one file, collected while it is read. */
import { NodeclusterError } from '../../errors/error.js';
import { maskText } from '../../shared/secrets.js';
import { formatPath } from './config-value.js';

/**
 * @import { ConfigSource, ConfigValue } from './config-value.js'
 * @import { ConfigDocument } from './load.js'
 */

export class Report {
  /** @type {{input: ConfigValue, text: string}[]} */
  #remarks = [];
  #label;
  #isLenient;

  /** @param {ConfigDocument} document @param {boolean} isLenient unknown keys are warnings */
  constructor({ label, locate, written }, isLenient) {
    this.#label = label;
    this.#isLenient = isLenient;
    /** @type {ConfigSource} */
    this.source = { locate, written, keyName: formatPath, problems: [] };
  }

  /** @param {ConfigValue} input @param {string} text */
  warn(input, text) {
    this.#remarks.push({ input, text });
  }

  /** @param {ConfigValue} input with a key that only PM2 has @param {string} advice */
  pm2Key(input, advice) {
    this.warn(input, `ignored, because only PM2 knows ${input.path.at(-1)}: ${advice}`);
  }

  /** @param {ConfigValue} input @param {string|null} nearest */
  unknownKey(input, nearest) {
    const guess = nearest ? `; did you mean ${nearest}?` : '';
    const text = `unknown key "${input.path.at(-1)}"`;
    if (this.#isLenient) this.warn(input, `${text} is ignored${guess}`);
    else input.report(`${text}${guess}`, 'key');
  }

  /** @param {readonly ConfigValue[]} ignored apps that were not requested @returns {string[]} about all others, each text once */
  warnings(ignored) {
    const remarks = this.#remarks.filter(
      ({ input }) =>
        !ignored.some(({ path }) => path.every((step, index) => input.path[index] === step)),
    );
    const texts = [...new Set(remarks.map(({ text }) => text))];
    return texts.map((text) => {
      const [first, ...more] = remarks.filter((each) => each.text === text);
      const { line, column, key } = first.input.problem(text, 'key');
      const at = line === null ? this.#label : `${this.#label}:${line}:${column}`;
      const others = more.length > 0 ? ` (and ${more.length} more such keys)` : '';
      return `${at} ${key}: ${text}${others}`;
    });
  }
}

/** A width that keeps the one long line of a minified file from filling the screen. */
const EXCERPT_WIDTH = 100;

/** @param {{text: string, label: string, language: string}} file @param {string} reason @param {{line: number, column: number}} [at] */
export function syntaxError({ text, label, language }, reason, at) {
  const place = at && { line: at.line, column: at.column, excerpt: excerptOf(text, at) };
  return new NodeclusterError('E_CONFIG_SYNTAX', { file: label, language, reason, ...place });
}

/** Its line, with a caret below. @param {string} text @param {{line: number, column: number}} position from 1 */
function excerptOf(text, { line, column }) {
  const whole = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '').replace(/\t/g, ' ');
  const start = column > EXCERPT_WIDTH ? column - EXCERPT_WIDTH / 2 : 0;
  const shown = whole.slice(start, start + EXCERPT_WIDTH);
  const masked = maskText(shown);
  const gutter = `  ${line} | `;
  const caret = ' '.repeat(gutter.length - 2) + '| ' + ' '.repeat(column - 1 - start) + '^';
  return masked === shown ? `${gutter}${shown}\n${caret}` : gutter + masked;
}
