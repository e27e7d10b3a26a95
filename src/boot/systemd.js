/** The units of systemd: the service, and a socket unit with ports for it. Why so: docs/decisions/init-systems.md. */
import path from 'node:path';
import { percent, quote, quoteArgument } from '../shared/quoting.js';
import { DOCS } from '../shared/version.js';
import { checkedStart, daemonCommand, daemonEnvironment } from './service.js';

/** @import { Installation, Service } from './service.js' */

/** @param {Service} service @param {string} unitDirectory @returns {Installation} */
export function systemd(service, unitDirectory) {
  const unit = `${service.name}.service`;
  const socket = `${service.name}.socket`;
  const socketPath = path.join(unitDirectory, socket);
  const flags = service.scope === 'user' ? ['--user'] : [];
  const systemctl = (/** @type {string[]} */ ...args) => ['systemctl', ...flags, ...args];
  return {
    files: [
      { path: path.join(unitDirectory, unit), text: unitText(service), mode: 0o644 },
      ...(service.sockets.length > 0
        ? [{ path: socketPath, text: socketUnitText(service, service.sockets), mode: 0o644 }]
        : []),
    ],
    activate: [
      systemctl('daemon-reload'),
      // `enable --now` would leave a daemon alone that runs with an older unit.
      systemctl('enable', unit),
      systemctl('restart', unit),
    ],
    deactivate: [systemctl('disable', '--now', unit)],
    forget: [systemctl('daemon-reload')],
    socketUnit: {
      path: socketPath,
      activate: [
        systemctl('daemon-reload'),
        systemctl('enable', socket),
        // systemd opens no sockets for a service that is running.
        systemctl('stop', unit),
      ],
      open: systemctl('start', socket),
      giveUp: systemctl('reset-failed', socket),
      deactivate: [systemctl('disable', '--now', socket)],
    },
    status: systemctl('status', service.name).join(' '),
    log: ['journalctl', ...flags, '-u', service.name, '-n', '20'].join(' '),
  };
}

/** @param {Service} service */
function unitText(service) {
  const { user, home, scope } = service;
  const isSystem = scope === 'system';
  const start = ['/bin/sh', '-c', checkedStart('<3>'), ...daemonCommand(service)];
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
    `ExecStart=${start.map(quoteArgument).join(' ')}`,
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

/** @param {Service} service @param {readonly string[]} sockets */
function socketUnitText({ name }, sockets) {
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
