/** Looks into workers: where a blocked one is, and profiles. */
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { innermostOf, stackInLine } from '../../lifecycle/hang-policy.js';
import { channelTo } from '../../primary/worker/channel.js';
import { setsInspector } from '../../primary/pool/launch.js';
import { isNode } from '../../shared/package/root.js';
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
 * @import { SlotSelection, Stack, StackState } from '../../protocol/shapes.js'
 * @import { Inspected } from './primary-inspector.js'
 * @import { SlotStack } from './record.js'
 */

/** @type {MakeFeature} */
export function why({ pool }, directory, guard) {
  const inspections = new Inspections(pool, directory);
  /** @param {WorkerHandle} worker */
  const follow = (worker) => {
    if (worker.child) watchSignal(worker.child);
    const look = guard(() => inspections.lookUnasked(worker));
    worker.on('blocked', look);
  };
  pool.on('worker', guard(follow));
  return {
    worker: (worker) => ({ stderr: programOutputOf(worker) }),
    methods: {
      why: (params) => inspections.why(params),
      profile: (params) => inspections.profile(params),
      'end-profile': (params) => inspections.endProfile(params),
    },
  };
}

/** A worker that blocks again and again is looked into this often, unless a command asks for it. */
const LOOK_INTERVAL_MS = 60_000;
/** For a worker to write its heap, while it is blocked. */
const END_MS = 600_000;
/** In words that follow 'it'. */
const BLOCKED = 'is blocked, so it cannot be profiled';
const MAX_REASON = 200;

/** Looks into the workers of one app: when a command asks for it, and once when an event loop blocks. */
class Inspections {
  /** One process at a time takes stacks. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** When a worker of each slot was last looked into without a command. @type {Map<number, number>} */
  #lookedMs = new Map();
  #pool;
  #directory;

  /** @param {WorkerPool} pool @param {string} directory of this primary, in which workers write profiles */
  constructor(pool, directory) {
    this.#pool = pool;
    this.#directory = directory;
  }

  /** @param {SlotSelection} params @returns {Promise<{workers: SlotStack[]}>} */
  async why({ slots: numbers }) {
    const workers = this.#pool.slotsOf(numbers).map(async (slot) => {
      const worker = slot.mainWorker;
      const { pid = null, generation = slot.launch.generation } = worker ?? {};
      return { slot: slot.number, pid, generation, ...(await this.#stackOf(worker)) };
    });
    return { workers: await Promise.all(workers) };
  }

  /** Resolves when its agent has begun. @param {PrimaryMethods['profile']['params']} params */
  async profile({ slot: number, kind, durationMs = 0 }) {
    const [slot] = this.#pool.slotsOf([number]);
    const worker = slot?.mainWorker;
    const refuse = (/** @type {string} */ reason) =>
      new NodeclusterError('E_INSPECT', { app: slot?.launch.spec.name, slot: number, reason });
    if (!isRunning(worker)) throw refuse('does not run');
    const { isResponsive, refusal } = await canInspect(worker);
    if (refusal !== null || !isResponsive) throw refuse(refusal ?? BLOCKED);
    const { child, pid, generation } = worker;
    // Another user cannot enter the directories above this primary's.
    const directory = path.isAbsolute(this.#directory)
      ? this.#directory
      : `/proc/${process.pid}/cwd`;
    const file = path.join(directory, `profile-${pid}`);
    const order = { kind, file, leaseMs: durationMs + END_MS };
    const { error } = (await channelTo(child).ask('profile', order)) ?? { error: BLOCKED };
    if (error === undefined) return { pid, generation };
    throw refuse(error === BLOCKED ? error : `could not be profiled: ${reasonOf(error)}`);
  }

  /** Resolves when it is written, or the worker has exited. @param {PrimaryMethods['end-profile']['params']} params */
  async endProfile({ pid, kind, isWanted }) {
    const worker = this.#pool.workers.find((each) => each.pid === pid);
    if (!isRunning(worker)) return null;
    if (kind === 'heap') worker.hold(true);
    const channel = channelTo(worker.child);
    const reply = await channel.ask('end-profile', { isWanted }, { timeoutMs: END_MS });
    if (kind === 'heap') worker.hold(false);
    const isBlocked = reply === null && worker.isRunning;
    if (!isBlocked && reply?.error === undefined) return null;
    const { slot, launch } = worker;
    const reason = isBlocked ? `the worker ${BLOCKED}` : reasonOf(reply?.error);
    throw new NodeclusterError('E_PROFILE_LOST', { app: launch.spec.name, slot, reason });
  }

  /** @param {WorkerHandle | undefined} worker @param {() => void} [onLook] @returns {Promise<Stack & Pick<SlotStack, 'peers'>>} */
  async #stackOf(worker, onLook = () => {}) {
    if (!isRunning(worker)) return withoutFrames('unknown', 'does not run');
    const { isResponsive, refusal, peers } = await canInspect(worker);
    if (refusal !== null) return withoutFrames('unknown', refusal);
    if (isResponsive) return { ...withoutFrames('running', null), peers: checkPeers(peers) };
    // One that loads its modules replies to nothing either.
    if (worker.status === 'starting' && worker.pulse.blockedSinceMs === null) {
      return withoutFrames('unknown', 'is starting');
    }
    onLook();
    const stack = await this.#look(worker);
    if (stack.state === 'unknown' && worker.status === 'stopping') {
      return withoutFrames('unknown', (await canInspect(worker)).refusal);
    }
    if (worker.pulse.blockedSinceMs === null || stack.state === 'unknown') return stack;
    worker.pulse.stack = stack;
    worker.emit('change');
    return stack;
  }

