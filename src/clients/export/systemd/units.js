/** Units of systemd that run apps without a daemon of nodecluster: one service each. */
import { alarmWarnings } from '../alarm-warnings.js';
import { exportedApp } from '../app.js';
import { commentedText, printable } from '../head.js';
import { onCalendar, onCalendarWarning } from './on-calendar.js';
import { serviceText, unitName } from './service.js';

/**
 * @import { ExportedApp } from '../app.js'
 * @import { Engine, ExportedFile, Order, Warning } from '../engines.js'
 */

/** Keys of settings that are lines of the unit. */
const BY_THE_UNIT = ['uid', 'gid', 'privileged_ports', 'depends_on'];

/** @type {Engine} */
export const systemd = {
  name: 'systemd',
  options: ['cpus'],
  write(order) {
    const place = { root: null, workdir: null, byEngine: BY_THE_UNIT, specs: order.specs };
    const apps = order.specs.map((spec) =>
      exportedApp(spec, { ...place, cpus: order.options.cpus, port: undefined }),
    );
    const exported = apps.map((app) => {
      const texts = warningsOf(app, order);
      const warnings = texts.map((text) => ({ app: app.spec.name, text }));
      return { warnings, files: filesOf(app, order, warnings) };
    });
    return {
      files: exported.flatMap(({ files }) => files),
      warnings: exported.flatMap(({ warnings }) => warnings),
    };
  },
  join: (files) => files.map(({ name, text }) => `# ${placeOf(name)}\n${text}`).join('\n'),
};

/**
 * @param {ExportedApp} app
 * @param {Order} order
 * @param {Warning[]} warnings
 * @returns {ExportedFile[]}
 */
function filesOf(app, { source, machine }, warnings) {
  const name = unitName(app.spec.name);
  const unit = `${name}.service`;
  return [
    { name: unit, text: commentedText('systemd', source, warnings, serviceText(app, machine)) },
    ...(app.role === 'cron'
      ? [{ name: `${name}.timer`, text: commentedText('systemd', source, [], timerText(app)) }]
      : []),
    { name: `${name}.yml`, text: app.file },
  ];
}

/** @param {string} file */
function placeOf(file) {
  return file.endsWith('.yml') ? `/etc/nodecluster/${file}` : `/etc/systemd/system/${file}`;
}

/** @param {ExportedApp} app */
function timerText({ spec: { name }, times }) {
  const { key = '', pattern = '', timezone = null } = times ?? {};
  const zone = timezone === null ? '' : ` ${timezone}`;
  const lines = [
    '[Unit]',
    `Description=Times of ${name}`,
    '',
    '[Timer]',
    `# ${printable(`${key}: ${pattern}`)}`,
    `OnCalendar=${onCalendar(pattern)}${zone}`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {ExportedApp} app @param {Order} order @returns {string[]} */
function warningsOf(app, { machine }) {
  const { spec, times, environment, isMasked, resources } = app;
  const name = unitName(spec.name);
  const rows = [
    environment.secrets.length > 0 &&
      `write NAME=value lines for ${environment.secrets.join(', ')} to /etc/nodecluster/${name}.env (mode 0600)`,
    spec.uid === null &&
      machine.user === 'root' &&
      'uid is not set, so it runs as a user that exists only while it runs and that can write nothing in cwd',
    !resources.isLimited && 'max_memory_restart is not set, so its memory has no limit',
    isMasked &&
      'args contain what looks like a secret, which is replaced by ********: pass it as a variable of env',
    spec.incrementVar !== null &&
      !(spec.incrementVar in spec.env) &&
      `increment_var: ${spec.incrementVar} comes from the shell, whose variables are not exported: set it in env`,
    times !== null && onCalendarWarning(times),
    times !== null &&
      spec.overlap !== 'skip' &&
      `overlap: ${spec.overlap} has no equivalent: a run that is due while another is busy is left out`,
  ];
  const texts = rows.filter((text) => typeof text === 'string');
  return [...texts, ...alarmWarnings(app, 'the machine')];
}
