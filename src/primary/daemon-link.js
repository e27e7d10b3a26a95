/**
 * Knows whether a daemon is connected, and starts a new one if it exited without a goodbye; one that is
 * frozen is killed first. All primaries of a home directory notice that at once, so each waits for a
 * random time, and starts none while one is on its way; the daemon's lock lets only one daemon run.
 */
import { existsSync } from 'node:fs';
import { attempt } from '../errors/error.js';
import { doublingDelay } from '../lifecycle/delays.js';
import { PING_INTERVAL_MS, describeFreeze, judgeProcess } from '../lifecycle/frozen-policy.js';
import { ProcessPulse } from '../shared/processes/activity.js';
import { restoreHome } from '../shared/home.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { identify, isCertain } from '../shared/processes/identity.js';
import { isRunning, launchDetached, OWN_FILE } from '../shared/processes/launch.js';
import { sendSignal } from '../shared/processes/signal.js';
import { logInPrimary } from './log/primary-log.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { Hello, RequestContext } from '../protocol/wire.js'
 * @import { PrimaryLaunch } from '../shared/processes/records.js'
 */

const FIRST_DELAY_MS = 300;
const RANDOM_DELAY_MS = 900;
/** After an init system has not started the next one by itself. */
const MANAGED_DELAY_MS = 15_000;
const MAX_DELAY_MS = 30_000;
/** A daemon that has not taken the lock after this time hangs: Node may wait forever for a thread that it could not start. */
const HUNG_MS = 60_000;
/** A daemon that ran for this long can start, so it is the one to start again. */
const PROVEN_MS = 10_000;

/** @typedef {PrimaryLaunch['daemon'] & {home: string, log: string, env: Record<string, string>}} DaemonLaunch */

export class DaemonLink {
  #connections = 0;
  #failures = 0;
  /** How many it has started since one has proven itself, or one of another version has connected. */
  #turns = 0;
  #isLossExpected = false;
  #isManaged = false;
  /** How the last daemon that connected was started. @type {Partial<DaemonLaunch> | undefined} */
  #latest;
  /** Of the last daemon that connected. @type {{pid: number, pulse: ProcessPulse} | null} */
  #watched = null;
  /** The last one that this primary has started. @type {ChildProcess | null} */
  #started = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {DaemonLaunch | null} launch null: this primary runs as another user and starts none */
  constructor(launch) {
    this.launch = launch;
  }

  /** @param {RequestContext} ctx @param {PrimaryMethods['subscribe']['params']} daemon */
  connected(ctx, { isManaged = false, daemon: launch }) {
    clearTimeout(this.#timer);
    this.#connections += 1;
    this.#failures = 0;
    this.#isLossExpected = false;
    this.#isManaged = isManaged;
    if (launch?.script !== this.#latest?.script) this.#turns = 0;
    this.#latest = launch;
    this.#watch(ctx.peer.pid);
    const connectedMs = performance.now();
    ctx.onClose(() => {
      if (performance.now() - connectedMs >= PROVEN_MS) {
        this.#turns = 0;
        Object.assign(this.launch ?? {}, launch);
      }
      this.#onClose();
    });
  }

  /** A daemon that is not frozen pings, or sends something else. @param {Pick<Hello, 'pid'>} peer */
  heardFrom({ pid }) {
    if (pid === this.#watched?.pid) this.#watched?.pulse.answered();
    return null;
  }

  expectLoss() {
    this.#isLossExpected = true;
  }

  close() {
    this.#isLossExpected = true;
    this.#watched?.pulse.end();
    clearTimeout(this.#timer);
  }

  /** @param {number} [pid] of a daemon; this primary could start another one in its place */
  #watch(pid) {
    this.#watched?.pulse.end();
    const daemon = pid !== undefined && this.launch !== null ? identify(pid) : null;
    this.#watched = daemon && {
      pid: daemon.pid,
      pulse: new ProcessPulse(daemon.pid, {
        everyMs: PING_INTERVAL_MS,
        judge: judgeProcess,
        judged: (verdict, activity) => {
          if (verdict !== 'frozen' || !isCertain(daemon)) return;
          const does = activity ? describeFreeze(activity) : '';
          logInPrimary(`The daemon (pid ${daemon.pid}) is killed: it ${does}.`);
          // Its connections close, as with any daemon that was killed.
          sendSignal(daemon.pid, 'SIGKILL');
        },
      }),
    };
  }

  #onClose() {
    this.#connections -= 1;
    // The next daemon may be there already.
    if (this.#connections > 0) return;
    this.#watched?.pulse.end();
    this.#watched = null;
    this.#startSoon();
  }

  #startSoon() {
    if (this.#isLossExpected) return;
    const firstMs = this.#isManaged ? MANAGED_DELAY_MS : FIRST_DELAY_MS;
    const delayMs = doublingDelay(this.#failures, firstMs, MAX_DELAY_MS);
    this.#failures += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startDaemon(), delayMs + Math.random() * RANDOM_DELAY_MS);
  }

  #startDaemon() {
    const { launch } = this;
    if (this.#connections > 0 || launch === null) return;
    try {
      if (!this.#isComing(launch)) this.#launchDaemon(launch);
    } catch (error) {
      noteFailure(/** @type {Error} */ (error));
    }
    // Repeated until one is connected: it may die during its start, or lose the lock to a slow one.
    this.#startSoon();
  }

  /** Hundreds of primaries would start hundreds that only find the lock taken. @param {DaemonLaunch} launch */
  #isComing({ home }) {
    return (this.#started !== null && isRunning(this.#started)) || daemonPid(home) !== null;
  }

  /** The latest first, which somebody may have killed; then by turns, since it may be one that cannot run. @param {DaemonLaunch} own */
  #launchDaemon(own) {
    this.#turns += 1;
    const isTurnOfLatest = this.#turns % 2 === 1;
    const { execPath, script, home, log, env } = { ...own, ...(isTurnOfLatest && this.#latest) };
    // nvm and others remove a Node that has run once.
    const isRemoved = process.platform === 'linux' && !existsSync(execPath);
    const command = [isRemoved ? OWN_FILE : execPath, script, home, 'recovery'];
    // Another user may have put a directory with another script in its place.
    restoreHome(home);
    const daemon = launchDetached(command, { home, log, env }).on('error', noteFailure);
    this.#started = daemon;
    const endHung = () => {
      const mayHang = isRunning(daemon) && this.#connections === 0;
      if (mayHang && daemonPid(home) !== daemon.pid) daemon.kill();
    };
    // If it is not known who holds the lock, it stays.
    setTimeout(attempt, HUNG_MS, endHung, undefined).unref();
  }
}

/** @param {Error} error */
function noteFailure({ message }) {
  logInPrimary(`Could not start a daemon: ${message}`);
}
