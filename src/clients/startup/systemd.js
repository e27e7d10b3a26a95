/** The units of systemd: the service, and a socket unit with ports for it. Why so: docs/decisions/init-systems.md. */
import path from 'node:path';
import { percent, quote, quoteArgument, shellLine } from '../../shared/quoting.js';
import { DOCS } from '../../shared/version.js';
import { checkedStart, daemonEnvironment } from './service.js';

/** @import { InitSystem, Service } from './service.js' */

/** @type {InitSystem} */
export const systemd = {
  mark: '/run/systemd/system',
  platforms: ['ubuntu', 'debian', 'centos', 'redhat', 'amazon', 'arch', 'oracle'],
  installation(service, { configHome }) {
    const isSystem = service.scope === 'system';
    const directory = isSystem ? '/etc/systemd/system' : path.join(configHome, 'systemd', 'user');
    const flags = isSystem ? [] : ['--user'];
    const systemctl = (/** @type {string[]} */ ...args) => ['systemctl', ...flags, ...args];
    const [unit, socket] = [`${service.name}.service`, `${service.name}.socket`];
    const open = shellLine(systemctl('start', socket));
    const giveUp = shellLine(systemctl('reset-failed', socket));
    return {
      units: [
        {
          path: path.join(directory, unit),
          text: serviceText(service),
          activate: [
            systemctl('daemon-reload'),
            // `enable --now` would leave a daemon alone that runs with an older unit.
            systemctl('enable', unit),
            systemctl('restart', unit),
          ],
          deactivate: [systemctl('disable', '--now', unit)],
        },
        {
          path: path.join(directory, socket),
          text: service.sockets.length > 0 ? socketText(service) : null,
          activate: [
            systemctl('daemon-reload'),
            systemctl('enable', socket),
            // systemd opens no sockets for a service that is running, and not those that apps have.
            systemctl('stop', unit),
            ['/bin/sh', '-c', `${open} || ${giveUp}`],
          ],
          // Before the service, which a connection would start again.
          deactivate: [systemctl('disable', '--now', socket)],
          check: systemctl('is-active', socket),
        },
      ],
      forget: [systemctl('daemon-reload')],
      status: systemctl('status', service.name).join(' '),
      log: ['journalctl', ...flags, '-u', service.name, '-n', '20'].join(' '),
    };
  },
};

/** @param {Service} service */
function serviceText(service) {
  const { user, home, scope } = service;
  const isSystem = scope === 'system';
  const lines = [
    '# Written by `nodecluster startup`, removed by `nodecluster unstartup`.',
    '[Unit]',
    `Description=${percent(`nodecluster: apps of ${user} in ${home}`)}`,
    `Documentation=${DOCS}/guides/start-at-boot.md`,
    ...(isSystem
      ? ['Wants=network-online.target', 'After=network-online.target dbus.service']
      : []),
    `RequiresMountsFor=${quote(home)}`,
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=notify',
    // Root's systemd-notify speaks as the daemon; apps of other users must not.
    `NotifyAccess=${isSystem && user === 'root' ? 'main' : 'all'}`,
    ...(isSystem ? [`User=${user}`] : []),
    ...Object.entries(daemonEnvironment(service)).map(
      ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
    ),
    ...service.credentials.map((each) => `LoadCredential=${percent(each)}`),
    `ExecStart=${checkedStart(service, '<3>').map(quoteArgument).join(' ')}`,
    'Restart=always',
    'RestartSec=1',
    'RestartPreventExitStatus=78',
    'WatchdogSec=30',
    'WatchdogSignal=SIGKILL',
    'KillMode=process',
    'TimeoutStopSec=120',
    'OOMPolicy=continue',
    'LimitNOFILE=524288',
    'TasksMax=infinity',
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {Service} service */
function socketText({ name, sockets }) {
  const lines = [
    '# Written by `nodecluster startup`, removed by `nodecluster unstartup`.',
    '[Unit]',
    `Description=Ports of ${name}.service`,
    '',
    '[Socket]',
    ...sockets.map((address) => `ListenStream=${address}`),
    '',
    '[Install]',
    'WantedBy=sockets.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {readonly string[]} credentials @returns why systemd cannot read these; null: it can */
export function credentialFault(credentials) {
  const wrong = credentials.find((each) => !/^[\w.-]{1,255}:\/[^\s\p{C}]+$/u.test(each));
  if (wrong === undefined) return null;
  return `--credential takes a name and an absolute path (db:/etc/shop/db.secret), not ${wrong}`;
}

/** As `ListenStream=` takes it: a port, or an address with a port. */
const ADDRESS = /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):)?(\d{1,5})$/;
/** So many descriptors the daemon takes. */
const MAX_SOCKETS = 64;

/** @param {readonly string[]} sockets @returns why systemd cannot open these; null: it can */
export function socketFault(sockets) {
  if (sockets.length > MAX_SOCKETS) return `There are more than ${MAX_SOCKETS} sockets`;
  const wrong = sockets.find((text) => {
    const port = Number(ADDRESS.exec(text)?.[1] ?? 0);
    return port < 1 || port > 65_535;
  });
  if (wrong === undefined) return null;
  return `--socket takes a port or an IP address with a port (3000, 127.0.0.1:3000, [::1]:3000), not ${wrong}`;
}
