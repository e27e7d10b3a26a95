/**
 * Containers of packaging/container/Dockerfile behind HAProxy, each reloaded and then replaced by another one under load:
 * the new one is started, and the old one is stopped when the new one is ready. The exit code is 1 if a request was lost,
 * or if a container failed.
 * Needs Linux, root, podman and haproxy in PATH.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { generateLoad } from '../../http-load.js';
import { until } from '../../until.js';
import { startBalancer } from '../../balancer.js';
import { buildImage, podman } from './image.js';

const NETWORK = 'nodecluster-bench';
const SUBNET = '10.89.7';
const FRONT = 8000;
const START_MS = 60_000;
/** On kept connections, and as many on new ones. */
const CLIENTS = 10;
const REPLACEMENTS = 1;
const NAMES = ['one', 'two'];
const FILES = {
  'server.mjs': readFileSync(
    new URL('../../../fixtures/apps/slow-20ms.mjs', import.meta.url),
    'utf8',
  ),
  'ecosystem.yml': `apps:
  - name: shop
    script: server.mjs
    instances: 2
    env: {PORT: 3000}
    shutdown_delay: 5s
`,
};
const LOCKED = '--read-only --read-only-tmpfs=false --user 12345:12345 --cap-drop all';

const directory = mkdtempSync(`${tmpdir()}/nc-container-`);
try {
  const image = await buildImage(directory, FILES);
  await podman(['network', 'create', '--subnet', `${SUBNET}.0/24`, NETWORK]);
  await measure(image);
} finally {
  await podman(['rm', '--force', '--ignore', '--time', '0', ...NAMES]);
  await podman(['network', 'rm', '--force', NETWORK]);
  rmSync(directory, { recursive: true, force: true });
}

async function measure(image) {
  await start(image, 0);
  const balancer = await startBalancer(directory, {
    listen: `127.0.0.1:${FRONT}`,
    servers: NAMES.map((_, index) => `${addressOf(index)}:3000`),
    probePort: 9464,
  });
  try {
    const isUp = async (index) =>
      (await balancer.servers())[`machine${index + 1}`].status.startsWith('UP');
    await until(() => isUp(0), 'the first container to be ready', START_MS);
    const [kept, fresh] = [true, false].map((keepAlive) =>
      generateLoad({ port: FRONT, clients: CLIENTS, keepAlive }),
    );
    const codes = [];
    for (let count = 0; count < REPLACEMENTS; count++) {
      const [old, next] = count % 2 === 0 ? [0, 1] : [1, 0];
      await podman(['exec', NAMES[old], 'nodecluster', 'reload', 'shop']);
      await start(image, next);
      await until(() => isUp(next), 'the new container to be ready', START_MS);
      await kept.answers(100);
      codes.push(await stop(old));
      await fresh.answers(100);
    }
    const ended = await Promise.all([kept, fresh].map((load) => load.stop()));
    console.log(JSON.stringify({ ended, codes }));
    if (ended.some(({ failed }) => failed) || codes.some((code) => code !== '0')) {
      process.exitCode = 1;
    }
  } finally {
    await balancer.stop();
  }
}

function addressOf(index) {
  return `${SUBNET}.${11 + index}`;
}

async function start(image, index) {
  // The same one every time: the kernel remembers which belongs to an address.
  const mac = `02:00:00:00:00:0${index}`;
  const place = ['--network', NETWORK, '--ip', addressOf(index), '--mac-address', mac];
  const name = ['--name', NAMES[index]];
  await podman(['run', '--detach', ...name, ...place, ...LOCKED.split(' '), image]);
}

async function stop(index) {
  await podman(['stop', '--time', '30', NAMES[index]]);
  const code = await podman(['inspect', '--format', '{{.State.ExitCode}}', NAMES[index]]);
  await podman(['rm', NAMES[index]]);
  return code;
}
