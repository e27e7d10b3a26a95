/** Frames that no client of ours would send, and valid ones between them, from a seed. */
import { readFileSync } from 'node:fs';
import { daemonParams as ofDaemon } from '../../../src/daemon/checks.js';
import { primaryParams as ofPrimary } from '../../../src/primary/checks.js';
import { Random } from '../../simulation/random.js';

/** What these do to a valid target is their purpose, so nothing could be compared afterwards. */
const ENDING = ['kill', 'shutdown', 'abandon', 'bye', 'signal'];
/** Of a primary, which knows only its own workers: without a wrong value they are valid. */
const ACTING = ['start', 'stop', 'restart', 'reload', 'scale', 'configure'];
const CHECKS = ['daemon', 'primary']
  .map((room) => new URL(`../../../src/${room}/checks.js`, import.meta.url))
  .map((file) => readFileSync(file, 'utf8'))
  .join();
const KEYS = [...new Set([...CHECKS.matchAll(/\b([a-z][A-Za-z]+):/g)].map(([, key]) => key))];
const DEPTH = 100_000;

export function randomFrom(seed) {
  const random = new Random(seed);
  return () => random.next();
}

function methodNames(type) {
  const names = Object.keys(type === 'DaemonMethods' ? ofDaemon : ofPrimary);
  return names.filter((name) => !ENDING.includes(name));
}

/** Makes the frames for one connection. */
export class FrameSource {
  #random;
  #methods;
  #isPrimary;
  #id = 0;

  constructor(random, type) {
    this.#random = random;
    this.#methods = methodNames(type);
    this.#isPrimary = type === 'PrimaryMethods';
  }

  pick(list) {
    return list[Math.floor(this.#random() * list.length)];
  }

  /** @returns a request with wrong parameters, which leaves the connection open */
  request() {
    const id = this.pick([++this.#id, 1, 1, -1, 1e308, 'x'.repeat(1000), '']);
    const method = this.#random() < 0.95 ? this.pick(this.#methods) : this.pick(UNKNOWN);
    return `${JSON.stringify({ jsonrpc: '2.0', id, method, params: this.#params(method) })}\n`;
  }

  /** @returns after which the server must close the connection */
  garbage() {
    return this.pick(GARBAGE)(this.#random);
  }

  #params(method) {
    const count = Math.floor(this.#random() * 5);
    const keys = Array.from({ length: count }, () => this.pick(KEYS));
    const params = Object.fromEntries(keys.map((key) => [key, this.#value()]));
    if (!this.#isPrimary || !ACTING.includes(method)) return params;
    return { ...params, slots: this.pick(WRONG_SLOTS) };
  }

  #value() {
    return this.pick(VALUES);
  }
}

const UNKNOWN = ['', 'no-such-method', 'constructor', '__proto__', 'toString', 'x'.repeat(5000)];
const WRONG_SLOTS = [5, '0', {}, [null], [{}], [-1], ['0'], [1.5], [1e308], true, [[0]]];

/** None is the name of an app, and none matches one. */
const VALUES = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'nobody', '9999', '../../etc/passwd'],
  ...['\u0000', '\ud800', 'x'.repeat(10_000), '/nothing(/', '/nothing$/', ':', 'nobody:0'],
  ...[[], {}, [null], [[]], [{}], ['nobody'], [''], [1], { length: 1e9 }, { __proto__: null }],
  ...[[{ name: 'nobody' }], [{ name: '../x', script: 5 }], { name: 5 }, { PATH: 5 }],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'),
  Array.from({ length: 500 }, (_, index) => index),
];

const GARBAGE = [
  () => '\n',
  () => '{}\n',
  () => 'null\n',
  () => '[1,2,3]\n',
  () => 'not JSON\n',
  () => '{"jsonrpc":"2.0","id":1,"method":"list","par',
  () => '{"jsonrpc":"1.0","id":1,"method":"list"}\n',
  () => '{"jsonrpc":"2.0","method":"list","params":{}}\n',
  () => '{"jsonrpc":"2.0","id":1,"result":{}}\n',
  () => '{"jsonrpc":"2.0","id":{},"method":"list"}\n',
  () => '{"jsonrpc":"2.0","id":1,"method":"list","params":[]}\n',
  (random) => Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256))),
  () => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff\n`,
];

export function deeplyNested() {
  const value = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
  return [
    `"send","params":{"selectors":["web"],"message":${value}}`,
    `"list","params":{"x":${value}}`,
  ]
    .map((rest, id) => `{"jsonrpc":"2.0","id":${id},"method":${rest}}\n`)
    .concat(`{"jsonrpc":"2.0","id":2,"method":"reset","params":{"selectors":${value}}}\n`);
}
