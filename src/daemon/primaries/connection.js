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
  return new PrimaryConnection(client, holderOf);
}

export class PrimaryConnection {
  #client;
  #holderOf;
  #isPinging = false;
  /** @type {NodeclusterError | null} */
  #silence = null;

  /** @param {PrimaryClient} client @param {HolderOf} holderOf */
  constructor(client, holderOf) {
    this.#holderOf = holderOf;
    this.#client = client;
  }

  /**
   * Sends nothing while a reply is pending: pings would pile up for a primary that hangs.
   * @param {() => void} onAnswer
   */
  async ping(onAnswer) {
    if (this.#isPinging) return;
    this.#isPinging = true;
    try {
      await this.#client.request('ping', {});
    } catch (error) {
      // Any other error is an answer, for example of an older version.
      if (NodeclusterError.from(error).code === 'E_PROTOCOL_CLOSED') return;
    } finally {
      this.#isPinging = false;
    }
    onAnswer();
  }

  /**
   * Closes the connection, since the primary has not answered for too long.
   * @param {NodeclusterError} error of the requests in progress
   */
  giveUp(error) {
    this.#silence = error;
    this.#client.close();
  }

  /**
   * A command may take any amount of time; giveUp() ends it when the primary hangs.
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {{report?: ReportProgress, timeoutMs?: number}} options
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} what the primary threw, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
   */
  async request(method, params, { report, timeoutMs }) {
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
      throw this.#silence ?? error;
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
