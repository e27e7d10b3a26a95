/** What is wrong on a machine, decided from facts. */
import { shellWord } from '../../shared/quoting.js';

/**
 * @typedef {object} Facts what is null is not known
 * @property {{version: string, node: string, uid: number}} own of this command
 * @property {{path: string, uid: number, mode: number} | null} home null: there is none
 * @property {{pid: number, version: string, node: string} | null} daemon null: none runs, or it does not answer
 * @property {string | null} silence why a daemon that runs could not be asked
 * @property {{app: string, port: number, holder: string}[]} ports that apps need and others have
 * @property {{name: string, used: number | null, max: number | null, unit: string | null}[]} counts descriptors and
 *   tasks, with the unit of systemd that limits them
 * @property {string[]} disks that are full, in words
 * @property {string[]} missing files that the service of the machine starts
 * @property {number} now epoch ms
 *
 * @typedef {object} Finding
 * @property {'error' | 'warning'} severity warning: it works, but not for ever or not with all
 * @property {string} code for programs
 * @property {string} text
 * @property {string} command to type
 * @property {'environment' | 'appFailed' | 'connection'} kind a key of the exit codes
 */

/** First day without updates of each release line. From https://github.com/nodejs/release/blob/main/schedule.json */
const END_OF_LIFE = Object.entries({
  18: '2025-04-30',
  19: '2023-06-01',
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
});
/** Of a limit, from which it is nearly reached. */
const NEARLY = 0.9;
/** Descriptors that a busy proxy with many keep-alive connections needs. */
const FEW_DESCRIPTORS = 4096;

/** @param {Facts} facts @returns {Finding[]} errors first */
export function findingsOf(facts) {
  const found = [
    ...homeFindings(facts),
    ...daemonFindings(facts),
    ...facts.ports.map(portFinding),
    ...facts.counts.flatMap((count) => countFindings(count, facts.daemon)),
    ...facts.disks.map(diskFinding),
    ...facts.missing.map(serviceFinding),
    ...nodeFindings(facts),
  ];
  return found.sort((one, other) => one.severity.localeCompare(other.severity));
}

/** @param {Facts} facts @returns {Finding[]} */
function homeFindings({ home, own }) {
  if (home === null) return [];
  const directory = shellWord(home.path);
  if (home.uid !== own.uid) {
    const text = `The home directory ${home.path} belongs to user ${home.uid}, and this command runs as ${own.uid}.`;
    return [error('home-owner', text, `sudo chown -R ${own.uid} ${directory}`)];
  }
  if ((home.mode & 0o077) === 0) return [];
  const mode = (home.mode & 0o777).toString(8).padStart(4, '0');
  const text = `Other users can enter the home directory ${home.path} (mode ${mode}), so no daemon starts.`;
  return [error('home-open', text, `chmod 700 ${directory}`)];
}

/** @param {Facts} facts @returns {Finding[]} */
function daemonFindings({ daemon, silence, own }) {
  if (silence !== null)
    return [{ ...error('daemon-silent', silence, 'nodecluster ls'), kind: 'connection' }];
  if (daemon === null) return [];
  const { pid, version, node } = daemon;
  if (version === own.version && node === own.node) return [];
  const text =
    `The daemon (pid ${pid}) is nodecluster ${version} on Node ${node.slice(1)}; ` +
    `installed is ${own.version} on Node ${own.node.slice(1)}.`;
  return [warning('daemon-version', text, 'nodecluster update')];
}

/** @param {Facts['ports'][number]} fact @returns {Finding} */
function portFinding({ app, port, holder }) {
  const text = `${app} cannot listen on port ${port}: it is in use by ${holder}.`;
  const name = shellWord(app);
  const command = `nodecluster reload ${name} --set-env PORT=<port>`;
  return { ...error('port-in-use', text, command), kind: 'appFailed' };
}

/** @param {Facts['counts'][number]} fact @param {Facts['daemon']} daemon @returns {Finding[]} */
function countFindings({ name, used, max, unit }, daemon) {
  if (max === null) return [];
  const isOfFiles = name.includes('descriptors');
  const setting = isOfFiles ? 'LimitNOFILE=65536' : 'TasksMax=infinity';
  const command = unit
    ? `sudo systemctl edit ${unit}   # [Service] ${setting}`
    : isOfFiles
      ? daemon
        ? `sudo prlimit --nofile=65536 --pid ${daemon.pid}`
        : 'ulimit -n 65536'
      : 'ps -eLf | wc -l';
  if (used !== null && used >= max * NEARLY) {
    return [error('limit-reached', `${name}: ${used} of at most ${max} are used.`, command)];
  }
  const isLow = isOfFiles && max < FEW_DESCRIPTORS;
  return isLow ? [warning('limit-low', `${name}: at most ${max}.`, command)] : [];
}

/** @param {string} disk @returns {Finding} */
function diskFinding(disk) {
  return error('disk-full', `No room is left on ${disk}.`, 'nodecluster flush   # or see `df -h`');
}

/** @param {string} file @returns {Finding} */
function serviceFinding(file) {
  const text = `The service that starts the daemon at boot points to ${file}, which does not exist.`;
  return error('service-broken', text, 'nodecluster startup');
}

/** @param {Facts} facts @returns {Finding[]} */
function nodeFindings({ own, daemon, now }) {
  const nodes = [...new Set([own.node, ...(daemon ? [daemon.node] : [])])];
  return nodes.flatMap((node) => {
    const major = node.slice(1).split('.')[0];
    const [, end] = END_OF_LIFE.find(([line]) => line === major) ?? [];
    if (end === undefined || now < Date.parse(end)) return [];
    const text = `Node ${node.slice(1)} has had no security updates since ${end}.`;
    return [warning('node-end-of-life', text, 'nvm install --lts && nodecluster update --apps')];
  });
}

/** @param {string} code @param {string} text @param {string} command @returns {Finding} */
function error(code, text, command) {
  return { severity: 'error', code, text, command, kind: 'environment' };
}

/** @param {string} code @param {string} text @param {string} command @returns {Finding} */
function warning(code, text, command) {
  return { ...error(code, text, command), severity: 'warning' };
}
