/**
 * Free ports below the kernel's range for local ports of outgoing connections: a port in that range
 * can be taken at any moment. They are divided into blocks. A process of tests has a block while it
 * listens on its first port, so no other one, of this run or of another on this machine, uses the rest.
 */
import { createServer } from 'node:net';

const PORTS = { first: 12_000, count: 20_000, size: 200 };
const LOW_PORTS = { first: 700, count: 324, size: 6 };

/** Takes that many consecutive ones. */
export const freePorts = portsOf(PORTS);
const nextLowPorts = portsOf(LOW_PORTS);

/** @returns {Promise<number>} a port that is free on every address of this machine */
export async function freePort() {
  return (await freePorts(1))[0];
}

/** @returns {Promise<number>} a port below 1024 that is free on every address, for root */
export async function freeLowPort() {
  return (await nextLowPorts(1))[0];
}

/** @param {typeof PORTS} range @returns {(count: number) => Promise<number[]>} */
function portsOf({ first, count: all, size }) {
  const blocks = all / size;
  let block = process.pid % blocks;
  /** @type {number[]} of the block that this process has */
  let own = [];
  const take = async (/** @type {number} */ count) => {
    for (let changes = 0; changes < blocks; changes++) {
      for (let tries = 0; tries < own.length; tries++) {
        const ports = own.slice(0, count);
        own.push(...own.splice(0, isRow(ports) ? count : 1));
        if (isRow(ports) && (await Promise.all(ports.map(isFree))).every(Boolean)) return ports;
      }
      block = (block + 1) % blocks;
      const [mark, ...rest] = Array.from({ length: size }, (_, i) => first + block * size + i);
      own = (await isTaken(mark)) ? rest : [];
    }
    throw new Error(`no ${count} free ports from ${first} to ${first + all - 1}`);
  };
  /** @type {Promise<unknown>} */
  let turn = Promise.resolve();
  return (count) => {
    const ports = turn.then(() => take(count));
    turn = ports.catch(() => {});
    return ports;
  };
}

/** @param {number[]} ports */
function isRow(ports) {
  return ports.every((port, index) => port === ports[0] + index);
}

/** @param {number} port @returns {Promise<boolean>} whether this process listens on it from now on */
function isTaken(port) {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true)).unref();
  });
}

/** @param {number} port */
async function isFree(port) {
  return (await canBind(port, '0.0.0.0')) && (await canBind(port, '::'));
}

/**
 * @param {number} port
 * @param {string} host an address family that the machine does not have counts as free
 */
function canBind(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
