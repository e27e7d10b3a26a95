import { withExitCode } from '../exit-codes.js';

const RAISE_LIMITS =
  'Raise the limits of open files and of processes (`ulimit -n` and `-u`, or LimitNOFILE and TasksMax of a systemd unit).';

export const appFailedCodes = withExitCode('appFailed', {
  E_APP_STOPPED: {
    message: ({ app }) => `${app} was stopped while this command waited for its turn.`,
    hint: ({ app }) => `\`nodecluster start ${app}\` starts it.`,
  },
  E_APP_KILLED: {
    message: ({ app }) => `\`nodecluster kill\` stopped ${app} before the command was done.`,
    hint: '`nodecluster resurrect` starts what it stopped.',
  },
  E_DEPENDENCY_FAILED: {
    message: ({ app, dependency, reason, isWaiting, isDeleted }) => {
      const why = reason ? ` (${reason.replace(/[.]$/, '')})` : '';
      const fault = isDeleted ? 'was deleted' : `failed${why}`;
      return `${dependency} ${fault}, and ${app} depends on it, so ${app} was not ${isWaiting ? 'started yet' : 'touched'}.`;
    },
    hint: ({ app, dependency, isWaiting, isDeleted }) =>
      `${isDeleted ? 'Start' : 'Repair'} ${dependency}, then ${isWaiting ? `${app} starts by itself` : 'repeat the command'}.`,
  },
  E_PRIMARY_START: {
    message: ({ app, reason }) => `The primary process of ${app} ${reason}.`,
    hint: ({ log, errno }) => {
      const isFull = ['ENOSPC', 'EDQUOT'].includes(errno);
      const isShort = ['EMFILE', 'ENFILE', 'EAGAIN'].includes(errno);
      const advice = isFull ? 'Free some space.' : isShort ? RAISE_LIMITS : `Its log is ${log}.`;
      return `${advice} The daemon keeps trying.`;
    },
  },
  E_PRIMARY_GONE: {
    message: ({ app }) => `The primary process of ${app} exited before the command was done.`,
    hint: ({ log }) => `The daemon starts it again. Its log is ${log}.`,
  },
  E_INPUT_CLOSED: {
    message: ({ name, isRunning, siblings }) => {
      if (!isRunning) return `Worker ${name} does not run, so it reads no input.`;
      return siblings > 0
        ? `Worker ${name} has siblings, so it has no stdin.`
        : `Could not write to the stdin of worker ${name}: its program has closed it, or reads that of \`nodecluster run\`.`;
    },
    hint: ({ name, siblings }) =>
      siblings > 0
        ? 'With one instance (-i 1), or with --exec-mode fork, its stdin is open.'
        : `\`nodecluster logs ${name}\` shows its output.`,
  },
  E_INPUT_UNREAD: {
    message: ({ name }) =>
      `Worker ${name} does not read its stdin: earlier input is still waiting there, so this was not written.`,
    hint: ({ name }) =>
      `Its program may be busy, or reads no input; \`nodecluster logs ${name}\` shows its output.`,
  },
  E_MESSAGE_UNHEARD: {
    message: ({ names }) => `No worker of ${names.join(', ')} has received the message.`,
    hint:
      'Only online workers can receive messages, and in fork mode only with `--interpreter node`. ' +
      'One whose event loop is blocked may receive it later.',
  },
  E_SIGNAL_UNSENT: {
    message: ({ signal, names }) =>
      `Could not send ${signal} to any worker of ${names.join(', ')}.`,
    hint: '`nodecluster ls` shows why no worker is running.',
  },
  E_UPDATE_ENDED: {
    message: ({ app, failed }) => `${app} was not updated, since the update of ${failed} failed.`,
    hint: 'It runs on as before. Repeat `nodecluster update --apps` when the cause is removed.',
  },
  E_SECOND_PRIMARY: {
    message: ({ app, reason }) =>
      `The primary of ${app} was not replaced, and the first one keeps serving: ${reason}`,
    hint: ({ log }) => `Its log is ${log}.`,
  },
});
