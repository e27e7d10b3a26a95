import { withExitCode } from '../exit-codes.js';

/** @param {{directory: string, reason: string}[]} failures */
const listOf = (failures) =>
  failures.map(({ directory, reason }) => `${directory} (${reason})`).join(', ');

export const environmentCodes = withExitCode('environment', {
  E_PROTOCOL_SOCKET: {
    message: ({ socket, reason }) => `Could not listen on ${socket} (${reason}).`,
    hint: 'Check whether a process uses that path, and whether you can write to its directory.',
  },
  E_END_UNWRITTEN: {
    message: ({ during, file, reason }) =>
      `The ${during} is done, but could not be saved to ${file}: ${reason}`,
    hint: ({ during }) =>
      during === 'kill'
        ? 'Free some space. The next daemon starts what ran; `nodecluster stop all` stops it again.'
        : 'Free some space, and the daemon saves it. A daemon that starts before that starts what ran.',
  },
  E_FILE_UNTRUSTED: {
    message: ({ file, reason }) => `nodecluster does not use the file ${file}: ${reason}.`,
    hint: 'Remove it, or name a file in a directory that no other user can write.',
  },
  E_USER_ACCESS: {
    message: ({ app, user, path }) =>
      `${app} cannot run as ${user}: that user has no access to ${path}.`,
    hint:
      'Node.js, nodecluster and the program must be where that user can read them, such as /usr/local and ' +
      '/srv, not in the home directory of root.',
  },
  E_USER_GROUP: {
    message: ({ app, uid }) =>
      `${app} cannot run as user ${uid}: there is no account that names its group.`,
    hint: 'Set `gid` too, or use a user of this machine.',
  },
  E_PRIVILEGED_PORT: {
    message: ({ app, reason }) => `Could not start ${app}, because the daemon ${reason}.`,
    hint: 'Free that port, or remove it from `privileged_ports`.',
  },
  E_LOG_FILE: {
    message: ({ file, reason }) => `Could not open the log file ${file} (${reason}).`,
    hint: 'Apps keep running. Check the permissions of the file and its directory, or name another file.',
  },
  E_HOME_UNUSABLE: {
    message: ({ directory, reason }) => `Could not use the home directory ${directory}: ${reason}.`,
    hint: 'Set NODECLUSTER_HOME to the path of a directory of your own.',
  },
  E_NO_WRITABLE_DIRECTORY: {
    message: ({ failures }) =>
      `\`run\` needs a directory for its sockets, and could write to none of: ${listOf(failures)}.`,
    hint: 'Mount a small tmpfs at /dev/shm or /tmp, or set XDG_RUNTIME_DIR to a directory that you can write to.',
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
  E_NO_TERMINAL: {
    message: ({ command, reason }) =>
      reason === 'not one'
        ? `${command} needs a terminal, and stdin or stdout is not one.`
        : `${command} cannot draw on this terminal (${reason}).`,
    hint: 'Use `watch nodecluster ls`, or `nodecluster metrics` for monitoring.',
  },
  E_FILE_UNWRITABLE: {
    message: ({ file, action = 'write', reason }) => `Could not ${action} ${file} (${reason}).`,
    hint: ({ reason }) =>
      reason === 'EISDIR'
        ? 'Name a file in it.'
        : 'Check that its directory exists, its permissions, and the free space.',
  },
  E_LOG_MISSED: {
    message: ({ app, files }) =>
      `Could not read ${files} rotated log file${files === 1 ? '' : 's'} of ${app} (deleted).`,
  },
  E_LISTEN: {
    message: ({ address, reason, holder }) => {
      const why = /** @type {Record<string, string>} */ ({
        EADDRINUSE: `in use by ${holder || 'another process'}`,
        EACCES: 'you do not have permission to use that port',
        EADDRNOTAVAIL: 'this machine does not have that address',
        ENOTFOUND: 'no host has that name',
      });
      return `Could not listen on ${address}: ${why[reason] ?? reason}.`;
    },
    hint: 'Choose another address or port after --listen.',
  },
  E_OUTPUT: {
    message: ({ reason }) => `Could not write the result to stdout (${reason}).`,
    hint: 'The command itself was carried out. Check the disk, or where stdout goes.',
  },
});
