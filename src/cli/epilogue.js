/** The end of the main help: first steps and exit codes. */
import { exitCodes } from '../errors/exit-codes.js';

/** @type {Record<keyof typeof exitCodes, string>} */
const meanings = {
  ok: 'done',
  internal: 'a bug in nodecluster',
  usage: 'the command line is not valid',
  badFile: 'the ecosystem file or a setting is not valid',
  notFound: 'no such app, worker or file',
  appFailed: 'an app failed, for example it did not start or did not stop',
  refused: 'refused: for example, the app already exists or is busy, or versions differ',
  environment: 'the home directory or the system does not allow it',
  connection: 'the daemon cannot be reached',
};

const rows = /** @type {[keyof typeof exitCodes, string][]} */ (Object.entries(meanings));

export const epilogue = `
Examples:
  nodecluster start app.js -i max       run one worker per core
  nodecluster start                     start the apps of ./ecosystem.yml
  nodecluster ls                        list apps and workers
  nodecluster logs app                  follow its log
  nodecluster reload app                deploy new code without losing a request
  nodecluster stop app                  stop it; \`start app\` starts it again
  nodecluster <command> --help          show its options and examples

Exit codes:
${rows.map(([name, meaning]) => `  ${exitCodes[name]}  ${meaning}`).join('\n')}
  130  interrupted with Ctrl-C; the daemon continues the work
`;
