'use strict';
/**
 * The agent is a guest in the process of the program: if it fails, a figure is missing, and the program runs on. What it
 * uses of the process is taken here, before the program can replace it.
 */
const { performance } = require('node:perf_hooks');
const timers = require('node:timers');

const { apply, defineProperty } = Reflect;
const { hrtime } = process;
const { rss: memoryBytes } = process.memoryUsage;
const { clearTimeout, clearInterval } = timers;
const now = performance.now.bind(performance);

/** Whether what is being thrown is the program's. */
let isProgramThrowing = false;

/** @template R @param {(callback: () => void, ms: any) => R} start @returns {(callback: () => void, ms?: number) => R} */
const guarding = (start) => (callback, ms) => start(guarded(callback), ms);
const setTimeout = guarding(timers.setTimeout);
const setInterval = guarding(timers.setInterval);
const setImmediate = guarding(timers.setImmediate);

/** @param {() => void} run of the agent */
function attempt(run) {
  guarded(run)();
}

/**
 * @template {any[]} A
 * @template R
 * @param {(...args: A) => R} run of the agent, which must leave nothing half done that the program depends on
 * @returns {(...args: A) => R | undefined} undefined: it failed
 */
function guarded(run) {
  /** @this {unknown} @param {A} args */
  return function (...args) {
    let hasReturned = false;
    isProgramThrowing = false;
    try {
      const result = apply(run, this, args);
      hasReturned = true;
      return result;
    } finally {
      // A catch would make Node name this file as the place of the program's exception.
      // eslint-disable-next-line no-unsafe-finally
      if (!hasReturned && !isProgramThrowing) return undefined;
    }
  };
}

/**
 * What it throws is the program's, and passes through guarded functions.
 * @template R
 * @param {() => R} run
 */
function asProgram(run) {
  let hasReturned = false;
  try {
    const result = run();
    hasReturned = true;
    return result;
  } finally {
    isProgramThrowing = !hasReturned;
  }
}

/**
 * An assignment fails on a frozen prototype.
 * @param {object} object
 * @param {string} name
 * @param {unknown} value
 */
function replace(object, name, value) {
  defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * Before each call of a method.
 * @param {any} object
 * @param {string} name
 * @param {(self: any, args: any[]) => void} run
 */
function before(object, name, run) {
  const { [name]: act } = object;
  const runFirst = guarded(run);
  /** @this {unknown} @param {any[]} args */
  const value = function (...args) {
    runFirst(this, args);
    return apply(act, this, args);
  };
  replace(object, name, value);
}

/** @returns {number} on the same clock as the primary's */
function clockMs() {
  const time = hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}

module.exports = {
  apply,
  asProgram,
  attempt,
  before,
  clearInterval,
  clearTimeout,
  clockMs,
  guarded,
  memoryBytes,
  now,
  replace,
  setImmediate,
  setInterval,
  setTimeout,
};
