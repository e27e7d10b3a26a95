/**
 * By what daemons find this primary: a socket for their requests, a record that names it, and a socket
 * through which they get those of the app. What is removed or changed is restored.
 */
import { rmSync } from 'node:fs';
import { access, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { attempt } from '../errors/error.js';
import { connect, isAbsence } from '../protocol/client.js';
import { acceptChannels } from '../protocol/handle-channel.js';
import { receiveSockets } from '../protocol/socket-set.js';
import { serve } from '../protocol/server.js';
import { writeFileAtomic } from '../shared/files/atomic-file.js';
import { makeDirectory } from '../shared/files/directories.js';
import { holdsText } from '../shared/files/small-file.js';
import { restoreHome } from '../shared/home.js';
import { within } from '../shared/deadline.js';
import { checkRegularly } from '../shared/presence.js';
import { identify } from '../shared/processes/identity.js';
import { makeRecord } from '../shared/processes/primary-record.js';
import { mayBeThere } from '../shared/unix-socket.js';
import { logInPrimary } from './log/primary-log.js';

/**
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { Handlers } from '../protocol/wire.js'
 * @import { PrimaryPaths } from './hosted-app.js'
 * @import { HandleChannel } from '../protocol/handle-channel.js'
 * @import { SocketSet } from '../protocol/socket-set.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { PrimaryRecord, ProcessIdentity } from '../shared/processes/records.js'
 */

/** ms for the daemon to connect and hand over what it holds. */
const RECEIVE_MS = 5000;

/**
 * @typedef {object} Keeping
 * @property {string} home
 * @property {string} launchText contents of the launch file
 * @property {() => boolean} isControlled whether a daemon is connected
 * @property {() => void} onRestored called after something was restored
 * @property {() => void} onSuperseded called once, when no daemon is connected and another primary of
 *   the app is in this place
 */

export class Presence {
  #methods;
  #sockets;
  #shares;
  /** Through the next channel of a daemon come sockets that it held. @type {((channel: HandleChannel) => void) | null} */
  #onGiver = null;
  /** One for each place, since the connections to the first one stay. @type {ProtocolServer[]} */
  #servers = [];
  #endHandover = () => {};
  #recorded = { file: '', text: '' };
  #endChecks = () => Promise.resolve();

  /**
   * @param {Handlers<PrimaryMethods>} methods
   * @param {SocketSet<any> | null} sockets that daemons hold; null: the programs open their sockets themselves
   * @param {PrimaryRecord['shares']} shares whether this process may be the primary of other apps too
   */
  constructor(methods, sockets, shares) {
    this.#methods = methods;
    this.#sockets = sockets;
    this.#shares = shares;
  }

  /**
   * Call it before it listens.
   * @param {number} count
   * @returns {Promise<InheritedSocket[]>} fewer if the daemon exits, or takes too long
   */
  async receive(count) {
    /** @type {Promise<HandleChannel>} */
    const connected = new Promise((resolve) => (this.#onGiver = resolve));
    const channel = await within(connected, RECEIVE_MS);
    this.#onGiver = null;
    if (channel === null) return [];
    const received = await receiveSockets(channel, count, RECEIVE_MS);
    // It came to get those of this primary.
    if (received.length === 0) this.#sockets?.handOverTo(channel);
    return received;
  }

  /**
   * @param {PrimaryPaths} place
   * @returns {Promise<void>} when daemons can connect there
   * @throws {NodeclusterError} E_PROTOCOL_SOCKET
   */
  async listen({ socket, handover }) {
    const hello = { role: 'primary' };
    this.#servers.push(await serve(socket, { methods: this.#methods, hello }));
    // Without it the app is not protected against the loss of this process, but runs.
    await this.#listenForChannels(handover).catch(({ message }) =>
      logInPrimary(`The daemon does not hold the sockets: ${message}`),
    );
  }

  /** @param {PrimaryPaths} place */
  async record({ record, socket }) {
    // The daemon itself writes that of a primary that runs as another user.
    if (record === null) return;
    // On a full disk the next daemon finds this process by its socket.
    const own = /** @type {ProcessIdentity} */ (identify(process.pid));
    this.#recorded = { file: record, text: JSON.stringify(makeRecord(own, socket, this.#shares)) };
    await writeFileAtomic(record, this.#recorded.text).catch(({ message }) =>
      logInPrimary(`Could not write ${record}: ${message}`),
    );
  }

  /** Restores what is removed from now on. @param {PrimaryPaths} place @param {Keeping} options */
  keep(place, options) {
    const restore = () => this.#restore(place, options);
    this.#endChecks = checkRegularly(restore, (reason) =>
      logInPrimary(`Daemons cannot reach this process: ${reason}`),
    );
  }

  /** Closes every connection. */
  async close() {
    // It would write again what is removed here.
    await this.#endChecks();
    const { file, text } = this.#recorded;
    // The process goes on with other apps. If this fails, a daemon asks on the socket too.
    if (this.#shares && holdsText(file, text)) attempt(() => rmSync(file), undefined);
    this.#endHandover();
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /** @param {PrimaryPaths} place @param {Keeping} options */
  async #restore(place, options) {
    const { socket, handover, record } = place;
    const [server] = this.#servers.slice(-1);
    const isReachable = await server.isReachable();
    const isHandingOver =
      this.#sockets === null ||
      (await lstat(handover).then((found) => found.isSocket(), mayBeThere));
    const missing = await this.#missing(place, options.launchText);
    if (isReachable && isHandingOver && missing.length === 0) return;
    if (!isReachable && !options.isControlled() && (await isAnotherPrimary(socket))) {
      this.#endChecks();
      options.onSuperseded();
      return;
    }
    if (record !== null) {
      restoreHome(options.home);
      await makeDirectory(path.dirname(socket), 0o700);
    }
    if (!isReachable) await server.listenAgain();
    for (const { file, text } of missing) await writeFileAtomic(file, text);
    if (!isHandingOver) await this.#listenForChannels(handover);
    options.onRestored();
    logInPrimary(
      'A file by which daemons find this process had been removed or changed and was restored.',
    );
  }

  /** @param {PrimaryPaths} place @param {string} launchText @returns files with their contents */
  async #missing({ launch, record }, launchText) {
    if (launch === null || record === null) return [];
    // Another primary of the app may have been here, and left its own.
    const isOwn = await holdsOrUnclear(record, this.#recorded.text);
    const isLaunchThere = await access(launch).then(() => true, mayBeThere);
    return [
      ...(isOwn ? [] : [this.#recorded]),
      ...(isLaunchThere ? [] : [{ file: launch, text: launchText }]),
    ];
  }

  /** @param {string} handover where nothing listens that others can reach */
  async #listenForChannels(handover) {
    const sockets = this.#sockets;
    if (sockets === null) return;
    this.#endHandover();
    this.#endHandover = await acceptChannels(handover, (channel) => {
      const receive = this.#onGiver ?? (() => sockets.handOverTo(channel));
      this.#onGiver = null;
      receive(channel);
    });
  }
}

/** @param {string} file @param {string} text */
async function holdsOrUnclear(file, text) {
  try {
    const found = await lstat(file);
    if (!found.isFile()) return true;
    return found.size === Buffer.byteLength(text) && (await readFile(file, 'utf8')) === text;
  } catch (error) {
    return mayBeThere(error);
  }
}

/**
 * @param {string} socket at a path that no longer leads to this process
 * @throws {Error} who listens there does not answer
 */
async function isAnotherPrimary(socket) {
  try {
    const client = await connect(socket, { hello: { role: 'ping' } });
    client.close();
    return client.peer.role === 'primary';
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}
