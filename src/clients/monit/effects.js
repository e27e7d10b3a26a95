/** Sends the requests of `monit` to the daemon: commands and descriptions. */
import { NodeclusterError } from '../../errors/error.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/event.js';

/**
 * @import { DaemonClient, DaemonMethods, CommandName } from '../../protocol/methods.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { Context } from '../../cli/context.js'
 * @import { Confirmation } from '../../show/confirmation.js'
 * @import { MonitEvent } from './update.js'
 */

export class Effects {
  /** @type {DaemonClient | null} null while no daemon is running */
  client = null;
  #context;
  #emit;
  #width;
  #isDescribing = false;
  #pendingCommands = 0;

  /**
   * @param {Context} context
   * @param {(event: MonitEvent) => void} emit
   * @param {() => number} width of the terminal
   */
  constructor(context, emit, width) {
    this.#context = context;
    this.#emit = emit;
    this.#width = width;
  }

  /** @param {Confirmation} confirmed */
  async send(confirmed) {
    const { target } = confirmed;
    const { method, params } = requestFor(confirmed);
    if (!this.client) return this.#showMessage(`${target}: the daemon is not running`, 'bad');
    this.#showMessage(`${target}: ${method} …`);
    this.#pendingCommands += 1;
    try {
      /** @type {NotificationListener<DaemonMethods['apply']['notifications']>} */
      const onNotification = (kind, payload) => {
        if (kind === 'progress') this.#showMessage(renderProgress(payload));
      };
      const { apps } = await this.client.request(method, params, { onNotification });
      this.#pendingCommands -= 1;
      for (const outcome of apps) this.#showOutcome(outcome);
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      // A command that has begun continues even if the daemon exits.
      if (code !== 'E_PROTOCOL_CLOSED') this.#pendingCommands -= 1;
      this.#showMessage(message, 'bad');
    }
  }

  /** @param {string} app */
  async describe(app) {
    const { client } = this;
    if (!client || this.#isDescribing) return;
    this.#isDescribing = true;
    try {
      const io = {
        // The command would start a daemon.
        openForApps: async () => client,
        stdout: { width: this.#width(), colours: this.#context.stdout.colours },
        print: (/** @type {string} */ text) =>
          this.#emit({ kind: 'description', app, lines: text.split('\n') }),
      };
      await this.#context.runCommand('describe', { words: [app] }, io);
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      // The app was deleted, so the message replaces its description.
      if (code === 'E_APP_UNKNOWN') this.#emit({ kind: 'description', app, lines: [message] });
      else this.#showMessage(message, 'bad');
    } finally {
      this.#isDescribing = false;
    }
  }

  /** Call it after the screen is released. */
  notePendingCommands() {
    if (this.#pendingCommands === 0) return;
    this.#context.note('The command continues; `nodecluster ls` shows its progress.');
  }

  /** @param {AppOutcome} outcome */
  #showOutcome(outcome) {
    const [first, second = ''] = renderOutcome(outcome).split('\n');
    this.#showMessage(`${first} ${second.trim()}`.trimEnd(), outcome.ok ? 'good' : 'bad');
  }

  /** @param {string} text @param {'plain' | 'good' | 'bad'} [tone] */
  #showMessage(text, tone = 'plain') {
    this.#emit({ kind: 'message', text, tone });
  }
}

/**
 * What a confirmed question asks of the daemon.
 * @param {Confirmation} confirmation
 * @returns {{method: CommandName, params: DaemonMethods[CommandName]['params']}}
 */
export function requestFor({ action, target, options }) {
  if (action === 'scale') {
    return { method: 'scale', params: { selector: target, instances: String(options.instances) } };
  }
  const method = /** @type {CommandName} */ (action === 'start' ? 'resume' : action);
  return { method, params: { selectors: [target] } };
}
