/**
 * The program of a worker with its agent, as the primary sees them: what it sends, when it exits, what it
 * does about signals. Its fate is chosen when it starts.
 */
import { AGENT_CMD } from '../../src/primary/worker/channel.js';
import { clock } from './clock.js';
import { Program, machine } from './processes.js';

const ADDRESS = '*:3000';

export class WorkerProgram extends Program {
  /** Its event loop. */
  isBlocked = false;
  isListening = false;
  isSick = false;
  #isLeaving = false;
  #answered = 0;
  /** As the primary has set it. */
  #pace;
  #hasClosedChannel = false;
  /** What it has not read yet. */
  #unread = [];
  #pending = [];

  constructor(fate, habits) {
    super();
    this.fate = fate;
    this.habits = habits;
  }

  begin() {
    const { random, slowness } = machine;
    if (this.fate === 'blocked') {
      this.isBlocked = true;
      return;
    }
    this.process.after(() => this.#load(), random.duration(60 * slowness));
  }

  #load() {
    if (!this.#isRunning(() => this.#load())) return;
    const { random, slowness } = machine;
    this.#tell({ type: 'loaded', ownsSignal: false });
    if (this.fate === 'fails') return this.#crashSoon(1, 50);
    if (this.fate === 'silent') return;
    this.process.after(() => this.listen(), random.duration(80 * slowness));
  }

  listen() {
    if (!this.#isRunning(() => this.listen())) return;
    const { random } = machine;
    if (this.fate === 'no port') {
      this.#tell({ type: 'fault', code: 'EADDRINUSE', address: null, port: 3000 });
      return this.#crashSoon(1, 20);
    }
    if (this.habits.isServer && !this.isListening) {
      this.isListening = true;
      this.#tell({ type: 'listening', name: ADDRESS, protocol: 'http' });
    }
    if (this.habits.saysReady) {
      this.process.after(() => this.process.send('ready'), random.duration(30));
    }
    this.isSick = this.fate === 'sick';
    if (this.fate === 'crashes') this.#crashSoon(random.pick([1, 134, 7]), 2000);
    if (this.fate === 'ends') this.#crashSoon(0, 1000);
  }

  /** Unless it is healed until then. */
  #crashSoon(code, meanMs) {
    const crash = () => {
      if (this.fate === 'sound') this.listen();
      else if (this.#isRunning(crash)) this.process.exit(code);
    };
    this.process.after(crash, machine.random.duration(meanMs));
  }

  exitSoon(code, meanMs) {
    this.process.after(() => {
      if (this.#isRunning(() => this.exitSoon(code, meanMs))) this.process.exit(code);
    }, machine.random.duration(meanMs));
  }

  /** Nothing is wrong with it from now on. */
  heal() {
    if (this.process.isDead) return;
    if (this.#hasClosedChannel) return this.process.exit(1);
    const wasSilent = this.fate === 'silent' || this.fate === 'blocked';
    this.fate = 'sound';
    this.isSick = false;
    this.unblock();
    if (wasSilent) this.process.after(() => this.#load(), 20);
  }

  unblock() {
    this.isBlocked = false;
    this.process.isStopped = false;
    for (const run of this.#unread.splice(0)) this.process.after(run, 0);
    for (const signal of this.#pending.splice(0)) this.onSignal(signal);
  }

  #isRunning(run) {
    const isRunning = !this.isBlocked && !this.process.isStopped;
    if (!isRunning) this.#unread.push(run);
    return isRunning;
  }

  onSignal(signal) {
    const { random } = machine;
    if (this.process.isStopped) return void this.#pending.push(signal);
    if (signal === 'SIGABRT') return this.process.exit(null, signal);
    const { onSignal } = this.habits;
    if (onSignal === 'default') return this.process.exit(null, signal);
    if (this.isBlocked) return void this.#pending.push(signal);
    if (onSignal === 'graceful') this.exitSoon(0, random.pick([5, 200]));
  }

  onMessage(message) {
    if (!this.#isRunning(() => this.onMessage(message))) return;
    if (message === 'shutdown') return this.exitSoon(0, 20);
    if (message?.cmd !== AGENT_CMD) return;
    const { type } = message;
    if (type === 'pace') {
      const isFirst = this.#pace === undefined;
      this.#pace = message;
      if (isFirst) this.#beat();
    }
    if (type === 'drain') this.#drain(message.timeoutMs);
    if (type === 'settle') this.#tell({ type: 'settled' });
    const reply = this.#replies[type];
    if (reply) this.#tell({ type, ...reply() });
  }

  /** by the type of the request */
  #replies = {
    'stop-signal': () => ({ signal: machine.random.pick(['SIGINT', null]) }),
    'server-sign': () => ({ sign: this.habits.isServer ? 'server' : 'none' }),
    telemetry: () => ({ report: {} }),
  };

  /** What its program does in between, the primary does not know. */
  #beat() {
    if (!this.#isRunning(() => this.#beat())) return;
    const load = { bytes: 1, open: 0, oldestMs: 0, answered: this.#answered, errors: 0 };
    const { everyMs, quietMs } = this.#pace;
    const nextMs = this.#isLeaving || machine.random.chance(0.5) ? everyMs : quietMs;
    this.#tell({ type: 'beat', nextMs, load });
    this.process.after(() => this.#beat(), nextMs);
  }

  #drain(timeoutMs) {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#beat();
    const { random } = machine;
    const open = random.chance(0.1) ? 1 : 0;
    const inMs = open > 0 ? timeoutMs : Math.min(timeoutMs, random.duration(200));
    const done = () => {
      if (this.#isRunning(done)) this.#tell({ type: 'drained', open });
    };
    this.process.after(done, inMs);
  }

  #tell(report) {
    this.process.send({ cmd: AGENT_CMD, ...report });
  }

  /** It has answered as many requests as it may. */
  wearOut() {
    this.#answered = 2000;
  }

  /** Node ends a worker of node:cluster then, unless the agent lets it finish its requests. */
  closeChannel() {
    if (!this.isListening) return this.exitSoon(0, 1);
    this.#hasClosedChannel = true;
    this.process.child?.closeChannel();
  }

  /** In fork mode, the next primary stops it. */
  onDisconnect() {
    if (!this.habits.hasAgent || !this.#isRunning(() => this.onDisconnect())) return;
    this.exitSoon(0, 500);
  }

  /** For a while. */
  block(forMs, byStop) {
    if (byStop) this.process.isStopped = true;
    else this.isBlocked = true;
    const { process } = this;
    // As the kernel, or the end of the loop: nothing of the program itself.
    clock.deliver(() => !process.isDead && this.unblock(), forMs, process);
  }
}
