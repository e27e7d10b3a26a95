import { withExitCode } from '../exit-codes.js';

export const connectionCodes = withExitCode('connection', {
  E_DAEMON_NOT_RUNNING: {
    message: ({ home }) => `No daemon is running for ${home}.`,
    hint: 'If there are apps, `nodecluster ls` starts it; otherwise the first app does: `nodecluster start app.js`.',
  },
  E_DAEMON_SILENT: {
    message: ({ home, pid, socket }) =>
      pid === null && socket
        ? `No daemon is running for ${home}: another program holds ${socket}, and does not answer.`
        : `The daemon of ${home}${pid ? ` (pid ${pid})` : ''} does not answer. The apps keep running.`,
    hint: ({ pid, socket, log }) =>
      pid
        ? `If a signal stopped it, \`kill -CONT ${pid}\` lets it go on. If an app runs, a primary ` +
          `replaces it after about 15 s. \`kill -9 ${pid}\` ends it at once, and the next command ` +
          'starts another one, which adopts the apps.'
        : `Repeat the command${socket ? `, or move ${socket} away` : ''}. Its log is ${log}.`,
  },
  E_DAEMON_START: {
    message: ({ reason, lastLines = [] }) =>
      [
        `The daemon did not start: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
      ].join('\n'),
    hint: ({ log }) => `Its log is ${log}.`,
  },
  E_PROTOCOL_UNREACHABLE: {
    message: ({ socket, reason }) => `Could not connect to ${socket} (${reason}).`,
    hint: 'The process behind it is not running, or is just starting. Try again.',
  },
  E_PROTOCOL_TIMEOUT: {
    message: ({ what, ms }) => `No reply to ${what} within ${ms} ms.`,
    hint: 'It may be busy, or stopped by SIGSTOP. `nodecluster logs --daemon` may show why.',
  },
  E_PROTOCOL_CLOSED: {
    message: ({ method }) => `The connection closed before the reply to ${method} arrived.`,
    hint: 'Check with `nodecluster ls` what was done, then repeat the command.',
  },
  E_PROTOCOL_FRAME: {
    message: ({ reason }) => `Received an invalid message: ${reason}.`,
  },
  E_PROTOCOL_FRAME_SIZE: {
    message: ({ maxBytes }) => `A message is longer than ${maxBytes} bytes.`,
  },
  E_PROTOCOL_METHOD: {
    message: ({ method }) => `There is no method ${JSON.stringify(method)}.`,
  },
  E_PROTOCOL_PARAMS: {
    message: ({ method, key }) => `The parameter ${key} of ${method} is missing or not valid.`,
  },
  E_DAEMON_EXITS: {
    message: ({ app }) => `The daemon is shutting down and did not finish the command on ${app}.`,
    hint: 'The next daemon completes or undoes it; `nodecluster ls` shows the state.',
  },
  E_DAEMON_LOST: {
    message: ({ method }) =>
      `The connection to the daemon broke before it replied to ${method}, so the outcome of the command is not known.`,
    hint:
      'This daemon, or the next one, completes what had begun, or undoes it. `nodecluster ls` shows the state; ' +
      'then repeat the command if necessary.',
  },
  E_PRIMARY_REPORT: {
    // The first report of a primary is of all of its apps.
    message: ({ app, what }) =>
      `The primary process${app ? ` of ${app}` : ''} sent a report that is not valid (${what}).`,
    hint: ({ app }) =>
      app
        ? `If that happens again, \`nodecluster delete ${app}\` stops the app and removes it.`
        : '`nodecluster kill`, then `nodecluster resurrect` runs its apps on this version.',
  },
  E_PRIMARY_SILENT: {
    message: ({ app, pid, reason }) =>
      `The primary process of ${app} (pid ${pid}) is running but does not answer: ${reason}`,
    hint: ({ pid }) =>
      'The app may still be serving, and the daemon keeps trying to reach it. It replaces a primary ' +
      `that is frozen; \`kill -9 ${pid}\` makes it do so at once.`,
  },
  E_PRIMARY_UNCLEAR: {
    message: ({ app, reason }) =>
      `The daemon could not find out whether ${app} has a primary process: ${reason}`,
    hint: ({ app }) =>
      `The app may be serving, so it is not started again. The daemon keeps trying; ` +
      `\`nodecluster describe ${app}\` shows the reason.`,
  },
  E_PRIMARY_LOST: {
    message: ({ app }) =>
      `The connection to the primary process of ${app} was lost, so it is not known how the command ended.`,
    hint: ({ app }) => `The app is still running: \`nodecluster describe ${app}\` shows its state.`,
  },
  E_UPDATE_FAILED: {
    message: ({ reason, lastLines = [], running }) =>
      [
        `The installed version could not take over: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
        managedBy(running),
      ].join('\n'),
    hint: ({ log }) =>
      log
        ? `Its log is ${log}.`
        : 'The log of the service says why. `nodecluster startup` installs it again.',
  },
});

/** @param {{version: string, pid: number} | null | undefined} running undefined: it is not known */
function managedBy(running) {
  if (running) return `nodecluster ${running.version} (pid ${running.pid}) manages the apps.`;
  return running === null
    ? 'No daemon is running. The apps keep running.'
    : 'It is not known whether a daemon is running. The apps keep running.';
}
