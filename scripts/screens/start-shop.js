/** Starts the apps that the pictures show. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { testHome } from '../../test/support/home.js' */

const SHOP = fileURLToPath(new URL('./shop.cjs', import.meta.url));

/**
 * @typedef {object} ShopApp
 * @property {string} name
 * @property {string} workers as for `-i`
 * @property {Record<string, string>} [env]
 */

/**
 * @param {ReturnType<typeof testHome>} home
 * @param {ShopApp[]} apps
 * @param {number[]} ports one for each
 * @param {string[]} [options] of every one
 */
export async function startShop({ run, root }, apps, ports, options = []) {
  copyFileSync(SHOP, join(root, 'shop.cjs'));
  for (const [index, { name, workers, env }] of apps.entries()) {
    const args = ['start', 'shop.cjs', '--name', name, '-i', workers, '-k', '2s'];
    const restarts = ['--max-restarts', '1000', '--max-restart-delay', '5m'];
    await run([...args, ...restarts, ...options], {
      env: { PORT: String(ports[index]), ...env },
    });
  }
}

/**
 * A job, whose first run has ended.
 * @param {ReturnType<typeof testHome>} home
 */
export async function startReport({ ok, root }) {
  writeFileSync(join(root, 'report.cjs'), 'setTimeout(() => {}, 1400);\n');
  await ok(['start', 'report.cjs', '--name', 'report', '--schedule', '*/5 * * * *']);
  await ok(['run-now', 'report']);
}
