/**
 * Daemon and primary as simulated processes: what their main.js does, without what only a process of its
 * own can do, and everything else as it is.
 */
import { modulesOf } from './modules.js';
import { Program } from './processes.js';

export class DaemonProgram extends Program {
  running = null;

  constructor(home, mode, note) {
    super();
    this.home = home;
    this.mode = mode;
    this.note = note;
  }

  begin() {
    this.#run().catch((error) => {
      this.note(`daemon ${this.process.pid}: ${error.message}`);
      this.process.exit(1);
    });
  }

  async #run() {
    const { home, mode, process } = this;
    const { ensureHome, isDaemonNeeded, startDaemon, takeLock } = modulesOf('daemon');
    const paths = ensureHome(home);
    if (!takeLock(home) || (mode === 'recovery' && !isDaemonNeeded(paths))) return process.exit(0);
    this.note(`daemon ${process.pid} starts`);
    const end = () => process.exit(0);
    this.running = await startDaemon(paths, logTo(this.note), { sockets: [] }, end);
  }

  onSignal(signal) {
    if (this.running) void this.running.leave(signal, { isLast: false });
    else this.process.exit(null, signal);
  }
}

export class PrimaryProgram extends Program {
  #host = null;

  constructor(launch, { starter }) {
    super();
    this.launch = launch;
    this.starter = starter;
  }

  begin() {
    // As the process does whose place cannot be listened on: nothing catches that, and it has no app yet.
    void this.#run().catch(() => this.process.exit(1));
  }

  async #run() {
    const { home, daemon } = this.launch;
    const { DaemonLink, Host, homePaths } = modulesOf('primary');
    const link = new DaemonLink(
      daemon && { ...daemon, home, log: homePaths(home).daemonLog, env: {} },
    );
    const exit = (code) => this.process.exit(code);
    const host = new Host(this.launch, link, { baseEnv: {} }, [], exit);
    this.#host = host;
    const starter = this.pipes[this.starter];
    const ended = () => host.starterExited();
    starter.on('error', ended).once('end', ended).resume();
    await host.listen();
    starter.write('listening\n');
  }

  onSignal(signal) {
    if (signal === 'SIGHUP') return;
    if (this.#host) this.#host.shutDown();
    else this.process.exit(null, signal);
  }
}

function logTo(note) {
  const write = (event, fields = {}) => note(`  ${event} ${JSON.stringify(fields).slice(0, 300)}`);
  const log = { info: write, warn: write, error: write, of: () => log };
  return log;
}
