/**
 * Machines as network namespaces, joined by a bridge. The namespaces have no names: each ends with
 * the process that holds it, so nothing is left behind, whatever happens.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';

const NETWORK = '10.99.0';
const INSIDE = 'NODECLUSTER_BENCH_INSIDE';
export const BALANCER = `${NETWORK}.1`;

/**
 * Runs this script again in a network namespace of its own, which becomes the balancer's machine.
 * @param {string} script
 * @returns {number | null} its exit code; null: this process is the one inside
 */
export function enterNamespace(script) {
  if (process.env[INSIDE]) return null;
  const { status } = spawnSync(
    'unshare',
    ['--net', process.execPath, script, ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } },
  );
  return status ?? 1;
}

export function makeBridge() {
  ip('link set lo up');
  ip('link add name bridge type bridge');
  ip(`addr add ${BALANCER}/24 dev bridge`);
  ip('link set bridge up');
}

/** @param {number} number from 1 @param {string} root an empty directory */
export async function makeMachine(number, root) {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  const { pid } = holder;
  const [name, address] = [`machine${number}`, `${NETWORK}.${10 + number}`];
  ip(`link add ${name} type veth peer name eth0 netns ${pid}`);
  ip(`link set ${name} master bridge up`);
  const inside = ['-t', String(pid), '--net'];
  const ipInside = (/** @type {string} */ words) =>
    execFileSync('nsenter', [...inside, 'ip', ...words.split(' ')]);
  ipInside('link set lo up');
  ipInside(`addr add ${address}/24 dev eth0`);
  ipInside('link set eth0 up');
  const node = `${root}/node`;
  writeFileSync(node, `#!/bin/sh\nexec nsenter ${inside.join(' ')} '${process.execPath}' "$@"\n`);
  chmodSync(node, 0o755);
  return {
    name,
    address,
    /** A Node on that machine. */
    node,
    /** The cable is pulled, or plugged in again. @param {boolean} isUp */
    setLink: (isUp) => ip(`link set ${name} ${isUp ? 'up' : 'down'}`),
    remove: () => holder.kill('SIGKILL'),
  };
}

/** @param {string} words */
function ip(words) {
  execFileSync('ip', words.split(' '));
}
