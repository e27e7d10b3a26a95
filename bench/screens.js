/**
 * What people see: `ls`, `describe` and `monit` in five situations and three sizes of a real
 * terminal (tmux), written to docs/screens/ as text. node bench/screens.js [situation…]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE } from '../test/support/home.js';
import { freePorts } from '../test/support/ports.js';
import { until } from '../test/support/until.js';
import { inHome } from './bench-home.js';

/** @import { testHome as TestHome } from '../test/support/home.js' */

const BIN = fileURLToPath(new URL('../bin/nodecluster.js', import.meta.url));
const SHOP = fileURLToPath(new URL('./screens/shop.cjs', import.meta.url));
const SCREENS = fileURLToPath(new URL('../docs/screens/', import.meta.url));
const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
];
/** So long the sparklines grow. */
const WARM_MS = 30_000;
const HUNDRED_MS = 300_000;

/**
 * @typedef {ReturnType<TestHome> & {ports: number[]}} Home
 *
 * @typedef {object} Situation
 * @property {(home: Home) => Promise<unknown>} start
 * @property {(home: Home) => Promise<unknown>} [trouble] comes after a while
 * @property {RegExp} shows
 */

/** @type {Record<string, Situation>} */
const situations = {
  'all-well': { start: startShop, shows: /4 online/ },
  'one-crashing': {
    start: (home) => startShop(home, { web: { CRASH_SLOT: '1' } }),
    shows: /backoff \d\d? s/,
  },
  'one-unresponsive': {
    start: startShop,
    trouble: ({ ports }) => ask(ports[0], '/block'),
    shows: /unresponsive/,
  },
  'mid-reload': {
    start: (home) => startShop(home, { api: { START_MS: '15000' } }),
    trouble: ({ ok }) => ok(['reload', 'api', '--no-wait']),
    shows: /reloading 1\/4/,
  },
  '100-workers': { start: startHundred, shows: /100 online/ },
};

const chosen = process.argv.slice(2);
for (const [name, situation] of Object.entries(situations)) {
  if (chosen.length === 0 || chosen.includes(name))
    await inHome((home) => capture(name, situation, home));
}

/**
 * @param {string} name
 * @param {Situation} situation
 * @param {ReturnType<TestHome>} testHome
 */
async function capture(name, { start, trouble, shows }, testHome) {
  const home = { ...testHome, ports: await freePorts(3) };
  copyFileSync(SHOP, join(home.root, 'shop.cjs'));
  const stopLoad = startLoad(home.ports);
  const terminals = tmux(home);
  try {
    await start(home);
    for (const size of SIZES) terminals.open('monit', size, ['monit']);
    await pause(WARM_MS);
    await trouble?.(home);
    await until(
      () => SIZES.every((size) => shows.test(terminals.read('monit', size))),
      `${shows}`,
      HUNDRED_MS,
    );
    await pause(1500);
    for (const size of SIZES) terminals.open('ls', size, ['ls']);
    for (const size of SIZES) terminals.open('describe', size, ['describe', 'api']);
    await pause(6000);
    mkdirSync(SCREENS, { recursive: true });
    for (const size of SIZES) {
      const text = ['ls', 'describe', 'monit'].map((command) =>
        section(command, size, terminals, home),
      );
      writeFileSync(join(SCREENS, `${name}-${size.join('x')}.txt`), text.join('\n'));
    }
    console.log(`${name}: ${SCREENS}`);
  } finally {
    stopLoad();
    terminals.close();
  }
}

/**
 * @param {string} command
 * @param {number[]} size
 * @param {ReturnType<typeof tmux>} terminals
 * @param {Home} home
 */
function section(command, size, terminals, { root, home }) {
  const text = terminals.read(command, size).replaceAll(home, '/home/me/.nodecluster');
  const words = command === 'describe' ? 'describe api' : command;
  const rule = '='.repeat(size[0]);
  return `${rule}\n$ nodecluster ${words}\n${rule}\n${text.replaceAll(root, '/srv/shop').trimEnd()}\n`;
}

/** @param {Home} home */
function tmux({ root, env }) {
  const socket = join(root, 'tmux');
  const run = (/** @type {string[]} */ args) =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], { encoding: 'utf8', env });
  const nameOf = (/** @type {string} */ command, /** @type {number[]} */ size) =>
    `${command}-${size.join('x')}`;
  return {
    /** @param {string} command @param {number[]} size @param {string[]} args */
    open(command, [columns, rows], args) {
      const line = `'${NODE}' '${BIN}' ${args.join(' ')} 2>/dev/null; sleep 1000`;
      const window = ['-x', String(columns), '-y', String(rows)];
      run(['new-session', '-d', '-s', nameOf(command, [columns, rows]), ...window, line]);
    },
    /** @param {string} command @param {number[]} size @returns {string} with what has scrolled away */
    read: (command, size) => run(['capture-pane', '-p', '-S', '-', '-t', nameOf(command, size)]),
    close() {
      try {
        run(['kill-server']);
      } catch {
        // Nothing was opened.
      }
    },
  };
}

/**
 * @param {Home} home
 * @param {Record<string, Record<string, string>>} [moods]
 */
async function startShop({ run, root, ports }, moods = {}) {
  const program = join(root, 'shop.cjs');
  const apps = /** @type {[string, string][]} */ ([
    ['api', '4'],
    ['web', '2'],
    ['mailer', '1'],
  ]);
  for (const [index, [name, count]] of apps.entries()) {
    const env = { PORT: String(ports[index]), ...moods[name] };
    const patient = [
      '--max-restarts',
      '1000',
      '--max-restart-delay',
      '5m',
      '--listen-timeout',
      '60s',
    ];
    await run(['start', program, '--name', name, '-i', count, '-k', '2s', ...patient], { env });
  }
}

/** @param {Home} home */
async function startHundred({ begin, root, ports, list }) {
  const env = { PORT: String(ports[0]) };
  const program = join(root, 'shop.cjs');
  begin(['start', program, '--name', 'api', '-i', '100', '--listen-timeout', '5m'], { env });
  const online = async () =>
    (await list()).apps[0]?.workers.every((/** @type {any} */ { status }) => status === 'online');
  await until(online, 'a hundred workers', HUNDRED_MS);
}

/**
 * @param {number[]} ports
 * @returns {() => void} ends it
 */
function startLoad(ports) {
  let isOn = true;
  const client = async (/** @type {number} */ port, /** @type {number} */ thinkMs) => {
    while (isOn) {
      await ask(port, '/');
      await pause(thinkMs);
    }
  };
  const clients = ports.flatMap((port, index) => Array(8 >> (2 * index)).fill(port));
  for (const port of clients) client(port, 60);
  return () => {
    isOn = false;
  };
}

/**
 * @param {number} port
 * @param {string} path
 * @returns {Promise<void>} when it was answered, or failed, or has hung for long
 */
function ask(port, path) {
  return new Promise((resolve) => {
    const request = http.get({ port, path, host: '127.0.0.1', timeout: 2000, agent: false });
    request.on('response', (response) => response.resume());
    request.on('timeout', () => request.destroy());
    request.on('error', () => {});
    request.on('close', () => resolve());
  });
}
