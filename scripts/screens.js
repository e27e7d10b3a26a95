/**
 * Takes the pictures of `ls`, `describe` and `monit` in docs/screens/: runs the program in a real
 * terminal (tmux) and writes the cells of the screen as SVG. npm run screens
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inHome, NODE } from '../test/support/home.js';
import { freePorts } from '../test/support/ports.js';
import { until } from '../test/support/until.js';
import { startLoad } from './screens/load.js';
import { startShop } from './screens/start-shop.js';
import { screenToSvg } from './screens/svg.js';

/**
 * @import { testHome as TestHome } from '../test/support/home.js'
 * @import { ShopApp } from './screens/start-shop.js'
 */

const BIN = fileURLToPath(new URL('../bin/nodecluster.js', import.meta.url));
const PICTURES = fileURLToPath(new URL('../docs/screens/', import.meta.url));
const COLUMNS = 104;
/** Long enough for the bars of `monit`. */
const WARM_MS = 30_000;

/** One worker of `web` crashes as soon as it starts. @type {ShopApp[]} */
const APPS = [
  { name: 'api', workers: '4' },
  { name: 'web', workers: '2', env: { CRASH_SLOT: '1' } },
  { name: 'mailer', workers: '1' },
];

const pictures = {
  ls: { args: ['ls'], rows: 20, shows: /mailer/ },
  describe: { args: ['describe', 'web'], rows: 80, shows: /What to do now/ },
  monit: { args: ['monit'], rows: 26, shows: /backoff \d+s/ },
};

await inHome(async (/** @type {ReturnType<TestHome>} */ home) => {
  const ports = await freePorts(APPS.length);
  const stopLoad = startLoad(ports);
  const tmux = startTmux(home);
  try {
    await startShop(home, APPS, ports);
    tmux.open('monit');
    await pause(WARM_MS);
    await tmux.shows('monit');
    tmux.open('ls');
    tmux.open('describe');
    await tmux.shows('ls');
    await tmux.shows('describe');
    mkdirSync(PICTURES, { recursive: true });
    for (const name of /** @type {(keyof typeof pictures)[]} */ (Object.keys(pictures))) {
      const screen = tmux
        .read(name)
        .replaceAll(home.home, '/home/me/.nodecluster')
        .replaceAll(home.root, '/srv/shop');
      writeFileSync(join(PICTURES, `${name}.svg`), screenToSvg(screen, COLUMNS));
      console.log(`docs/screens/${name}.svg`);
    }
  } finally {
    stopLoad();
    tmux.close();
  }
});

/** @param {ReturnType<TestHome>} home */
function startTmux({ root, env }) {
  const socket = join(root, 'tmux');
  const utf8 = { ...env, LANG: 'C.UTF-8' };
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-u', '-f', '/dev/null', '-S', socket, ...args], {
      encoding: 'utf8',
      env: utf8,
    });
  /** @param {keyof typeof pictures} name @returns {string} with its colours */
  const read = (name) => run('capture-pane', '-e', '-p', '-t', name).trimEnd();
  return {
    read,
    /** @param {keyof typeof pictures} name */
    open(name) {
      const { args, rows } = pictures[name];
      const command = args.join(' ');
      const prompt = name === 'monit' ? '' : `echo '$ nodecluster ${command}'; `;
      const line = `${prompt}'${NODE}' '${BIN}' ${command} 2>/dev/null; sleep 1000`;
      run('new-session', '-d', '-s', name, '-x', String(COLUMNS), '-y', String(rows), line);
    },
    /** @param {keyof typeof pictures} name */
    shows: (name) => until(() => pictures[name].shows.test(read(name)), name),
    close() {
      try {
        run('kill-server');
      } catch {
        // Nothing was opened.
      }
    },
  };
}
