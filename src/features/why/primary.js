/** Looks into workers: where a blocked one is, and profiles. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { stackInLine } from '../../lifecycle/hang-policy.js';
import { logInPrimary } from '../../primary/log/primary-log.js';
import { channelTo } from '../../primary/worker/channel.js';
import { setsInspector } from '../../primary/pool/launch.js';
import { isNode } from '../../shared/package/root.js';
import { poll } from '../../shared/deadline.js';
import { formatDuration } from '../../shared/units.js';
import {
  closeInspector,
  openInspector,
  programOutputOf,
  runInspector,
} from './primary-inspector.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { SlotSelection } from '../../protocol/request.js'
 * @import { Stack, StackState } from '../../protocol/shapes.js'
 * @import { Inspected, Opened } from './primary-inspector.js'
 * @import { SlotStack } from './record.js'
 */

/** @type {MakeFeature} */
export function why({ pool }, directory) {
  const inspections = new Inspections(pool, directory);
  return {
    worker: (worker) => ({ stderr: programOutputOf(worker) }),
    methods: {
      why: (params) => inspections.why(params),
      profile: (params) => inspections.profile(params),
    },
  };
}

/** A worker that blocks again and again is looked into this often, unless a command asks for it. */
const LOOK_INTERVAL_MS = 60_000;
/** Beyond the duration of a profile, for the process to start and to send it. */
const PROFILE_GRACE_MS = 600_000;
/** For what looks into a worker to end. */
const FREE = { timeoutMs: 3000, everyMs: 50 };
/** In words that follow 'it'. */
const TAKEN = 'is being looked into already';

/** Looks into the workers of one app: when a command asks for it, and once when an event loop blocks. */
class Inspections {
  /** Workers that are being looked into. @type {Set<WorkerHandle>} */
  #current = new Set();
  /** One process at a time takes stacks. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** When a worker of each slot was last looked into without a command. @type {Map<number, number>} */
  #lookedMs = new Map();
  #pool;
  #directory;

