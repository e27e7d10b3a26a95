/** The end of the main help: how to begin, and what the exit codes mean. */
import { exitCodes } from '../errors/exit-codes.js';

/** @type {Record<keyof typeof exitCodes, string>} */
const meanings = {
  ok: 'done',
  internal: 'a defect of nodecluster',
  usage: 'the command line is wrong',
  badFile: 'the ecosystem file, or a setting, is wrong',
  notFound: 'no such app, worker or file',
  appFailed: 'an app is not as it should be: it did not come up, or did not end',
  refused: 'refused as things stand: the app exists or is busy, versions differ',
  environment: 'the home directory or the system does not allow it',
  connection: 'the daemon cannot be reached',
};

const names = /** @type {(keyof typeof exitCodes)[]} */ (Object.keys(meanings));

export const epilogue = `
Examples:
  nodecluster start app.js -i max       on every core
  nodecluster start                     what ecosystem.yml in this folder says
  nodecluster ls                        what runs
  nodecluster logs app                  what it writes
  nodecluster reload app                new code, no lost request
  nodecluster stop app                  \`nodecluster start app\` brings it back
  nodecluster <command> --help          options and examples of one command

Exit codes:
${names.map((name) => `  ${exitCodes[name]}  ${meanings[name]}`).join('\n')}
  130  interrupted with Ctrl-C; what was asked for goes on
`;
