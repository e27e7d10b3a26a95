import { basename, resolve } from 'node:path';
import { exitCodes } from '../../errors/exit-codes.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { describeRunning } from '../actions/write-running.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, maskLine } from '../../show/mask.js';

/**
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'check that everything is saved, or write the ecosystem file of what runs',
  details:
    'Every change is saved when its command ends, so nothing has to be saved by hand: apps that run ' +
    'start again after a reboot, and apps that are stopped stay stopped.',
  arguments: [
    { name: '[file]', summary: 'ecosystem file to write, as `init --from-running` does' },
  ],
  options: [{ flags: '-f, --force', summary: 'replace a file that exists' }, jsonOption],
  examples: ['nodecluster save', 'nodecluster save ecosystem.yml'],
};

/** @type {Run} */
export async function run(context) {
  const { words, daemons, options, print } = context;
  if (words.length > 0) return writeRunning(context, words[0]);
  const client = await daemons.open();
  const { apps } = client ? await context.request(client, 'save', {}) : { apps: [] };
  print(options.json ? jsonText({ apps }) : maskLine(sentenceOf(apps)));
  return exitCodes.ok;
}

/** @param {string[]} apps */
function sentenceOf(apps) {
  if (apps.length === 0) return 'Nothing to save: there are no apps.';
  return `Saved, as after every change: ${apps.join(', ')}.`;
}

/** @param {Context} context @param {string} name */
async function writeRunning(context, name) {
  const { cwd, options, print } = context;
  const { force = false } = options;
  assertYaml(name, 'save');
  const file = resolve(cwd, name);
  const text = await describeRunning(context, basename(file));
  await writeFile(file, text, { force, isPrivate: true });
  const sentence = `Wrote ${maskLine(file)}. Start it with: ${maskLine(`nodecluster start ${name}`)}`;
  print(options.json ? jsonText({ file }) : sentence);
  return exitCodes.ok;
}
