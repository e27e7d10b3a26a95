/** The columns of `ls`, and how a row of it looks in each. */
import { cut } from './cells.js';
import { maskLine } from '../mask.js';
import { paint, paintStatus } from '../palette.js';
import { brevity, cpu, memory, rate, share, uptime } from '../quantity.js';
import { appState, singleState, workerState } from '../state.js';

/**
 * @import { Terminal } from '../palette.js'
 * @import { Column } from './columns.js'
 * @import { App, Row, Worker } from './ls.js'
 */

/**
 * @typedef {Column & {isKnown?: boolean}} KnownColumn
 */

/** Below this a name gives way to what is wrong with it. */
const NARROW = 80;

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {KnownColumn[]}
 */
export function factColumns(apps, terminal) {
  const { bold } = paint(terminal);
  return [
    {
      heading: 'id',
      importance: Infinity,
      align: 'right',
      text: (row) => ofWorker(row, figure(row.id)),
    },
    {
      ...{ heading: 'name', importance: Infinity, text: nameOf, shorten: shortenName },
      least: (terminal.width ?? Infinity) < NARROW ? 9 : 20,
      dress: (text, { kind }) => (kind === 'worker' || kind === 'alone' ? text : bold(text)),
    },
    {
      ...{ heading: 'namespace', importance: 2, text: ({ app }) => maskLine(app.namespace) },
      isKnown: apps.some((app) => app.namespace !== 'default'),
    },
    {
      heading: 'mode',
      importance: 1,
      text: (row) => (row.kind === 'worker' ? '' : maskLine(row.app.mode)),
    },
    {
      ...{ heading: 'status', importance: Infinity, least: 22, text: stateOf },
      dress: (text, { status }) => paintStatus(status, terminal, text),
    },
  ];
}

/**
 * @param {App[]} apps
 * @returns {KnownColumn[]}
 */
export function figureColumns(apps) {
  const align = /** @type {const} */ ('right');
  const knows = (/** @type {keyof Worker} */ key) =>
    apps.some(({ workers }) => workers.some((worker) => typeof worker[key] === 'number'));
  return [
    { heading: 'cpu', importance: 9, align, text: (row) => cpu(row.cpu) },
    { heading: 'memory', importance: 8, align, text: (row) => memory(row.memory) },
    {
      heading: 'loop',
      importance: 4,
      align,
      text: (row) => ofWorker(row, share(row.elu)),
      isKnown: knows('elu'),
    },
    {
      ...{ heading: 'delay', importance: 3, align, isKnown: knows('elu') },
      text: (row) => ofWorker(row, brevity(row.eventLoopDelayMs?.p99)),
    },
    {
      ...{ heading: 'req/s', importance: 5, align, isKnown: knows('requestsPerSecond') },
      text: (row) => rate(row.requestsPerSecond),
    },
    {
      ...{ heading: 'p99', importance: 3.5, align, isKnown: knows('requestsPerSecond') },
      text: (row) => ofWorker(row, brevity(row.latencyMs?.p99)),
    },
    { heading: 'uptime', importance: 6, align, text: (row) => ofWorker(row, uptime(row.uptimeMs)) },
    { heading: 'restarts', importance: 7, align, text: (row) => figure(row.restarts) },
    { heading: 'pid', importance: 4.5, align, text: (row) => ofWorker(row, figure(row.pid)) },
  ];
}

/** @param {Row} row */
function nameOf({ app, slot, kind }) {
  if (kind === 'alone') return `${maskLine(app.name)}:${slot}`;
  return kind === 'worker' ? `  ${maskLine(app.name)}:${slot}` : maskLine(app.name);
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string} its slot is kept
 */
function shortenName(text, width) {
  const slot = /:\d+$/.exec(text)?.[0] ?? '';
  return cut(text.slice(0, text.length - slot.length), width - slot.length) + slot;
}

/** @param {Row} row */
function stateOf(row) {
  if (row.kind === 'single') return singleState(row.app);
  return row.kind === 'app' ? appState(row.app) : workerState(row, row.app);
}

/**
 * @param {Row} row
 * @param {string} text
 * @returns {string} nothing where several workers have different ones
 */
function ofWorker({ kind }, text) {
  return kind === 'app' ? '' : text;
}

/** @param {number | null | undefined} value */
function figure(value) {
  return value === null || value === undefined ? '-' : String(value);
}
