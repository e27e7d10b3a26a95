// The usual script without a supervisor: node:cluster forks again on 'exit'.
import cluster from 'node:cluster';

const [script, workers = '2'] = process.argv.slice(2);
cluster.setupPrimary({ exec: script });
for (let i = 0; i < Number(workers); i++) cluster.fork();
cluster.on('exit', () => cluster.fork());

let listening = 0;
cluster.on('listening', () => {
  if (++listening === Number(workers)) console.log('all workers listen');
});
