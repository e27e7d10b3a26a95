/**
 * The daemon in the background: `node src/daemon/main.js [home] [mode]`. It exits silently if the home
 * directory already has one, unless it replaces that.
 */
import { NodeclusterError } from '../errors/error.js';
import { resolveHome } from '../shared/home.js';
import { runDaemon } from './run.js';

start().catch((thrown) => {
  const { message, hint, exitCode } = NodeclusterError.from(thrown);
  console.error(hint ? `${message}\n${hint}` : message);
  process.exit(exitCode);
});

async function start() {
  const [home = resolveHome(process.env), requested = 'background'] = process.argv.slice(2);
  const mode = requested === 'update' || requested === 'recovery' ? requested : 'background';
  const exit = (/** @type {number} */ code) => process.exit(code);
  await runDaemon(home, mode, exit);
}
