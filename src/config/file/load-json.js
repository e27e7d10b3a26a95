/**
 * JSON text → values with positions. Comments and trailing commas are understood, since files
 * that PM2 runs as JavaScript have them. A parser of our own, because JSON.parse keeps no
 * positions and its messages differ with the release of Node.
 */
import { NodeclusterError } from '../../errors/error.js';
import { excerptOf, positionOf } from './text-position.js';

/**
 * @import { ParsedText } from './load.js'
 * @import { Path } from './position.js'
 */

/**
 * @typedef {object} JsonNode
 * @property {any} value
 * @property {number} offset
 * @property {string} [literal] as it was written
 * @property {Map<string|number, {keyOffset: number, node: JsonNode}>} [children]
 */

const BLANK = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
// eslint-disable-next-line no-control-regex -- JSON forbids them
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const MAX_DEPTH = 100;

/**
 * @param {string} text
 * @param {string} source how messages name the file
 * @returns {ParsedText}
 * @throws {NodeclusterError} E_CONFIG_SYNTAX
 */
export function parseJson(text, source) {
  const root = new JsonReader(text, source).readAll();
  return {
    value: root.value,
    locate(path, what) {
      const { keyOffset, node } = follow(root, path);
      return positionOf(text, what === 'key' ? keyOffset : node.offset);
    },
    written: (path) => follow(root, path).node.literal ?? null,
  };
}

/**
 * The node at a path, or the nearest one above it.
 * @param {JsonNode} root
 * @param {Path} path
 */
function follow(root, path) {
  let found = { keyOffset: root.offset, node: root };
  for (const step of path) {
    const next = found.node.children?.get(step);
    if (!next) break;
    found = next;
  }
  return found;
}

class JsonReader {
  #text;
  #source;
  #offset = 0;
  #depth = 0;

  /**
   * @param {string} text
   * @param {string} source
   */
  constructor(text, source) {
    this.#text = text;
    this.#source = source;
  }

  /** @returns {JsonNode} */
  readAll() {
    const root = this.#readValue();
    this.#skipBlank();
    if (this.#offset < this.#text.length) this.#fail('the end of the file');
    return root;
  }

  /** @returns {JsonNode} */
  #readValue() {
    this.#skipBlank();
    const offset = this.#offset;
    const start = this.#text[offset];
    if (start === '{') return this.#nested(() => this.#readObject(offset));
    if (start === '[') return this.#nested(() => this.#readArray(offset));
    if (start === '"') return { value: this.#readString('a text that ends with "'), offset };
    const literal = this.#match(LITERAL) ?? this.#fail('a value');
    return { value: JSON.parse(literal), offset, literal };
  }

  /**
   * @param {string} expected
   * @returns {string}
   */
  #readString(expected) {
    return JSON.parse(this.#match(STRING) ?? this.#fail(expected));
  }

  /** @param {() => JsonNode} read */
  #nested(read) {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail(`at most ${MAX_DEPTH} levels`);
    const node = read();
    this.#depth -= 1;
    return node;
  }

  /**
   * @param {number} offset
   * @returns {JsonNode}
   */
  #readObject(offset) {
    const children = new Map();
    this.#readItems('}', () => {
      const keyOffset = this.#offset;
      const name = this.#readString('a key in double quotes or }');
      if (children.has(name)) this.#fail('every key once', keyOffset);
      this.#skipBlank();
      if (!this.#take(':')) this.#fail('a colon after the key');
      children.set(name, { keyOffset, node: this.#readValue() });
    });
    const pairs = [...children].map(([name, { node }]) => [name, node.value]);
    return { value: Object.fromEntries(pairs), offset, children };
  }

  /**
   * @param {number} offset
   * @returns {JsonNode}
   */
  #readArray(offset) {
    const children = new Map();
    this.#readItems(']', () => {
      const node = this.#readValue();
      children.set(children.size, { keyOffset: node.offset, node });
    });
    return { value: [...children.values()].map(({ node }) => node.value), offset, children };
  }

  /**
   * @param {'}'|']'} end
   * @param {() => void} readItem
   */
  #readItems(end, readItem) {
    this.#offset += 1;
    this.#skipBlank();
    while (!this.#take(end)) {
      readItem();
      this.#skipBlank();
      const more = this.#take(',');
      this.#skipBlank();
      if (!more && this.#text[this.#offset] !== end) this.#fail(`a comma or ${end}`);
    }
  }

  /** @param {string} character */
  #take(character) {
    const there = this.#text[this.#offset] === character;
    if (there) this.#offset += 1;
    return there;
  }

  #skipBlank() {
    this.#match(BLANK);
  }

  /** @param {RegExp} pattern a sticky one */
  #match(pattern) {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#offset += found?.length ?? 0;
    return found;
  }

  /**
   * @param {string} expected
   * @param {number} [offset]
   * @returns {never}
   */
  #fail(expected, offset = this.#offset) {
    const rest = this.#text.slice(offset).match(/^(?:"[^"\n]*"?|[\w.+-]+|.)/)?.[0];
    const position = positionOf(this.#text, offset);
    throw new NodeclusterError('E_CONFIG_SYNTAX', {
      file: this.#source,
      language: 'JSON',
      reason: `expected ${expected}, got ${rest?.slice(0, 40) ?? 'the end of the file'}`,
      ...position,
      excerpt: excerptOf(this.#text, position),
    });
  }
}
