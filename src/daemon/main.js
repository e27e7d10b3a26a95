/**
 * The daemon: `node src/daemon/main.js [home]`. It exits silently if the home directory already has
 * one.
 */
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, resolveHome } from '../shared/home.js';
import { startDaemon } from './daemon.js';
import { isManaged } from './init-system.js';
import { takeLock } from './lock.js';
import { openLog } from './log.js';

try {
  await main();
} catch (thrown) {
  const { message, hint } = NodeclusterError.from(thrown);
  console.error(hint ? `${message}\n${hint}` : message);
  process.exit(NodeclusterError.from(thrown).exitCode);
}

async function main() {
  const home = process.argv[2] ?? resolveHome(process.env);
  const paths = ensureHome(home);
  process.chdir(home);
  if (!takeLock(home)) process.exit(0);
  process.title = 'nodecluster: daemon';
  const log = openLog(paths.daemonLog);
  for (const event of /** @type {const} */ (['uncaughtException', 'unhandledRejection'])) {
    process.on(event, (error) => {
      log.error('daemon.failed', { because: event, stack: String(error?.stack ?? error) });
      process.exit(1);
    });
  }
  const started = startDaemon(paths, log, () => process.exit(0));
  // Log rotation may send it before the daemon is ready, and unhandled it would kill this process.
  process.on('SIGUSR2', () => started.then((daemon) => daemon.reopenLogs()));
  const daemon = await started;
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
    process.once(signal, () => daemon.leave(signal, { isLast: isManaged }));
  }
  process.on('SIGHUP', () => {});
}
