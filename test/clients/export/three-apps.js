/** The apps of one ecosystem file as the tests export them: a server, a worker and a job. */
import { exported } from '../../../src/clients/export/kubernetes.js';
import { specWith } from '../../support/spec.js';

const shop = {
  cwd: '/srv/shop',
  configFile: '/srv/shop/ecosystem.yml',
  shellEnv: { SHELL_ONLY: 'of the shell' },
};

export function shopApp(more) {
  return specWith({ ...shop, script: `/srv/shop/src/${more.name}.js`, ...more });
}

export const threeApps = [
  shopApp({
    name: 'web',
    namespace: 'shop',
    instances: 4,
    maxMemoryRestartBytes: 300 * 1024 ** 2,
    hangTimeoutMs: 60_000,
    dependsOn: { queue: 'ready' },
    scheduling: 'sticky',
    env: {
      NODE_ENV: 'production',
      PORT: '3000',
      FEATURES: 'yes',
      PRICE: '$5 $(each)',
      DB_PASSWORD: 'hunter2',
      DATABASE_URL: 'postgres://shop:hunter2@db/shop',
    },
  }),
  shopApp({
    name: 'queue',
    execMode: 'fork',
    interpreter: 'node',
    args: ['--port', '4000', '--token', 'hunter2', '--key=hunter2'],
    killTimeoutMs: 20_000,
    uid: 1200,
    gid: 1201,
    outFile: '/var/log/queue.log',
    pidFile: '/run/queue.pid',
    watch: true,
    env: { REDIS_URL: 'redis://localhost:6379' },
  }),
  shopApp({ name: 'nightly', autorestart: false, cronRestart: '30 3 * * 1-5' }),
];

export function exportOf(specs, options = {}) {
  return exported({ specs, options }, 'ecosystem.yml');
}
