/** Which processes belong to a home directory, read from /proc (elsewhere: none are found). */
import { readFileSync, readdirSync } from 'node:fs';

/**
 * Everything that names `folder` in its command line or its environment, and all that descends
 * from it: daemon, primaries, workers and what the workers started.
 * @param {string} folder a path that is unique to one test
 * @returns {number[]} pids, this process never among them
 */
export function processesOf(folder) {
  const all = everyProcess();
  const own = new Set(all.filter(({ pid }) => mentions(pid, folder)).map(({ pid }) => pid));
  let before = -1;
  while (before !== own.size) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  own.delete(process.pid);
  return [...own];
}

/** @param {number} pid @returns {boolean} false for a zombie too: it only waits to be counted */
export function isRunning(pid) {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** @param {number} pid @returns {number[]} */
export function childrenOf(pid) {
  return everyProcess()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

/** @param {number} pid @returns {string} the command line, for a message */
export function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function everyProcess() {
  return folders()
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))?.[1] ?? 0) }))
    .filter(({ pid }) => isRunning(pid));
}

function folders() {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** @param {number} pid @param {string} folder */
function mentions(pid, folder) {
  return (
    read(`/proc/${pid}/cmdline`).includes(folder) || read(`/proc/${pid}/environ`).includes(folder)
  );
}

/** @param {number} pid the fields after the name, which may itself contain spaces and brackets */
function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : undefined;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
