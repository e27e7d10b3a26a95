// What one writes without a supervisor: node:cluster that forks again at 'exit'.
import cluster from 'node:cluster';

cluster.setupPrimary({ exec: process.argv[2] });
for (let i = 0; i < 2; i++) cluster.fork();
cluster.on('exit', () => cluster.fork());
