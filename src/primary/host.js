/**
 * The apps of this primary. A large one is alone; small ones share a primary: each has its own sockets, record,
 * workers and logs, and the process exits when the last one has ended.
 */
import { NodeclusterError } from '../errors/error.js';
import { HostedApp, readLaunch } from './hosted-app.js';
import { logInPrimary } from './log/primary-log.js';

/**
 * @import { Process, Launch } from './hosted-app.js'
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { PrimaryRecord } from '../shared/processes/records.js'
 */

/** In this time, so many bugs end a primary that several apps share; a single one any other. */
const BUG_WINDOW_MS = 60_000;
const MAX_BUGS = 100;

export class Host {
  /** @type {Map<string, HostedApp>} by name */
  #apps = new Map();
  /** Monotonic times of the latest bugs. @type {number[]} */
  #bugMs = [];
  /** Of the first app. @type {PrimaryRecord['shares']} */
  #shares;
  #process;
  #exit;

  /** @param {Omit<Process, 'host'>} process @param {(code: number) => void} exit */
  constructor(process, exit) {
    this.#process = { ...process, host: this.#host.bind(this) };
    this.#exit = exit;
  }

  /** @param {Launch} launch */
  add(launch) {
    const app = new HostedApp(launch, this.#process);
    this.#apps.set(app.name, app);
    this.#shares = launch.file.shares;
    this.#showName();
    void app.ended.then(() => this.#remove(app));
    return app;
  }

  shutDown() {
    for (const app of this.#apps.values()) void app.shutDown();
  }

  /** The state of one app may be wrong now, that of the others is not. @param {unknown} error that nothing caught */
  noteBug(error) {
    logInPrimary(/** @type {Error | undefined} */ (error)?.stack ?? String(error));
    const nowMs = performance.now();
    this.#bugMs = [...this.#bugMs.filter((atMs) => nowMs - atMs < BUG_WINDOW_MS), nowMs];
    if (this.#apps.size < 2 || this.#bugMs.length > MAX_BUGS) this.#exit(1);
  }

  /**
   * @param {PrimaryMethods['host']['params']} app
   * @returns {Promise<null>} when daemons find it
   * @throws {NodeclusterError} E_PROTOCOL_PARAMS, E_PROTOCOL_SOCKET
   */
  async #host({ launch: launchFile, sockets }) {
    const launch = readLaunch(launchFile);
    const { shares, spec } = launch.file;
    const { name } = spec;
    if (!shares || shares !== this.#shares) {
      throw new NodeclusterError('E_PROTOCOL_PARAMS', { method: 'host', key: 'launch' });
    }
    for (let earlier; (earlier = this.#apps.get(name)); await earlier.ended) {
      // The same was requested before, without an answer in time or by a daemon that was killed meanwhile.
      if (!earlier.isEnding) return null;
    }
    const app = this.add(launch);
    const inherited = app.receive(sockets);
    try {
      await app.listen();
    } catch (error) {
      await app.leave();
      throw error;
    }
    void inherited.then((received) => app.run(received));
    return null;
  }

  /** @param {HostedApp} app */
  #remove(app) {
    if (this.#apps.get(app.name) === app) this.#apps.delete(app.name);
    if (this.#apps.size > 0) return this.#showName();
    this.#process.daemonLink.close();
    this.#exit(0);
  }

  #showName() {
    const names = [...this.#apps.keys()];
    process.title = `nodecluster: ${names.length > 1 ? `${names.length} apps` : names[0]}`;
  }
}