  /** @param {WorkerPool} pool @param {string} directory of this primary, for sockets */
  constructor(pool, directory) {
    this.#pool = pool;
    this.#directory = directory;
    pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
      if (worker.child) watchSignal(worker.child);
      worker.on('blocked', () => {
        this.#lookUnasked(worker).catch((error) => logInPrimary(String(error)));
      });
    });
  }

  /** @param {SlotSelection} params @returns {Promise<{workers: SlotStack[]}>} */
  async why({ slots: numbers }) {
    const workers = this.#pool.slotsOf(numbers).map(async (slot) => {
      const worker = this.#pool.mainWorkerOf(slot);
      const { pid = null, generation = slot.launch.generation } = worker ?? {};
      return { slot: slot.number, pid, generation, ...(await this.#stackOf(worker)) };
    });
    return { workers: await Promise.all(workers) };
  }

  /**
   * Starts the process that takes a profile and sends it to the command.
   * @param {PrimaryMethods['profile']['params']} params
   * @returns {Promise<PrimaryMethods['profile']['result']>} when the command may connect
   * @throws {NodeclusterError} E_INSPECT
   */
  async profile({ slot: number, kind, durationMs = 0, socket }) {
    const [slot] = this.#pool.slotsOf([number]);
    const worker = slot && this.#pool.mainWorkerOf(slot);
    const refuse = (/** @type {string} */ reason) =>
      new NodeclusterError('E_INSPECT', { app: slot?.launch.spec.name, slot: number, reason });
    if (!isRunning(worker)) throw refuse('does not run');
    // What the profile before it has told may not have been read yet.
    if (!(await this.#isFree(worker))) throw refuse(TAKEN);
    const { isResponsive, refusal } = await canInspect(worker);
    if (refusal !== null) throw refuse(refusal);
    const { pid, generation } = worker;
    const file = path.join(this.#directory, socket);
    const order = { kind, pid, needsSignal: !isResponsive, durationMs, socket: file };
    const isListening = await this.#record(worker, order);
    if (!isListening) throw refuse('could not be looked into: the process for that has failed');
    return { pid, generation, isBlocked: !isResponsive };
  }

  /** @param {WorkerHandle} worker */
  #isFree(worker) {
    return poll(() => !this.#current.has(worker), FREE);
  }

  /**
   * @param {Inspected} worker
   * @param {{kind: 'cpu' | 'heap', pid: number, needsSignal: boolean, durationMs: number, socket: string}} order
   * @returns {Promise<boolean>} whether the command may connect
   */
  #record(worker, order) {
    const { kind, needsSignal, durationMs, socket } = order;
    /** @type {Promise<Opened> | null} */
    let opened = null;
    const leave = async () => {
      const last = opened;
      opened = null;
      if (last === null) return;
      this.#current.delete(worker);
      worker.hold(false);
      if (needsSignal || (await last).wasOpen !== true) closeInspector(worker);
    };
    return new Promise((resolve, reject) => {
      const ended = runInspector(order, durationMs + PROFILE_GRACE_MS, {
        listening: () => resolve(true),
        left: leave,
        open: async () => {
          // It blocked meanwhile, and is looked into for that.
          if (!(await this.#isFree(worker))) return { error: TAKEN };
          this.#current.add(worker);
          if (kind === 'heap') worker.hold(true);
          opened = openInspector(worker, { isResponsive: !needsSignal, blocks: kind === 'heap' });
          return opened;
        },
      });
      void ended.catch(reject).then(() => {
        resolve(false);
        rmSync(socket, { force: true });
        return leave();
      });
    });
  }

  /** @param {WorkerHandle | undefined} worker @returns {Promise<Stack & Pick<SlotStack, 'peers'>>} */
  async #stackOf(worker) {
    if (!isRunning(worker)) return withoutFrames('unknown', 'does not run');
    const { isResponsive, refusal, peers } = await canInspect(worker);
    if (refusal !== null) return withoutFrames('unknown', refusal);
    if (isResponsive) return turning(checkPeers(peers));
    const stack = await this.#look(worker);
    if (stack.state === 'unknown' && worker.status === 'stopping') {
      return withoutFrames('unknown', (await canInspect(worker)).refusal);
    }
    if (worker.pulse.blockedSinceMs !== null) worker.noteStack(stack);
    return stack;
  }

  /** @param {Inspected} worker @returns {Promise<Stack>} when those before it are done */
  #look(worker) {
    const look = this.#last.then(async () => {
      if (this.#current.has(worker)) return withoutFrames('unknown', 'is being profiled');
      this.#current.add(worker);
      try {
        return await lookInside(worker);
      } finally {
        this.#current.delete(worker);
      }
    });
    this.#last = look.catch(() => {});
    return look;
  }

  /** @param {WorkerHandle} worker whose event loop is blocked */
  async #lookUnasked(worker) {
    const nowMs = performance.now();
    const lookedMs = this.#lookedMs.get(worker.slot) ?? -Infinity;
    if (nowMs - lookedMs < LOOK_INTERVAL_MS || !isRunning(worker)) return;
    const { isResponsive, refusal } = await canInspect(worker);
    if (isResponsive || refusal !== null) return;
    this.#lookedMs.set(worker.slot, nowMs);
    const stack = await this.#look(worker);
    const { blockedSinceMs } = worker.pulse;
    const text = stack.frames.length > 0 ? `is in ${stackInLine(stack.frames)}` : stack.note;
    if (blockedSinceMs === null || stack.state === 'unknown' || text === null) return;
    worker.noteStack(stack);
    const time = formatDuration(performance.now() - blockedSinceMs);
    const who = `${worker.launch.spec.name}:${worker.slot} (pid ${worker.pid})`;
    const note = `${who} ${text}; its event loop has been blocked for ${time}`;
    worker.logs.note(worker.slot, note);
    worker.reportEvent('worker.stack', text);
  }
}

/** @param {WorkerHandle | undefined} worker @returns {worker is Inspected} */
function isRunning(worker) {
  return worker?.isRunning ?? false;
}

/** @param {StackState} state @param {string | null} note @returns {Stack} */
function withoutFrames(state, note) {
  return { state, frames: [], note, at: Date.now() };
}

/** A worker that waited for its turn may not be blocked any more. */
const REPLY_MS = 100;
/** For the process to start, on a machine under load, and to do its work. */
const TIMEOUT_MS = 15_000;

/** Workers whose programs handle SIGUSR1 themselves. @type {WeakSet<ChildProcess>} */
const signalOwners = new WeakSet();

