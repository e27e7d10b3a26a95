import { makeTransientHome, removeAbandonedHomes } from './transient-home.js';
import { specParams } from '../../api/replace.js';
import { readSpecs } from '../../api/start.js';
import { orderOf } from '../../cli/order.js';
import { settingOptions } from '../../config/flags.js';
import { fileOptions } from '../../show/command-options.js';
import { describeOutcome } from '../../show/outcome.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../../cli/context.js'
 * @import { CommandData, CommandModule } from '../../cli/command.js'
 * @import { OpenOutlets } from '../../clients/metrics/outlets.js'
 * @import { AppsToRun } from './daemon/run-apps.js'
 */

/** @type {CommandData} */
const command = {
  summary: 'run apps in the foreground, in a container or for an init system',
  details:
    'No daemon and no home directory: the apps end with this process. Their output goes to stdout ' +
    'and stderr. SIGTERM and Ctrl-C let requests finish first, a second one does not; SIGHUP reads ' +
    'the file again and reloads what changed. Without arguments it runs the ecosystem file in this ' +
    'directory. Arguments after -- go to the program.',
  arguments: [
    {
      name: '[targets...]',
      summary: 'programs, a command line in quotes, a directory, or an ecosystem file',
    },
  ],
  options: [
    ...settingOptions(),
    ...fileOptions,
    { flags: '--json', summary: 'write log lines and messages as JSON' },
    {
      flags: '--listen <address>',
      summary: 'answer /live, /ready, /startup and /metrics on this port, or address and port',
    },
    {
      flags: '--allow-host <name>',
      summary:
        'with --listen: answer requests for the metrics to this host name too; can be given several times',
      repeatable: true,
    },
    {
      flags: '--otlp',
      summary: 'send the metrics to a collector of OpenTelemetry, as `nodecluster metrics --otlp`',
    },
    { flags: '--raw', summary: 'write log lines as the programs write them' },
  ],
  examples: [
    'nodecluster run app.js -i max',
    'nodecluster run ecosystem.yml --env production --json',
    'nodecluster run app.js --listen 9464',
    'nodecluster run "npm start" --name web',
  ],
};

/** @param {() => Promise<(context: Context) => OpenOutlets>} loadOutlets a feature knows no client @returns {CommandModule} */
export function runWith(loadOutlets) {
  return { command, run: (context) => run(context, loadOutlets) };
}

/** @param {Context} context @param {Parameters<typeof runWith>[0]} loadOutlets */
async function run(context, loadOutlets) {
  const { env, words, options } = context;
  noteFirstPlace(context);
  // `pm2-runtime start app.js`
  const own = words[0] === 'start' ? { ...context, words: words.slice(1) } : context;
  const order = orderOf(own);
  const { specs, file } = await readSpecs(own, own.words, order);
  order.onSpecs?.(specs);
  const apps = paramsOf(own, specs, file);
  const [{ logType = 'text', time = false, logDateFormat = null } = {}] = apps.specs;
  const hasOutlets = options.listen !== undefined || options.otlp;
  const openOutlets = hasOutlets ? (await loadOutlets())(context) : null;
  await removeAbandonedHomes(env);
  await context.runApps({
    home: makeTransientHome(env),
    apps,
    readAgain: async () => {
      // An ecosystem file in JavaScript may ask where it is.
      process.chdir(own.cwd);
      const now = await readSpecs(own, own.words, order);
      return paramsOf(own, now.specs, now.file);
    },
    style: { type: logType, time, dateFormat: logDateFormat },
    describeOutcome,
    openOutlets,
  });
  return 0;
}

/** @param {Context} context @param {Spec[]} specs @param {string | null} file @returns {AppsToRun} */
function paramsOf(context, specs, file) {
  const { only, json, raw } = context.options;
  /** @type {Spec['logType'] | null} */
  const logType = json ? 'json' : raw ? 'raw' : null;
  /** @type {Spec[]} */
  const output = specs.map((spec) => ({
    ...spec,
    logType: logType ?? spec.logType,
    time: spec.given.time ? spec.time : false,
  }));
  const params = specParams(context, output);
  return { ...params, file, only: only ? specs.map(({ name }) => name) : null, updateEnv: true };
}

/** @param {Context} context */
function noteFirstPlace({ note }) {
  if (process.pid !== 1) return;
  note(
    'This is the first process of a container, and Node does not reap processes that lost their parent: ' +
      'they stay as zombies. Start `nodecluster-runtime` in place of `nodecluster run`, or the container with `--init`.',
  );
}
