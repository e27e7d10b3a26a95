/** By what daemons find this primary. What is removed or changed is restored. */
import { rmSync, rmdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { attempt } from '../errors/error.js';
import { acceptChannels } from '../protocol/handle-channel.js';
import { SocketGiver, receiveSockets } from '../protocol/socket-set.js';
import { serve } from '../protocol/server.js';
import { makeDirectory } from '../shared/files/directories.js';
import { restoreHome } from '../shared/home.js';
import { within } from '../shared/deadline.js';
import { Keeper } from '../shared/presence.js';
import { mayBeThere } from '../shared/unix-socket.js';
import { logInPrimary } from './log/primary-log.js';

/**
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { Handlers } from '../protocol/wire.js'
 * @import { HandleChannel } from '../protocol/handle-channel.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { PrimaryLaunch } from '../shared/processes/records.js'
 * @import { RecordFile } from './processes/record.js'
 */

/** ms for the daemon to connect and hand over what it holds. */
const RECEIVE_MS = 5000;

export class Presence {
  /** What daemons hold too. */
  giver = new SocketGiver();
  #methods;
  #paths;
  #record;
  #launch;
  /** Waiting for what the daemon held of an app. @type {Map<string, (channel: HandleChannel) => void>} */
  #receivers = new Map();
  /** @type {ProtocolServer | undefined} */
  #server;
  #endHandover = () => {};
  /** @type {Keeper | undefined} */
  #keeper;

  /**
   * @param {Handlers<PrimaryMethods>} methods
   * @param {{socket: string, handover: string, record: string}} paths
   * @param {RecordFile} record
   * @param {PrimaryLaunch} launch
   */
  constructor(methods, paths, record, launch) {
    this.#methods = methods;
    this.#paths = paths;
    this.#record = record;
    this.#launch = launch;
  }

  /** @returns {Promise<void>} when daemons can connect there @throws {NodeclusterError} E_PROTOCOL_SOCKET */
  async listen() {
    const { socket, handover, record } = this.#paths;
    this.#server = await serve(socket, { methods: this.#methods, hello: { role: 'primary' } });
    // Without it the apps are not protected against the loss of this process, but run.
    await this.#listenForChannels().catch(({ message }) =>
      logInPrimary(`The daemon does not hold the sockets: ${message}`),
    );
    // On a full disk the next daemon finds this process by its socket.
    await this.#record.write();
    this.#keeper = new Keeper(
      [socket, handover, record].map((each) => path.dirname(each)),
      () => this.#restore(),
      (reason) => logInPrimary(`Daemons cannot reach this process: ${reason}`),
    );
  }

  /**
   * What the daemon held meanwhile; fewer if it exits, or takes too long.
   * @param {string} app
   * @param {number} count
   */
  async receive(app, count) {
    if (count === 0) return [];
    /** @type {Promise<InheritedSocket[]>} */
    const received = new Promise((resolve) => {
      const receive = (/** @type {HandleChannel} */ channel) =>
        resolve(receiveSockets(channel, count, RECEIVE_MS));
      this.#receivers.set(app, receive);
    });
    const all = await within(received, 2 * RECEIVE_MS);
    this.#receivers.delete(app);
    return all ?? [];
  }

  /** Closes every connection, and removes what is here. */
  async close() {
    // It would write again what is removed here.
    await this.#keeper?.end();
    await this.#record.whenIdle();
    this.#endHandover();
    await this.#server?.close();
    const { record } = this.#paths;
    attempt(() => rmSync(record, { force: true }), undefined);
    // A user's has log files; that of another user's primary, the daemon removes.
    if (!this.#launch.isOtherUser) attempt(() => rmdirSync(path.dirname(record)), undefined);
  }

  /** @returns {Promise<boolean>} whether something could not be restored */
  async #restore() {
    const server = /** @type {ProtocolServer} */ (this.#server);
    const { socket, handover, record } = this.#paths;
    const isReachable = await server.isReachable();
    const isHandingOver = await lstat(handover).then((found) => found.isSocket(), mayBeThere);
    const isRecorded = await this.#record.isThere();
    if (isReachable && isHandingOver && isRecorded) return false;
    if (!this.#launch.isOtherUser) {
      restoreHome(this.#launch.home);
      await makeDirectory(path.dirname(socket), 0o700);
      await makeDirectory(path.dirname(record), 0o700);
    }
    if (!isReachable) await server.listenAgain();
    if (!isRecorded) await this.#record.write();
    if (!isHandingOver) await this.#listenForChannels();
    // On a full disk it cannot be written, and nothing is thrown.
    if (!(await this.#record.isThere())) return true;
    logInPrimary(
      'A file by which daemons find this process had been removed or changed and was restored.',
    );
    return false;
  }

  /** A daemon says first whether it gives sockets or gets them. */
  async #listenForChannels() {
    this.#endHandover();
    this.#endHandover = await acceptChannels(this.#paths.handover, (channel) => {
      channel.once('message', (first, handle) => {
        if (handle === null) return this.giver.giveTo(channel);
        const receive = this.#receivers.get(first.owner);
        this.#receivers.delete(first.owner);
        if (!receive) {
          handle.close();
          return channel.close();
        }
        receive(channel);
        channel.emit('message', first, handle);
      });
    });
  }
}
