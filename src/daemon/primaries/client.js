/** A connection to a primary, and whether there is still somebody at its other end. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { PrimaryRecord } from './record.js'
 */

const ANSWER_MS = 5000;
/** ms; long, since a machine may be very busy. */
const SILENCE_MS = 10_000;
const FIRST_LOOK_MS = 1000;
const LOOK_MS = 5000;
const HELLO = { role: 'daemon', version: VERSION };

/** The number of the last event that each has told. @type {WeakMap<PrimaryRecord, number>} */
const told = new WeakMap();

/**
 * @param {PrimaryRecord} record
 * @param {object} news
 * @param {(snapshot: Snapshot) => void} news.onState called at once, and
 *   after each change that the primary tells of
 * @param {(event: PrimaryEvent) => void} news.onEvent
 * @returns {Promise<PrimaryClient>}
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, { onState, onEvent }) {
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: ANSWER_MS });
  /** @type {NotificationListener<PrimaryMethods['subscribe']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'state') return onState(payload);
    told.set(record, payload.seq ?? told.get(record) ?? 0);
    onEvent(payload);
  };
  client.on('notification', onNotification);
  try {
    const after = told.get(record);
    onState(await client.request('subscribe', { after }, { timeoutMs: ANSWER_MS }));
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/**
 * @template {keyof PrimaryMethods} K
 * @param {PrimaryClient} client closed when the primary is silent
 * @param {PrimaryRecord} record
 * @param {object} order
 * @param {K} order.method
 * @param {PrimaryMethods[K]['params']} order.params
 * @param {ReportProgress} [order.report] gets the progress
 * @param {number} [order.timeoutMs]
 * @returns {Promise<PrimaryMethods[K]['result']>}
 * @throws {NodeclusterError} what the primary threw, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
 */
export async function askPrimary(client, record, { method, params, report, timeoutMs }) {
  /** @type {NodeclusterError | null} */
  let silence = null;
  const endWatch = watchForSilence(record, (error) => {
    silence = error;
    client.close();
  });
  /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'progress') report?.(payload);
  };
  try {
    /** @type {keyof PrimaryMethods} */
    const name = method;
    const result = await client.request(name, params, { onNotification, timeoutMs });
    return /** @type {PrimaryMethods[K]['result']} */ (result);
  } catch (error) {
    throw silence ?? error;
  } finally {
    endWatch();
  }
}

/**
 * A command may last, so how long it takes tells nothing. A process that is stopped, or that hangs
 * in a loop, keeps its connections but greets nobody any more.
 * @param {PrimaryRecord} record
 * @param {(error: NodeclusterError) => void} onSilent called once
 * @returns {() => void} ends the watch
 */
function watchForSilence({ socket }, onSilent) {
  let isOver = false;
  let timer = setTimeout(look, FIRST_LOOK_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };

  async function look() {
    const silence = await greet(socket);
    if (isOver) return;
    if (silence === null) timer = setTimeout(look, LOOK_MS);
    else onSilent(silence);
  }
}

/**
 * @param {string} socket
 * @returns {Promise<NodeclusterError | null>} null: somebody is there, or it is ending
 */
async function greet(socket) {
  try {
    const client = await connect(socket, {
      hello: { ...HELLO, role: 'ping' },
      timeoutMs: SILENCE_MS,
    });
    client.close();
    return null;
  } catch (thrown) {
    const error = NodeclusterError.from(thrown);
    return error.code === 'E_PROTOCOL_TIMEOUT' ? error : null;
  }
}