  /** @param {Inspected} worker @returns {Promise<Stack>} when those before it are done */
  #look(worker) {
    const look = this.#last.then(() => lookInside(worker));
    this.#last = look.catch(() => {});
    return look;
  }

  /** @param {WorkerHandle} worker whose event loop is blocked */
  async lookUnasked(worker) {
    const nowMs = performance.now();
    if (nowMs - (this.#lookedMs.get(worker.slot) ?? -Infinity) < LOOK_INTERVAL_MS) return;
    const noteLook = () => void this.#lookedMs.set(worker.slot, nowMs);
    const { state, frames, note } = await this.#stackOf(worker, noteLook);
    if (state === 'running') this.#lookedMs.delete(worker.slot);
    const { blockedSinceMs } = worker.pulse;
    const text = frames.length > 0 ? `is in ${stackInLine(frames)}` : note;
    if (blockedSinceMs === null || ['running', 'unknown'].includes(state) || text === null) return;
    const time = formatDuration(performance.now() - blockedSinceMs);
    const who = `${worker.launch.spec.name}:${worker.slot} (pid ${worker.pid})`;
    const line = `${who} ${text}; its event loop has been blocked for ${time}`;
    worker.logs.note(worker.slot, line);
    const doing = note ?? undefined;
    const reason = /** @type {const} */ ({ kind: 'stack', frames: innermostOf(frames), doing });
    worker.reportEvent('worker.stack', { reason });
  }
}

/** @param {unknown} error of an agent, which programs can forge */
function reasonOf(error) {
  return String(error).slice(0, MAX_REASON);
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

/** `refusal`: in words that follow 'it'. @param {WorkerHandle} worker */
async function canInspect(worker) {
  const { child, launch } = worker;
  const { interpreter, execMode } = launch.spec;
  const isNodeProgram = execMode === 'cluster' || isNode(interpreter);
  const reply = isNodeProgram && child ? await channelTo(child).ask('inspection') : null;
  const isResponsive = reply !== null;
  const refusal = refusalOf({
    // Read last: it may have begun to end while it was asked.
    isStopping: worker.status === 'stopping',
    program: isNodeProgram ? null : (interpreter ?? launch.script),
    isResponsive,
    isConnected: child?.connected ?? false,
    ownsSignal: child !== undefined && signalOwners.has(child),
    hasOwnInspector: setsInspector(launch.spec, launch.env),
  });
  return { isResponsive, refusal, peers: reply?.peers };
}

const MAX_PEERS = 10;
/** Characters of a host and its port. */
const MAX_PEER = 300;

/** @param {unknown} peers which programs can forge */
export function checkPeers(peers) {
  const known = Array.isArray(peers) ? peers.filter((peer) => typeof peer === 'string') : [];
  return known.slice(0, MAX_PEERS).map((peer) => peer.slice(0, MAX_PEER));
}

/** Opens the inspector of a blocked worker for less than a second. @param {Inspected} worker @returns {Promise<Stack>} */
async function lookInside(worker) {
  if ((await channelTo(worker.child).ask('inspection', {}, { timeoutMs: REPLY_MS })) !== null) {
    return withoutFrames('running', null);
  }
  let isSignalled = false;
  const result = await runInspector(worker.pid, TIMEOUT_MS, () => {
    isSignalled = true;
    return openInspector(worker);
  });
  if (isSignalled) closeInspector(worker);
  const { state = 'unknown', frames = [], note = 'could not be looked into' } = result ?? {};
  return { state, frames, note, at: Date.now() };
}

/**
 * Why its inspector must not be opened, by SIGUSR1, which Node must get; null: it may be.
 * @param {Record<'isStopping' | 'isResponsive' | 'isConnected' | 'ownsSignal' | 'hasOwnInspector', boolean> & {program: string | null}} facts
 *   program: that is not Node
 */
export function refusalOf(facts) {
  const { isStopping, program, isResponsive, isConnected, ownsSignal, hasOwnInspector } = facts;
  if (isStopping) return 'is being stopped';
  if (program !== null) return `runs ${program}, which is not Node`;
  if (isResponsive) return null;
  if (!isConnected) return 'has closed the channel to its parent, so it cannot be asked';
  if (hasOwnInspector) return 'has its own options for the inspector: attach a debugger there';
  return ownsSignal
    ? 'handles SIGUSR1 itself, so its inspector cannot be opened while it is blocked'
    : null;
}
