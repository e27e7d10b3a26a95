// The usual script without a supervisor: node:cluster forks again on 'exit'.
import cluster from 'node:cluster';

cluster.setupPrimary({ exec: process.argv[2] });
for (let i = 0; i < 2; i++) cluster.fork();
cluster.on('exit', () => cluster.fork());
