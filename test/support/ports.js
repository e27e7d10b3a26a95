/**
 * Free ports below the kernel's range for local ports of outgoing connections: a port in that range
 * can be taken at any moment. Each tap job has its own part, and each process starts at a different
 * place in it.
 */
import { createServer } from 'node:net';

const FIRST = 12_000;
const FIRST_LOW = 700;
const PART = 2_500;
const PARTS = 8;

const first = FIRST + (Number(process.env.TAP_JOB_ID ?? 0) % PARTS) * PART;
let next = (process.pid * 37) % PART;

/** @returns {Promise<number>} a port that is free on every address of this machine */
export async function freePort() {
  return (await freePorts(1))[0];
}

/** @returns {Promise<number>} a port below 1024 that is free on every address, for root */
export async function freeLowPort() {
  for (let port = FIRST_LOW + (process.pid % 200); port < 1024; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error('every low port is taken');
}

/**
 * @param {number} count number of consecutive ports
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  for (let tries = 0; tries < PART; tries++) {
    const ports = take(count);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports;
  }
  throw new Error(`no ${count} free ports between ${first} and ${first + PART}`);
}

/** @param {number} count */
function take(count) {
  if (next + count > PART) next = 0;
  const ports = Array.from({ length: count }, (_, index) => first + next + index);
  next += count;
  return ports;
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
