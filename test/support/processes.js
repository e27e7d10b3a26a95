/** Finds the processes of a home directory in /proc; on other systems it finds none. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { until } from './until.js';

/**
 * All processes with `directory` in their command line or environment, and their descendants:
 * daemon, primaries, workers and what the workers started.
 * @param {string} directory unique to one test
 * @returns {number[]} pids, this process never among them
 */
export function processesOf(directory) {
  const all = everyProcess();
  const own = new Set(all.filter(({ pid }) => mentions(pid, directory)).map(({ pid }) => pid));
  let before = -1;
  while (before !== own.size) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  own.delete(process.pid);
  return [...own];
}

/**
 * Kills all processes of a directory as a power cut does: none sees another die and starts it again.
 * @param {string} directory unique to one test
 */
export async function killAll(directory) {
  await until(() => {
    const pids = processesOf(directory);
    for (const pid of pids) send(pid, 'SIGSTOP');
    for (const pid of pids) send(pid, 'SIGKILL');
    return pids.length === 0;
  }, `the processes of ${directory} to end`);
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited in the meantime.
  }
}

/** @param {number} pid @returns {boolean} false also for a zombie */
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

/**
 * How many descriptors of a process are sockets that listen on a port.
 * @param {number} pid
 * @param {number} port
 */
export function listenersOf(pid, port) {
  const links = listeningSockets().flatMap((each) => (each.port === port ? [each.link] : []));
  return descriptorsOf(pid).filter((link) => links.includes(link)).length;
}

/** TCP ports on which its own sockets listen. @param {number} pid */
export function listeningPortsOf(pid) {
  const links = new Set(descriptorsOf(pid));
  return listeningSockets().flatMap(({ link, port }) => (links.has(link) ? [port] : []));
}

/** Those of the whole machine; link: of a descriptor that leads to one. */
function listeningSockets() {
  const rows = ['tcp', 'tcp6'].flatMap((file) => read(`/proc/net/${file}`).split('\n'));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => ({
      port: parseInt(fields[1].split(':')[1], 16),
      link: `socket:[${fields[9]}]`,
    }));
}

/** @param {number} pid @returns {string[]} what each descriptor leads to */
export function descriptorsOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

function everyProcess() {
  return procEntries()
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))?.[1] ?? 0) }))
    .filter(({ pid }) => isRunning(pid));
}

function procEntries() {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** @param {number} pid @param {string} directory */
function mentions(pid, directory) {
  return ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(directory));
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
