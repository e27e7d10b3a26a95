/** node bare.js <cluster|fork> <file> [flags]: the file as a child of Node alone; it exits as the child does. */
import { fork } from 'node:child_process';
import cluster from 'node:cluster';

const [mode, file, ...execArgv] = process.argv.slice(2);
cluster.setupPrimary({ exec: file, args: [], execArgv });
const child = mode === 'cluster' ? cluster.fork().process : fork(file, [], { execArgv });
child.on('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code ?? 1);
});
