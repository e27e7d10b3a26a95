/** PM2's small commands for scripts: `jlist`, `id` and `pid`. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchDescriptions } from '../../api/selectors.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { jsonLine } from '../../show/escape.js';

/**
 * @import { CommandModule } from '../../cli/command.js'
 * @import { Description, Status, Worker } from '../../protocol/shapes.js'
 * @import { Context } from '../../cli/context.js'
 */

/** @type {CommandModule} */
export const jlist = {
  command: {
    summary: 'print the workers as JSON, in the shape of PM2',
    details:
      'For scripts written for PM2. It contains no environment, because that may contain secrets. ' +
      'In new scripts use `ls --json`.',
    arguments: [],
    options: [],
    examples: ["nodecluster jlist | jq '.[].pm2_env.status'"],
  },
  async run({ daemons, print }) {
    const client = await daemons.open();
    const apps = client ? await fetchDescriptions(client, ['all'], { fields: ['usage'] }) : [];
    const entries = apps.flatMap((app) => {
      const version = versionOf(app.script);
      return app.workers.map((worker, index) => entryOf(app, worker, index, version));
    });
    print(jsonLine(entries.sort((one, other) => one.pm_id - other.pm_id)));
    return 0;
  },
};

/** @type {CommandModule} */
export const id = {
  command: {
    summary: 'print the worker ids of an app, as PM2 does',
    details: 'For an unknown app it prints `[]`.',
    arguments: [{ name: '<app>', summary: 'name of the app' }],
    options: [],
    examples: ['nodecluster id api'],
  },
  async run(context) {
    const [name] = context.words;
    const ids = (await listWorkers(context, name)).map((worker) => worker.id);
    context.print(ids.length > 0 ? `[ ${ids.join(', ')} ]` : '[]');
    return 0;
  },
};

/** @type {CommandModule} */
export const pid = {
  command: {
    summary: 'print the process ids of an app or of all, one per line',
    details:
      'For a worker that does not run it prints 0, as PM2 does, and for an unknown app nothing.',
    arguments: [{ name: '[app]', summary: 'name of the app' }],
    options: [],
    examples: ['nodecluster pid api'],
  },
  async run(context) {
    const workers = await listWorkers(context, context.words.at(0) ?? null);
    if (workers.length > 0) context.print(workers.map((worker) => worker.pid ?? 0).join('\n'));
    return 0;
  },
};

/**
 * @param {Context} context
 * @param {string | null} name null: of all apps
 * @returns {Promise<Worker[]>} none for an unknown app
 */
async function listWorkers({ daemons }, name) {
  const client = await daemons.open();
  const { apps } = client ? await client.request('list', {}) : { apps: [] };
  return apps.filter((app) => name === null || app.name === name).flatMap(({ workers }) => workers);
}

/** PM2's words for the states of a worker. @type {Partial<Record<Status, string>>} */
const STATUSES = {
  starting: 'launching',
  draining: 'stopping',
  backoff: 'waiting restart',
  exited: 'stopped',
  blocked: 'online',
};

/** @param {Description} app @param {Worker} worker @param {number} index of the worker in its app @param {string} version */
function entryOf(app, worker, index, version) {
  const { name, namespace, spec, logs } = app;
  const { id, slot, pid, status, cpu, memory, startedAt = null, restarts } = worker;
  return {
    pid: pid ?? 0,
    name,
    pm2_env: {
      name,
      namespace,
      version,
      node_version: app.node?.replace(/^v/, '') ?? null,
      instances: app.instances,
      exec_mode: `${app.mode}_mode`,
      exec_interpreter: spec.interpreter ?? 'node',
      node_args: spec.nodeArgs,
      pm_exec_path: app.script,
      pm_cwd: spec.cwd,
      args: spec.args,
      pm_out_log_path: logs.out[index] ?? logs.out[0],
      pm_err_log_path: logs.error[index] ?? logs.error[0],
      status: STATUSES[status] ?? status,
      pm_id: id,
      [spec.instanceVar]: slot,
      pm_uptime: startedAt,
      created_at: startedAt,
      restart_time: restarts,
      unstable_restarts: 0,
      autorestart: spec.autorestart,
      watch: spec.watch !== false,
      kill_timeout: spec.killTimeoutMs,
      treekill: spec.treekill,
      merge_logs: spec.mergeLogs,
      max_memory_restart: spec.maxMemoryRestartBytes,
      cron_restart: spec.cronRestart,
    },
    pm_id: id,
    monit: { memory: memory ?? 0, cpu: cpu ?? 0 },
  };
}

/**
 * @param {string} script
 * @returns {string} of the package that it belongs to; `N/A` as PM2 writes it if there is none
 */
function versionOf(script) {
  const directory = dirname(script);
  const isPackage = existsSync(join(directory, 'package.json'));
  if (!isPackage && directory !== script) return versionOf(directory);
  const version = readPackageJson(directory)?.version;
  return typeof version === 'string' ? version : 'N/A';
}
