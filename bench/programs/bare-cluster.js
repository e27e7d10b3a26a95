// The usual script without a supervisor: node:cluster forks again on 'exit'. SIGHUP replaces the
// workers: each new one listens before an old one is disconnected.
import cluster from 'node:cluster';

const [script, workers = '2'] = process.argv.slice(2);
cluster.setupPrimary({ exec: script });
for (let i = 0; i < Number(workers); i++) cluster.fork();
cluster.on('exit', (worker) => {
  if (!worker.exitedAfterDisconnect) cluster.fork();
});
process.on('SIGHUP', () => {
  for (const old of Object.values(cluster.workers ?? {})) {
    cluster.fork().once('listening', () => old?.disconnect());
  }
});

let listening = 0;
cluster.on('listening', () => {
  if (++listening === Number(workers)) console.log('all workers listen');
});
