/** What is chosen, checked and said of a whole spec, one step after the other. */
import { constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspectPath, isAccessible, isOfSystem } from '../../shared/files/inspect-path.js';
import { readPidFile } from '../../shared/files/small-file.js';
import { isOtherUser } from '../../shared/home.js';
import { NOWHERE } from '../../shared/log-files/log-paths.js';
import { accountNumber } from '../../shared/processes/account.js';
import { changedVariables } from '../../shared/shell-variables.js';
import { dependencyOf, nearestWith, parentsOf } from '../command/locate.js';
import { options } from '../options/table.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { AppContext, Settings } from './app.js'
 */

/** @typedef {(spec: Spec, settings: Settings, context: AppContext) => void} Step it completes the spec, or reports */

/** @type {Step[]} */
export const STEPS = [
  resolveFiles,
  chooseScheduling,
  explainMode,
  checkIncrementVar,
  checkAccounts,
  warnOfDropped,
  checkPrivilegedPorts,
  checkOptionsOfCluster,
  checkWatched,
  loadTypeScript,
];

/** Those that the app writes, which must be writable. @type {Step} */
function resolveFiles(spec, { values, inputOf }, { runsElsewhere }) {
  const resolveFile = (/** @type {string} */ key) => {
    const path = values[key];
    if (path === undefined) return null;
    const file = resolve(spec.cwd, path);
    if (runsElsewhere) return file;
    const fault = path.endsWith('/') ? 'it ends with a slash' : whyNotWritable(file);
    if (fault !== null) inputOf(key).reject('a file that can be written', fault);
    else if (key === 'pid_file' && readPidFile(file) === null) {
      inputOf(key).reject('a file for a pid', `${file} contains something else`);
    }
    return file;
  };
  spec.outFile = resolveFile('out_file');
  spec.errorFile = resolveFile('error_file');
  spec.logFile = resolveFile('log_file');
  spec.pidFile = resolveFile('pid_file');
  if (values.disable_logs === true)
    Object.assign(spec, { outFile: NOWHERE, errorFile: NOWHERE, logFile: null });
}

/** @param {string} file */
function whyNotWritable(file) {
  const existing = parentsOf(file).find((each) => isAccessible(each, constants.F_OK)) ?? '/';
  const { kind, fault } = inspectPath(existing);
  if (fault !== null) return `${existing}: ${fault}`;
  if (existing === file && kind === 'directory') return `${file} is a directory`;
  if (existing !== file && kind !== 'directory') return `${existing} is not a directory`;
  if (isAccessible(existing, constants.W_OK)) return null;
  return `you may not write ${existing === file ? 'it' : `in ${existing}`}`;
}

/** Packages whose clients may use long-polling: several requests for one session, which one worker has. */
const LONG_POLLING =
  /^(socket\.io|engine\.io|fastify-socket\.io|@nestjs\/platform-socket\.io|sockjs)$/;

/** Several processes of a program that listens would take each other's port, which is not seen from outside. @type {Step} */
function explainMode({ execMode, modeReason, instances, incrementVar }, { inputOf }) {
  if (modeReason === null) {
    if (execMode === 'cluster' || typeof instances === 'number') return;
    const reason = 'must be a number in fork mode, where event loops are not measured';
    return inputOf('instances').report(reason);
  }
  const advice = '; for a cluster, start the program of Node itself';
  if (instances !== 1 && incrementVar === null) {
    const more = `${advice}; if it serves no port, set exec_mode to fork`;
    inputOf('instances').report(`must be 1, because ${modeReason}${more}`);
    return;
  }
  inputOf('script').warn(`runs in fork mode: ${modeReason}${advice}`);
}

/** Not only with several workers: `scale` starts others without asking again. @type {Step} */
function chooseScheduling(spec, { inputs, inputOf }) {
  const { script, execMode, instances, incrementVar } = spec;
  if (execMode === 'fork' || incrementVar !== null || inputs.has('scheduling')) return;
  const found = dependencyOf(script, LONG_POLLING);
  if (found === null) return;
  spec.scheduling = 'sticky';
  if (instances === 1) return;
  const effect = 'all connections of one client address, or of one proxy, get the same worker';
  const choice =
    'to choose, set scheduling to sticky, or to fair if the server takes only websockets';
  inputOf('script').warn(`uses ${found}, so scheduling is sticky: ${effect}; ${choice}`);
}