/** @param {ChildProcess} child whose agent reports that. Programs can forge it */
function watchSignal(child) {
  for (const type of ['inspection', 'loaded', 'signal', 'beat']) {
    channelTo(child).on(type, ({ ownsSignal }) => {
      if (ownsSignal === true) signalOwners.add(child);
      if (ownsSignal === false) signalOwners.delete(child);
    });
  }
}

/**
 * @param {WorkerHandle} worker
 * @returns {Promise<{isResponsive: boolean, refusal: string | null, peers: unknown}>} refusal: why its inspector must
 *   not be opened, in words that follow 'it'; null: it may be. peers: whom its program is connected to
 */
async function canInspect(worker) {
  const { child, launch } = worker;
  const { interpreter, execMode } = launch.spec;
  const isNodeProgram = execMode === 'cluster' || isNode(interpreter);
  const reply = isNodeProgram && child ? await channelTo(child).ask('inspection') : null;
  const isResponsive = reply !== null;
  const refusal = refusalOf({
    // Read last: it may have begun to end while it was asked.
    ending: worker.status === 'stopping' ? (worker.failure ?? '') : null,
    program: isNodeProgram ? null : (interpreter ?? launch.script),
    isResponsive,
    isConnected: child?.connected ?? false,
    ownsSignal: child !== undefined && signalOwners.has(child),
    hasOwnInspector: setsInspector(launch.spec, launch.env),
  });
  return { isResponsive, refusal, peers: reply?.peers };
}

/** @param {string[]} peers @returns {Stack & Pick<SlotStack, 'peers'>} */
function turning(peers) {
  const whom = `is not blocked: its event loop turns, and it is connected to ${peers.join(', ')}`;
  return { ...withoutFrames('running', peers.length > 0 ? whom : null), peers };
}

const MAX_PEERS = 10;
/** Characters of a host and its port. */
const MAX_PEER = 300;

/** @param {unknown} peers which programs can forge */
export function checkPeers(peers) {
  const known = Array.isArray(peers) ? peers.filter((peer) => typeof peer === 'string') : [];
  return known.slice(0, MAX_PEERS).map((peer) => peer.slice(0, MAX_PEER));
}

/**
 * Opens the inspector of a worker whose event loop is blocked, for less than a second, and closes it again.
 * @param {Inspected} worker
 * @returns {Promise<Stack>}
 */
async function lookInside(worker) {
  if ((await channelTo(worker.child).ask('inspection', {}, { timeoutMs: REPLY_MS })) !== null) {
    return withoutFrames('running', null);
  }
  const order = /** @type {const} */ ({ kind: 'stack', pid: worker.pid, needsSignal: true });
  let isSignalled = false;
  const result = await runInspector(order, TIMEOUT_MS, {
    open: () => {
      isSignalled = true;
      return openInspector(worker, { isResponsive: false });
    },
  });
  if (isSignalled) closeInspector(worker);
  const { state = 'unknown', frames = [], note = 'could not be looked into' } = result ?? {};
  return { state, frames, note, at: Date.now() };
}

/**
 * An agent that replies opens the inspector itself. Otherwise SIGUSR1 does, if Node gets it.
 * @param {object} facts about a worker whose JavaScript somebody wants to see
 * @param {string | null} facts.ending why it is being stopped, or '' for a command; null: it is not
 * @param {string | null} facts.program that is not Node, such as python3; null: it is one of Node
 * @param {boolean} facts.isResponsive its agent replies
 * @param {boolean} facts.isConnected its program has not closed the channel to the primary
 * @param {boolean} facts.ownsSignal its program handles SIGUSR1 itself
 * @param {boolean} facts.hasOwnInspector its inspector was set up by options of Node
 * @returns {string | null} why its inspector must not be opened; null: it may be
 */
export function refusalOf(facts) {
  const { ending, program, isResponsive, isConnected, ownsSignal, hasOwnInspector } = facts;
  if (ending !== null) return ending === '' ? 'is being stopped' : `is being stopped: ${ending}`;
  if (program !== null) return `runs ${program}, which is not Node`;
  if (isResponsive) return null;
  if (!isConnected) return 'has closed the channel to its parent, so it cannot be asked';
  if (hasOwnInspector) return 'has its own options for the inspector: attach a debugger there';
  return ownsSignal
    ? 'handles SIGUSR1 itself, so its inspector cannot be opened while it is blocked'
    : null;
}
