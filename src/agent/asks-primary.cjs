'use strict';
/**
 * What a program leaves to its primary is never done in a worker, and nothing fails. That its own code asks for
 * `cluster.isPrimary` or `isMaster` is the only sign.
 */
const { fileURLToPath } = require('node:url');
const { send } = require('./channel.cjs');
const { attempt } = require('./guard.cjs');

module.exports = { watchAsked };

const NAMES = ['isPrimary', 'isMaster'];
/** Node and libraries ask too, some of them for each request. */
const MOST = 100;
const FRAMES = 3;
const OF_PACKAGE = /^.*\/node_modules\/(@[^/]+\/)?[^/]+\//;

/** Reports the place in the program, once. @param {object} cluster */
function watchAsked(cluster) {
  let asked = 0;
  /** Of the package that the program is in; '': in none that is installed. */
  const own = packageOf(process.argv[1] ?? '');
  const end = () => {
    for (const name of NAMES) define(name, { value: false, writable: true });
  };
  const note = () => {
    asked += 1;
    const { file, line } = placeOf(get);
    const isOwn = file.startsWith('/') && packageOf(file) === own;
    if (isOwn || asked === MOST) end();
    if (isOwn) send('asks-primary', { at: `${file}:${line}` });
  };
  /** @param {string} name @param {PropertyDescriptor} what */
  const define = (name, what) =>
    Reflect.defineProperty(cluster, name, { ...what, configurable: true, enumerable: true });
  function get() {
    attempt(note);
    return false;
  }
  for (const name of NAMES)
    define(name, { get, set: (value) => void define(name, { value, writable: true }) });
}

/** @param {string} path */
function packageOf(path) {
  return OF_PACKAGE.exec(path)?.[0] ?? '';
}

/** @param {Function} called @returns {{file: string, line: number | undefined}} in the code that called it */
function placeOf(called) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_error, sites) => sites;
    const holder = /** @type {{stack?: any}} */ ({});
    Error.captureStackTrace(holder, called);
    const site = holder.stack[0];
    const file = site?.getFileName() ?? '';
    return {
      file: file.startsWith('file:') ? fileURLToPath(file) : file,
      line: site?.getLineNumber(),
    };
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
