/** A connection to a primary. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';
import { isManaged } from '../init-system.js';
import { OWN_LAUNCH } from '../own-launch.js';
import { explainFailure, explainOutcome, explainSnapshot } from '../ports/explain.js';

/**
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { HolderOf } from '../ports/explain.js'
 * @import { PrimaryRecord } from '../../shared/processes/primary-record.js'
 */

const REPLY_MS = 5000;
/** ms; long, since a machine may be very busy. */
const SILENCE_MS = 10_000;
const FIRST_CHECK_MS = 1000;
const CHECK_EVERY_MS = 5000;
const HELLO = { role: 'daemon', version: VERSION };

/** The `seq` of the last event from each primary. @type {WeakMap<PrimaryRecord, number>} */
const lastSeq = new WeakMap();

/**
 * @param {PrimaryRecord} record
 * @param {HolderOf} holderOf
 * @param {object} listeners
 * @param {(snapshot: Snapshot) => void} listeners.onState called at once, and after each change
 * @param {(event: PrimaryEvent) => void} listeners.onEvent
 * @returns {Promise<PrimaryConnection>}
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, holderOf, { onState, onEvent }) {
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: REPLY_MS });
  /** @type {NotificationListener<PrimaryMethods['subscribe']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'state') return onState(explainSnapshot(payload, holderOf));
    lastSeq.set(record, payload.seq ?? lastSeq.get(record) ?? 0);
    onEvent(explainFailure(payload, holderOf));
  };
  client.on('notification', onNotification);
  try {
    const after = lastSeq.get(record);
    const snapshot = await client.request(
      'subscribe',
      { after, isManaged, daemon: OWN_LAUNCH },
      { timeoutMs: REPLY_MS },
    );
    onState(explainSnapshot(snapshot, holderOf));
  } catch (error) {
    client.close();
    throw error;
  }
  return new PrimaryConnection(client, record, holderOf);
}

export class PrimaryConnection {
  #client;
  #record;
  #holderOf;

  /** @param {PrimaryClient} client @param {PrimaryRecord} record @param {HolderOf} holderOf */
  constructor(client, record, holderOf) {
    this.#holderOf = holderOf;
    this.#client = client;
    this.#record = record;
  }

  /**
   * The connection is closed when the primary hangs.
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {{report?: ReportProgress, timeoutMs?: number}} options
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} what the primary threw, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
   */
  async request(method, params, { report, timeoutMs }) {
    /** @type {NodeclusterError | null} */
    let silence = null;
    const endWatch = watchForSilence(this.#record.socket, (error) => {
      silence = error;
      this.#client.close();
    });
    /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind === 'progress') report?.(explainFailure(payload, this.#holderOf));
    };
    try {
      /** @type {keyof PrimaryMethods} */
      const name = method;
      const result = await this.#client.request(name, params, { onNotification, timeoutMs });
      const reply = /** @type {PrimaryMethods[K]['result']} */ (result);
      return explainOutcome(reply, this.#holderOf);
    } catch (error) {
      throw silence ?? error;
    } finally {
      endWatch();
    }
  }

  /** @param {() => void} listener */
  onClose(listener) {
    this.#client.once('close', listener);
  }

  close() {
    this.#client.close();
  }
}

/**
 * A command may take any amount of time, so a missing reply does not mean that the primary hangs. A
 * process that is suspended (SIGSTOP) or in an endless loop keeps its connections but does not
 * answer new clients.
 * @param {string} socket
 * @param {(error: NodeclusterError) => void} onSilent called once
 * @returns {() => void} ends the watch
 */
function watchForSilence(socket, onSilent) {
  let isOver = false;
  let timer = setTimeout(check, FIRST_CHECK_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };

  async function check() {
    try {
      const hello = { ...HELLO, role: 'ping' };
      (await connect(socket, { hello, timeoutMs: SILENCE_MS })).close();
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      // Any other error means that the primary is exiting, which closes the connection.
      if (error.code === 'E_PROTOCOL_TIMEOUT' && !isOver) {
        isOver = true;
        onSilent(error);
      }
    }
    if (!isOver) timer = setTimeout(check, CHECK_EVERY_MS);
  }
}
