/**
 * Unix sockets between the simulated processes. The file of a socket is a real one, so that it can be
 * renamed and removed; the connection is simulated: each message takes its time, in order, and is lost
 * with the process that it is for. No descriptor can be sent.
 */
import { Duplex } from 'node:stream';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
import { clock } from './clock.js';
import { machine } from './processes.js';

const MEAN_DELAY_MS = 0.3;

/** One end of a connection. */
export class SimulatedSocket extends Duplex {
  peer = null;
  #arrivesMs;

  constructor(owner, openMs = 0) {
    super({ allowHalfOpen: false });
    this.owner = owner;
    this.#arrivesMs = clock.nowMs + openMs;
    machine.resourcesOf(owner).add(this);
  }

  #deliver(arrives) {
    const { peer } = this;
    if (peer === null) return;
    const delayMs = machine.random.duration(MEAN_DELAY_MS * machine.slowness);
    this.#arrivesMs = Math.max(this.#arrivesMs, clock.nowMs + delayMs);
    clock.deliver(arrives, this.#arrivesMs - clock.nowMs, peer.owner);
  }

  _write(chunk, _encoding, done) {
    const { peer } = this;
    this.#deliver(() => peer !== null && !peer.destroyed && peer.push(chunk));
    done();
  }

  _read() {}

  _final(done) {
    const { peer } = this;
    this.#deliver(() => peer !== null && !peer.destroyed && peer.push(null));
    done();
  }

  _destroy(error, done) {
    machine.resourcesOf(this.owner).delete(this);
    this.#deliver(() => this.peer?.lost());
    done(error);
  }

  /** The other end is gone. */
  lost() {
    if (this.destroyed) return;
    this.push(null);
    this.destroy();
  }

  /** Its process has exited. */
  release() {
    this.#deliver(() => this.peer?.lost());
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }
}

function socketPair(one, other) {
  const ends = [new SimulatedSocket(one), new SimulatedSocket(other)];
  [ends[0].peer, ends[1].peer] = [ends[1], ends[0]];
  return ends;
}

/** By what is in the file: another one may have its inode some day. */
const servers = new Map();
let lastName = 0;

class SimulatedServer extends EventEmitter {
  #name = '';
  #connections = new Set();
  #isClosed = false;
  #onClosed = [];

  constructor(...args) {
    super();
    this.owner = clock.owner;
    const accept = args.find((each) => typeof each === 'function');
    if (accept) this.on('connection', accept);
  }

  listen(path, onListening) {
    if (onListening) this.once('listening', onListening);
    this.#name = `socket ${++lastName}`;
    fs.writeFileSync(path, this.#name, { mode: 0o600, flag: 'wx' });
    servers.set(this.#name, this);
    machine.resourcesOf(this.owner).add(this);
    clock.deliver(() => this.emit('listening'), 0, this.owner);
    return this;
  }

  accept(socket) {
    // The kernel resets what nobody has accepted.
    if (this.#isClosed) return socket.destroy();
    this.#connections.add(socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#endIfIdle();
    });
    this.emit('connection', socket);
  }

  close(onClosed = () => {}) {
    this.release();
    machine.resourcesOf(this.owner).delete(this);
    this.#isClosed = true;
    this.#onClosed.push(onClosed);
    this.#endIfIdle();
    return this;
  }

  #endIfIdle() {
    if (!this.#isClosed || this.#connections.size > 0) return;
    for (const onClosed of this.#onClosed.splice(0)) clock.deliver(onClosed, 0, this.owner);
  }

  /** Nobody listens there any more. */
  release() {
    servers.delete(this.#name);
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }
}

function connect(path) {
  const owner = clock.owner;
  const delayMs = machine.random.duration(MEAN_DELAY_MS * machine.slowness);
  const socket = new SimulatedSocket(owner, delayMs);
  const found = fs.statSync(path, { throwIfNoEntry: false });
  const server = found?.isFile() ? servers.get(fs.readFileSync(path, 'utf8')) : undefined;
  if (!server) {
    const code = found ? 'ECONNREFUSED' : 'ENOENT';
    const error = Object.assign(new Error(`connect ${code} ${path}`), { code });
    clock.deliver(() => socket.destroy(error), delayMs, owner);
    return socket;
  }
  // The kernel accepts for a process that is frozen.
  const accepted = new SimulatedSocket(server.owner, delayMs);
  [socket.peer, accepted.peer] = [accepted, socket];
  clock.deliver(() => server.accept(accepted), delayMs, server.owner);
  clock.deliver(() => socket.emit('connect'), delayMs, owner);
  return socket;
}

/** Forgets all sockets. */
export function resetWire() {
  servers.clear();
  lastName = 0;
}

function showSockets(module, name) {
  const real = module[name];
  module[name] = (...args) => {
    const found = Reflect.apply(real, module, args);
    if (found && /\.sock$|~$/.test(String(args[0])) && found.isFile()) found.isSocket = () => true;
    return found;
  };
}

// They are made when they are first used, and must be real.
void [process.stdout, process.stderr];
machine.makePipe = socketPair;
showSockets(fs, 'lstatSync');
Object.assign(net, {
  Server: SimulatedServer,
  Socket: SimulatedSocket,
  createServer: (...args) => new SimulatedServer(...args),
  connect,
});
syncBuiltinESMExports();
