/**
 * The daemon in the background: `node src/daemon/main.js [home]`. It exits silently if the home
 * directory already has one.
 */
import { NodeclusterError } from '../errors/error.js';
import { resolveHome } from '../shared/home.js';
import { runDaemon } from './run.js';

try {
  const home = process.argv[2] ?? resolveHome(process.env);
  await runDaemon(home, 'background', (code) => process.exit(code));
} catch (thrown) {
  const { message, hint, exitCode } = NodeclusterError.from(thrown);
  console.error(hint ? `${message}\n${hint}` : message);
  process.exit(exitCode);
}
