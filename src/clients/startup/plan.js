/** What `startup` and `unstartup` are asked for: which service, for whose apps, on which init system. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findAccount, ownAccount } from '../../shared/processes/account.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { shellLine } from '../../shared/quoting.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { initSystems } from './init-systems.js';
import { serviceName } from './service.js';

/**
 * @import { Account } from '../../shared/processes/account.js'
 * @import { Context } from '../../cli/context.js'
 * @import { Service } from './service.js'
 */

const CLI = path.join(PACKAGE_ROOT, 'bin', 'nodecluster.js');

/** @param {string} initSystem @returns {boolean} whether this machine runs it */
export function runsHere(initSystem) {
  return existsSync(initSystems[initSystem].mark);
}

/** @param {Context} context @throws {NodeclusterError} E_USAGE, E_NO_INIT_SYSTEM, E_USER_UNKNOWN */
export function planService(context) {
  const { command, words, options, env, daemons } = context;
  const account = accountOf(options.user);
  const home = homeOf(account, options.hp, env, daemons.home);
  const initSystem =
    readInitSystem(words[0], command) ??
    Object.keys(initSystems).find(runsHere) ??
    (options.print ? 'systemd' : null);
  if (initSystem === null) throw noInitSystem(context, { account, home });
  const scope = options.user === true ? 'user' : 'system';
  if (scope === 'user' && initSystem === 'openrc') {
    throw usageError(
      command,
      'OpenRC has no services of users; leave out --user, or name the user: --user deploy',
    );
  }
  /** @type {Service} */
  const service = {
    name: serviceName({ scope, user: account.name, userHome: account.home, home }),
    scope,
    user: account.name,
    home,
    node: process.execPath,
    cli: CLI,
    env: keptEnvironment(env),
    ...readSystemdOptions(command, initSystem, options),
  };
  const configHome = env.XDG_CONFIG_HOME || path.join(account.home, '.config');
  const place = { uid: account.uid, userHome: account.home, configHome };
  const installation = initSystems[initSystem].installation(service, place);
  // To be typed instead; null: this process may do it itself.
  const needsRoot = scope === 'system' && process.geteuid?.() !== 0;
  const rootCommand = needsRoot ? commandForRoot(command, initSystem, service) : null;
  return { service, account, initSystem, installation, rootCommand };
}

/** @param {Context} context @param {{initSystem?: string, account: Account, home: string}} plan */
export function noInitSystem({ command, env }, { initSystem, account, home }) {
  const user = account.uid === process.geteuid?.() ? null : account.name;
  // cron has another PATH than the shell.
  const variables = pairsOf({ ...keptEnvironment(env), NODECLUSTER_HOME: home });
  const atBoot = shellLine(['env', ...variables, process.execPath, CLI, 'resurrect']);
  return new NodeclusterError('E_NO_INIT_SYSTEM', { command, initSystem, user, atBoot });
}

/** @param {string | undefined} word @param {string} command */
function readInitSystem(word, command) {
  if (word === undefined) return null;
  const names = Object.keys(initSystems);
  const found = names.find((each) => [each, ...initSystems[each].platforms].includes(word));
  if (found) return found;
  const detail = `The platform ${JSON.stringify(word)} is not one of ${names.join(', ')}; without it, startup uses what this machine runs`;
  throw usageError(command, detail);
}

/** @param {string | true | undefined} user */
function accountOf(user) {
  if (user === undefined || user === true) return ownAccount();
  const account = findAccount(user);
  if (account === null) throw new NodeclusterError('E_USER_UNKNOWN', { user });
  return account;
}

/** @param {string} command @param {string} initSystem @param {Context['options']} options */
function readSystemdOptions(command, initSystem, options) {
  const { socket: sockets = [], credential: credentials = [] } = options;
  const flag = sockets.length > 0 ? '--socket' : '--credential';
  const isForeign = initSystem !== 'systemd' && sockets.length + credentials.length > 0;
  const fault = isForeign ? `${flag} needs systemd` : faultOf(sockets, credentials);
  if (fault !== null) throw usageError(command, fault);
  return { sockets, credentials };
}

/** As `ListenStream=` takes it: a port, or an address with a port. */
const ADDRESS = /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):)?([1-9]\d{0,4})$/;
const CREDENTIAL = /^[\w.-]{1,255}:\/[^\s\p{C}]+$/u;
/** So many descriptors the daemon takes. */
const MAX_SOCKETS = 64;

/** @param {readonly string[]} sockets @param {readonly string[]} credentials @returns why systemd would not take these; null: it does */
export function faultOf(sockets, credentials) {
  if (sockets.length > MAX_SOCKETS) return `There are more than ${MAX_SOCKETS} sockets`;
  const socket = sockets.find((text) => !(Number(ADDRESS.exec(text)?.[1]) <= 65_535));
  if (socket !== undefined)
    return `--socket takes a port or an IP address with a port (3000, 127.0.0.1:3000, [::1]:3000), not ${socket}`;
  const wrong = credentials.find((each) => !CREDENTIAL.test(each));
  if (wrong === undefined) return null;
  return `--credential takes a name and an absolute path (db:/etc/shop/db.secret), not ${wrong}`;
}

/** @param {Account} account @param {string | undefined} pm2UserHome @param {NodeJS.ProcessEnv} env @param {string} ownHome */
function homeOf(account, pm2UserHome, env, ownHome) {
  if (pm2UserHome) return path.resolve(pm2UserHome, '.nodecluster');
  const isOwn = env.NODECLUSTER_HOME || account.uid === process.geteuid?.();
  return isOwn ? ownHome : path.join(account.home, '.nodecluster');
}

/** Programs are looked for in PATH; TZ is the time zone of cron_restart. @param {Record<string, string | undefined>} env */
function keptEnvironment({ PATH = '/usr/local/bin:/usr/bin:/bin', TZ }) {
  const ofNode = path.dirname(process.execPath);
  const hasNode = PATH.split(path.delimiter).includes(ofNode);
  return { PATH: hasNode ? PATH : `${ofNode}:${PATH}`, ...(TZ ? { TZ } : {}) };
}

/** @param {string} command @param {string} initSystem @param {Service} service */
function commandForRoot(command, initSystem, { user, home, node, cli, env, ...service }) {
  // sudo resets the environment, and may not find nvm's Node.
  const variables = { ...env, NODECLUSTER_HOME: home };
  const flags = [
    '--user',
    user,
    ...service.sockets.flatMap((address) => ['--socket', address]),
    ...service.credentials.flatMap((each) => ['--credential', each]),
  ];
  const words = [node, cli, command, initSystem, ...flags];
  return shellLine(['sudo', 'env', ...pairsOf(variables), ...words]);
}

/** @param {Record<string, string>} variables */
export function pairsOf(variables) {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

/** With sudo the apps of root are rarely meant. @param {Context} context @throws {NodeclusterError} E_USAGE */
export function assertUserIsNamed({ command, options, env }) {
  const user = env.SUDO_USER;
  if (typeof options.user === 'string' || process.geteuid?.() !== 0) return;
  if (!user || user === 'root') return;
  throw usageError(command, `with sudo, name whose apps are meant: --user ${user}, or --user root`);
}
