import { withExitCode } from '../exit-codes.js';

/** @param {{directory: string, reason: string}[]} failures */
const listOf = (failures) =>
  failures.map(({ directory, reason }) => `${directory} (${reason})`).join(', ');

export const homeCodes = withExitCode('environment', {
  E_HOME_UNUSABLE: {
    message: ({ directory, reason }) =>
      `Could not create or enter the directory ${directory} (${reason}).`,
    hint: 'Set NODECLUSTER_HOME to a directory that you can write to.',
  },
  E_HOME_UNKNOWN: {
    message: ({ uid }) =>
      `Could not tell where your home directory is: HOME is not set, and user ${uid} has no entry in /etc/passwd.`,
    hint: 'Set NODECLUSTER_HOME to a directory of your own.',
  },
  E_HOME_NOT_A_PATH: {
    message: ({ given, fault }) => `NODECLUSTER_HOME is ${given}, but ${fault}.`,
    hint: 'Set NODECLUSTER_HOME to an absolute path.',
  },
  E_DIRECTORY_DELETED: {
    message: ({ directory }) => `${directory}, the directory that you are in, was deleted.`,
    hint: ({ isCwd }) =>
      `Change to another directory, or give ${isCwd ? 'the program one: --cwd /srv/api' : 'absolute paths'}.`,
  },
  E_SEVERAL_RUNS: {
    exitCode: 'usage',
    message: ({ homes }) =>
      `\`nodecluster run\` is running here ${homes.length} times, so it is not clear which one is meant.`,
    hint: ({ homes }) => `Name one with NODECLUSTER_HOME: ${homes.join(', ')}`,
  },
  E_NO_WRITABLE_DIRECTORY: {
    message: ({ failures }) =>
      `\`run\` needs a directory for its sockets, and could write to none of: ${listOf(failures)}.`,
    hint: 'Mount a small tmpfs at /dev/shm or /tmp, or set XDG_RUNTIME_DIR to a directory that you can write to.',
  },
  E_HOME_NOT_A_DIRECTORY: {
    message: ({ directory }) => `${directory} is a link or a file, not a directory.`,
    hint: 'Remove it, or set NODECLUSTER_HOME to another directory.',
  },
  E_HOME_FOREIGN: {
    message: ({ directory, owner, uid }) =>
      `${directory} belongs to user ${owner}, but you are user ${uid}.`,
    hint: ({ owner }) =>
      `Give the command as that user (\`sudo -u '#${owner}' nodecluster …\`), or set NODECLUSTER_HOME to a directory of your own.`,
  },
  E_HOME_OPEN: {
    message: ({ directory, mode }) =>
      `Other users can access ${directory} (mode ${mode}), so they could control your apps.`,
    hint: ({ directory }) => `Make it private with \`chmod 700 ${directory}\`.`,
  },
  E_HOME_TOO_LONG: {
    message: ({ directory, excess }) =>
      `The path ${directory} is ${excess} bytes too long for a socket in it.`,
    hint: 'Set NODECLUSTER_HOME to a shorter path.',
  },
  E_HOME_WRITE: {
    message: ({ file, reason }) => `Could not write ${file}: ${reason}`,
    hint: 'Nothing on disk was changed. Free some space, or check the permissions.',
  },
  E_HOME_READ: {
    message: ({ file, reason }) => `Could not read ${file}: ${reason}`,
    hint: 'Keep it: it lists your apps. Check its permissions; if a newer nodecluster wrote it, use that one.',
  },
  E_HOME_LOCK: {
    message: ({ home, reason }) => `Could not tell whether a daemon runs in ${home}: ${reason}`,
    hint: 'Nothing was started. Check the disk and the permissions, then try again.',
  },
});
