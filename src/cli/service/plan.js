/** What `startup` and `unstartup` are asked for: which service, for whose apps, on which init system. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAccount, ownAccount } from '../../shared/processes/account.js';
import { initSystems, installationOf, runsHere } from '../../boot/installation.js';
import { serviceName } from '../../boot/service.js';
import { credentialFault, socketFault } from '../../boot/systemd.js';
import { shellLine } from '../../shared/quoting.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { existsSync } from 'node:fs';
import { homePaths } from '../../shared/home.js';
import { escapeLine } from '../../show/escape.js';

/**
 * @import { Account } from '../../shared/processes/account.js'
 * @import { InitSystem } from '../../boot/installation.js'
 * @import { Service } from '../../boot/service.js'
 * @import { Context } from '../context.js'
 * @import { CommandArgument, CommandOption } from '../command.js'
 */

/** PM2 calls platforms by these names too. @type {Record<InitSystem, string[]>} */
const PM2_PLATFORMS = {
  systemd: ['ubuntu', 'debian', 'centos', 'redhat', 'amazon', 'arch', 'oracle'],
  launchd: ['macos', 'darwin'],
  openrc: ['gentoo'],
};
const CLI = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));

/** @param {Context} context @throws {NodeclusterError} E_USAGE, E_NO_INIT_SYSTEM, E_USER_UNKNOWN */
export function planService(context) {
  const { command, words, options, env, daemons } = context;
  const initSystem =
    readInitSystem(words[0], command) ??
    initSystems.find(runsHere) ??
    (options.print ? 'systemd' : null);
  const account = accountOf(options.user);
  const home = homeOf(account, options.hp, env, daemons.home);
  if (initSystem === null) throw noInitSystem(context, { account, home });
  const scope = options.user === true ? 'user' : 'system';
  if (scope === 'user' && initSystem === 'openrc') {
    throw usageError(
      command,
      'OpenRC has no services of users; leave out --user, or name the user: --user deploy',
    );
  }
  const ofSystemd = readSystemdOptions(command, initSystem, options);
  /** @type {Service} */
  const service = {
    name: serviceName({ scope, user: account.name, userHome: account.home, home }),
    scope,
    user: account.name,
    home,
    node: process.execPath,
    cli: CLI,
    env: keptEnvironment(env),
    ...ofSystemd,
  };
  const configHome = env.XDG_CONFIG_HOME || path.join(account.home, '.config');
  const place = { uid: account.uid, userHome: account.home, configHome };
  const installation = installationOf(initSystem, service, place);
  // To be typed instead; null: this process may do it itself.
  const needsRoot = scope === 'system' && process.geteuid?.() !== 0;
  const rootCommand = needsRoot ? commandForRoot(command, initSystem, service) : null;
  return { service, account, initSystem, installation, rootCommand };
}

/** @param {Context} context @param {{initSystem?: InitSystem, account: Account, home: string}} plan */
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
  const found = initSystems.find((each) => each === word || PM2_PLATFORMS[each].includes(word));
  if (found) return found;
  const detail = `The platform ${JSON.stringify(word)} is not one of ${initSystems.join(', ')}; without it, startup uses what this machine runs`;
  throw usageError(command, detail);
}

/** @param {string | true | undefined} user */
function accountOf(user) {
  if (user === undefined || user === true) return ownAccount();
  const account = findAccount(user);
  if (account === null) throw new NodeclusterError('E_USER_UNKNOWN', { user });
  return account;
}

/** @param {string} command @param {InitSystem} initSystem @param {Context['options']} options */
function readSystemdOptions(command, initSystem, options) {
  const { socket: sockets = [], credential: credentials = [] } = options;
  const flag = sockets.length > 0 ? '--socket' : '--credential';
  const isForeign = initSystem !== 'systemd' && sockets.length + credentials.length > 0;
  if (isForeign) throw usageError(command, `${flag} needs systemd`);
  const fault = socketFault(sockets) ?? credentialFault(credentials);
  if (fault !== null) throw usageError(command, fault);
  return { sockets, credentials };
}

/** @param {Account} account @param {string | undefined} pm2UserHome @param {NodeJS.ProcessEnv} env @param {string} ownHome */
function homeOf(account, pm2UserHome, env, ownHome) {
  if (env.NODECLUSTER_HOME || account.uid === process.geteuid?.()) {
    return pm2UserHome ? path.resolve(pm2UserHome, '.nodecluster') : ownHome;
  }
  return path.resolve(pm2UserHome ?? account.home, '.nodecluster');
}

/** Programs are looked for in PATH; TZ is the time zone of cron_restart. @param {Record<string, string | undefined>} env */
function keptEnvironment({ PATH = '/usr/local/bin:/usr/bin:/bin', TZ }) {
  const ofNode = path.dirname(process.execPath);
  const hasNode = PATH.split(path.delimiter).includes(ofNode);
  return { PATH: hasNode ? PATH : `${ofNode}:${PATH}`, ...(TZ ? { TZ } : {}) };
}

/** @param {string} command @param {InitSystem} initSystem @param {Service} service */
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

/** What `startup` and `unstartup` take alike. @type {CommandArgument} */
export const platformArgument = {
  name: '[platform]',
  summary: 'systemd, launchd or openrc; default: what this machine runs',
};

/** @type {CommandOption[]} */
export const serviceOptions = [
  {
    flags: '-u, --user [name]',
    summary:
      "without a name, use your own service manager, without root; with a name, run that user's apps",
  },
  {
    flags: '--hp <directory>',
    summary: 'home directory of the user, as in PM2; nodecluster uses .nodecluster in it',
    isRare: true,
  },
];

/** @param {Context} context @param {Service} service @param {typeof findAccount} find */
export function checkSudo({ command, options, env, note }, service, find = findAccount) {
  const user = env.SUDO_USER;
  const isQuestion = service.user === 'root' && typeof options.user !== 'string';
  if (!isQuestion || !user || user === 'root') return;
  const account = find(user);
  const home = account && path.join(account.home, '.nodecluster');
  // Some systems' sudo keeps HOME.
  const hasApps = (/** @type {string} */ each) => existsSync(homePaths(each).desired);
  if (home && hasApps(home) && (service.home === home || !hasApps(service.home))) {
    throw usageError(
      command,
      `root has no apps, but ${user} has: add --user ${user}, or --user root`,
    );
  }
  note(`note: this is for the apps of root. For others: --user ${escapeLine(user)}`);
}
