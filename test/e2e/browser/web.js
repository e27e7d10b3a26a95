/** `nodecluster web` in the home of a test, for as long as the test lasts. */
import { BIN, NODE } from '../../support/home.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

/** @import { testHome } from '../../support/home.js' */

/**
 * @param {ReturnType<typeof testHome>} home
 * @param {{teardown: (fn: () => unknown) => void}} t a tap test
 * @param {string[]} args
 */
export async function startWeb(home, t, ...args) {
  const words = ['web', '--listen', '127.0.0.1:0', ...args];
  const child = spawnClean(NODE, [BIN, ...words], { cwd: home.root, env: home.env });
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (said += text));
  child.stdout?.setEncoding('utf8').on('data', (text) => (said += text));
  const links = () => said.match(/http:\/\/\S+#token=\S+(?=\n)/g) ?? [];
  const link = String(await until(() => links()[0], 'the link'));
  /** When a link was used, the next one is printed. */
  const nextLink = async () => String(await until(() => links()[1], 'the next link'));
  return { child, link, nextLink };
}