/** @type {Step} */
function checkOptionsOfCluster({ execMode, interpreter }, { inputs, values }) {
  if (execMode !== 'fork') return;
  for (const { key, inForkMode, isOfCluster } of options) {
    const input = inputs.get(key);
    if (input && isOfCluster && values[key]) input.report(`needs cluster mode${inForkMode}`);
    else if (input && inForkMode) input.warn(`has no effect in fork mode${inForkMode}`);
  }
  const nodeArgs = inputs.get('node_args');
  if (nodeArgs && interpreter === null)
    nodeArgs.warn('has no effect, because no interpreter runs the script');
}

/** @type {Step} */
function checkWatched({ watch, cwd }, { inputOf }, { runsElsewhere }) {
  if (!watch || runsElsewhere) return;
  const ofSystem = (watch === true ? [cwd] : watch).find(isOfSystem);
  if (ofSystem !== undefined) {
    const instead = 'list the directories of the program in watch';
    inputOf('watch').report(
      `cannot watch ${ofSystem}, which holds the system: start the app in its directory, set cwd, or ${instead}`,
    );
  }
}

/** Only root can start processes as another account. @type {Step} */
function checkAccounts(spec, { inputOf }, { runsElsewhere }) {
  const { uid, gid } = spec;
  const currentUid = process.getuid?.();
  if (currentUid === 0) {
    if (gid !== null || uid === null) return;
    // Without the user's own group, the program would keep the group of root.
    spec.gid = accountNumber('-g', String(uid));
    if (spec.gid === null) inputOf('uid').reject('a user of this machine, or uid and gid');
    return;
  }
  if (runsElsewhere) return;
  if (uid !== null && uid !== currentUid) {
    inputOf('uid').reject('your own account', 'you are not root');
  }
  if (gid !== null && gid !== process.getgid?.()) {
    inputOf('gid').reject('your own group', 'you are not root');
  }
}

/** @type {Step} */
function checkPrivilegedPorts({ privilegedPorts, uid }, { inputOf }) {
  // A value that is not valid is null here.
  if (!privilegedPorts?.length) return;
  const input = inputOf('privileged_ports');
  if (!isOtherUser(uid)) input.reject('an app with uid', 'other apps need no permission of root');
}

/** @type {Step} */
function checkIncrementVar({ incrementVar, env, shellEnv }, { inputOf }) {
  if (incrementVar === null) return;
  const value = { ...shellEnv, ...env }[incrementVar];
  if (/^\d+$/.test(value ?? '')) return;
  const found = value === undefined ? 'it is not set' : `it is ${JSON.stringify(value)}`;
  inputOf('increment_var').reject('a variable that env sets to a whole number', found);
}

const MAX_NAMES = 8;

/** @type {Step} */
function warnOfDropped({ uid, shellEnv, env }, { inputOf }, context) {
  if (!isOtherUser(uid) || context.runsElsewhere) return;
  const dropped = changedVariables(shellEnv, context.shellEnv).filter((name) => !(name in env));
  if (dropped.length === 0) return;
  const rest = dropped.length > MAX_NAMES ? ` and ${dropped.length - MAX_NAMES} more` : '';
  const names = `${dropped.slice(0, MAX_NAMES).join(', ')}${rest}`;
  const how = context.setBy === 'flag' ? `--set-env ${dropped[0]}=…` : 'set it in env';
  inputOf('uid').warn(`drops variables of this shell: ${names}; to pass one: ${how}`);
}

const TYPESCRIPT = /\.[cm]?ts$/;
const LOADS_MORE = /--(import|require|loader|experimental-(loader|strip|transform))|(^|\s)-r(\s|$)/;

/** Adds tsx where the app has it; without it, every worker would crash. @type {Step} */
function loadTypeScript(spec, { inputOf }, { runsElsewhere }) {
  const { script, interpreter, execMode, nodeArgs, cwd, env, shellEnv, resolvedFrom } = spec;
  const { NODE_OPTIONS: options = '' } = { ...shellEnv, ...env, ...resolvedFrom?.env };
  if (!TYPESCRIPT.test(script) || LOADS_MORE.test([...nodeArgs, options].join(' '))) return;
  const isOwnNode = execMode === 'cluster' ? interpreter === null : interpreter === 'node';
  if (runsElsewhere || !isOwnNode || /** @type {any} */ (process.features).typescript) return;
  const input = inputOf('script');
  const fault = `Node ${process.versions.node} does not run TypeScript by itself`;
  if (nearestWith(cwd, join('node_modules', 'tsx')) === null) {
    const remedy = 'run `npm install tsx`, compile the program, or use Node 22.18 or later';
    return input.report(`${fault}: ${remedy}`);
  }
  spec.nodeArgs = [...nodeArgs, '--import', 'tsx'];
  input.warn(`runs with --import tsx, because ${fault}`);
}
