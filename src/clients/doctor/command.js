/** `doctor`: what is wrong on this machine. */
import { exitCodes } from '../../errors/exit-codes.js';
import { jsonOption } from '../../show/command-options.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { findingsOf } from './findings.js';
import { gather } from './gather.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'find what is wrong on this machine, with the line to type for each',
  details:
    'It looks at the home directory, the daemon, apps that stay down, file descriptors, disks and the service, ' +
    'starts no daemon and touches no app. The exit code is 0 if there are only warnings, 8 if the daemon does not ' +
    'answer, 7 for the machine, 5 for an app; the highest counts.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster doctor', 'nodecluster doctor --json'],
};

/** @type {Run} */
export async function run(context) {
  const { options, print, stdout } = context;
  const findings = findingsOf(await gather(context));
  if (options.json) {
    print(jsonText({ findings: findings.map(({ exitCode: _, ...finding }) => finding) }));
  } else {
    const { red, yellow } = paint(stdout);
    const lines = findings.map(({ severity, text, command: line }) => {
      const head = severity === 'error' ? red('error:') : yellow('warning:');
      return `${wrapText(`${head} ${escapeLine(text)}`, stdout.width)}\n  ${escapeLine(line)}`;
    });
    print(lines.join('\n') || 'Nothing is wrong with this machine.');
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  return Math.max(exitCodes.ok, ...errors.map(({ exitCode }) => exitCode));
}
