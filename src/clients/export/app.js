/** One app as an engine runs it: with `nodecluster-runtime` and an ecosystem file of its own. */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { settingsToShow, writeYaml } from '../../api/write-ecosystem.js';
import { MASK, isSecret, maskSecrets } from '../../shared/secrets.js';
import { portsOf, resourcesOf } from './resources.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Order } from './head.js'
 */

/**
 * @typedef {object} Place where the program is on the machine or in the image of the engine, and who does what
 * @property {string | null} workdir what the directory of the ecosystem file, or else `cwd`, is called there; null: the same
 * @property {readonly string[]} byEngine keys of settings that the engine does in place of `run`;
 *   without `env`, the file has the variables that may be seen
 * @property {boolean} [hasTimes] it runs apps at given times; otherwise nodecluster does, in a service
 *
 * @typedef {'service' | 'job' | 'cron'} Role job: runs once; cron: at given times
 *
 * @typedef {ReturnType<typeof exportedApp>} ExportedApp
 */

/** @param {Spec} spec @param {Order} order @param {Place} place */
export function exportedApp(spec, { specs, options }, place) {
  const role = roleOf(spec, specs, place);
  const environment = environmentOf(spec);
  const { settings, outside, left } = movedSettings(spec, place, role);
  if ('env' in settings) settings.env = environment.plain;
  const masked = maskSecrets(settings);
  const resources = resourcesOf(spec, options.cpus);
  return {
    spec,
    role,
    /** The setting by which it is a job. */
    ending: spec.autorestart
      ? `stop_exit_codes: ${spec.stopExitCodes.join(', ')}`
      : 'autorestart: false',
    /** The text of its ecosystem file. */
    file: writeYaml([{ settings: masked }], [`Settings of ${spec.name}, for nodecluster run.`]),
    /** Paths that the engine must have too. */
    outside,
    /** Whether the file had values that looked secret. */
    isMasked: JSON.stringify(masked) !== JSON.stringify(settings),
    environment,
    resources,
    ports: isServer(spec, role) ? portsOf(spec, resources.workers, options.port) : null,
    /** Keys of settings that are not in the file. */
    left,
  };
}

/**
 * As people use PM2: a program that is not started again does one piece of work. So does one for whose
 * end another app waits.
 * @param {Spec} spec
 * @param {readonly Spec[]} specs
 * @param {Place} place
 * @returns {Role}
 */
function roleOf({ name, autorestart, cronRestart, schedule }, specs, { hasTimes = false }) {
  if (specs.some(({ dependsOn }) => dependsOn[name] === 'exited')) return 'job';
  if (autorestart) return 'service';
  if (schedule === null && cronRestart === null) return 'job';
  return hasTimes ? 'cron' : 'service';
}

/** @param {Spec} spec of an app that runs at given times @returns {{key: string, pattern: string}} key: of the setting */
export function timesOf({ schedule, cronRestart }) {
  const key = schedule === null ? 'cron_restart' : 'schedule';
  return { key, pattern: String(schedule ?? cronRestart) };
}

/** @param {Spec} spec @param {Role} role @returns {boolean} whether it is not just waiting for its times */
export function isServer({ autorestart }, role) {
  return role === 'service' && autorestart;
}

/** @param {Spec} spec @param {Place} place @param {Role} role */
function movedSettings(spec, { workdir, byEngine }, role) {
  const { configFile, cwd } = spec;
  const from = configFile === null ? cwd : dirname(configFile);
  /** @type {string[]} */
  const outside = [];
  const move = (/** @type {unknown} */ path) => {
    if (typeof path !== 'string' || !isAbsolute(path) || workdir === null) return path;
    const rest = relative(from, path);
    if (rest !== '..' && !rest.startsWith('../')) return join(workdir, rest);
    outside.push(path);
    return path;
  };
  const all = settingsToShow(spec);
  const isLeft = (/** @type {string} */ key) =>
    byEngine.includes(key) || (role !== 'service' && OF_TIMES.includes(key));
  const settings = Object.entries(all)
    .filter(([key]) => !isLeft(key))
    .map(([key, value]) => [key, PATHS.includes(key) ? move(value) : value]);
  return { settings: Object.fromEntries(settings), outside, left: Object.keys(all).filter(isLeft) };
}

const PATHS = ['script', 'cwd', 'interpreter'];
const OF_TIMES = ['cron_restart', 'schedule', 'timezone', 'overlap'];

/** @typedef {ReturnType<typeof environmentOf>} Environment */

/** The machine or the container itself. */
const LOCAL = /(?:^|[/@=,\s])(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(?=$|[:/,\s])/i;

/** Without the variables of the shell: only what the file says. @param {Spec} spec */
export function environmentOf({ env }) {
  const variables = Object.entries(env);
  const isHidden = (/** @type {[string, string]} */ [name, value]) => isSecret(name, value);
  return {
    plain: Object.fromEntries(variables.filter((each) => !isHidden(each))),
    /** Their names. */
    secrets: variables.filter(isHidden).map(([name]) => name),
  };
}

/**
 * @param {Environment} environment
 * @returns {string[]} names of variables that point to something on the same machine
 */
export function localVariables({ plain }) {
  return Object.keys(plain).filter((name) => LOCAL.test(plain[name]));
}

/**
 * What holds for every engine that runs apps.
 * @param {ExportedApp} app
 * @param {string} place which must have the commands of alarms: `the image`
 */
export function commonRows({ spec, resources, isMasked }, place) {
  const { on, incrementVar, env } = spec;
  const commands = [...new Set(on.flatMap(({ run }) => run?.slice(0, 1) ?? []))];
  return [
    !resources.isLimited && 'max_memory_restart is not set, so its memory has no limit',
    isMasked &&
      'args contain what looks like a secret, which is replaced by ********: pass it as a variable of env',
    incrementVar !== null &&
      !(incrementVar in env) &&
      `increment_var: ${incrementVar} comes from the shell, whose variables are not exported: set it in env`,
    commands.length > 0 && `on: ${place} must have ${commands.join(', ')}`,
    JSON.stringify(settingsToShow(spec).on ?? []).includes(MASK) &&
      'on: what may be secret in addresses and headers is replaced by ********: write ${NAME} there, with the variable in env',
  ];
}
