/** The property list of launchd, on macOS. */
import path from 'node:path';
import { checkedStart, daemonEnvironment, errorLog } from './service.js';
import { shellLine } from '../../shared/quoting.js';

/** @import { InitSystem, Service } from './service.js' */

/** @type {InitSystem} */
export const launchd = {
  mark: '/bin/launchctl',
  platforms: ['macos', 'darwin'],
  installation(service, { uid, userHome }) {
    const isSystem = service.scope === 'system';
    const own = path.join(userHome, 'Library', 'LaunchAgents');
    const file = path.join(isSystem ? '/Library/LaunchDaemons' : own, `${service.name}.plist`);
    const domain = isSystem ? 'system' : `gui/${uid}`;
    const target = `${domain}/${service.name}`;
    const bootstrap = shellLine(['launchctl', 'bootstrap', domain, file]);
    // An earlier one is unloaded, so that the new file takes effect; for some seconds after that, `bootstrap` fails.
    const reload =
      `launchctl bootout ${target} 2>/dev/null; for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do ` +
      `${bootstrap} 2>/dev/null && exit; sleep 1; done; exec ${bootstrap}`;
    return {
      units: [
        {
          path: file,
          text: plist(service),
          activate: [['/bin/sh', '-c', reload]],
          deactivate: [['launchctl', 'bootout', target]],
        },
      ],
      forget: [],
      status: `launchctl print ${target}`,
      log: `cat ${errorLog(service, 'launchd')}`,
    };
  },
};

/** @param {Service} service */
function plist(service) {
  const values = {
    Label: service.name,
    ...(service.scope === 'system' ? { UserName: service.user } : {}),
    ProgramArguments: checkedStart(service),
    EnvironmentVariables: daemonEnvironment(service),
    RunAtLoad: true,
    KeepAlive: true,
    // Otherwise launchd kills the apps when the daemon exits.
    AbandonProcessGroup: true,
    ExitTimeOut: 120,
    SoftResourceLimits: { NumberOfFiles: 65_536 },
    StandardErrorPath: errorLog(service, 'launchd'),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by `nodecluster startup`, removed by `nodecluster unstartup`. -->',
    '<plist version="1.0">',
    ...element(values, ''),
    '</plist>',
    '',
  ].join('\n');
}

/** @param {unknown} value @param {string} indent @returns {string[]} lines */
function element(value, indent) {
  const inner = `${indent}  `;
  if (typeof value === 'boolean') return [`${indent}<${value}/>`];
  if (typeof value === 'number') return [`${indent}<integer>${value}</integer>`];
  if (typeof value === 'string') return [`${indent}<string>${escape(value)}</string>`];
  if (Array.isArray(value)) {
    const items = value.flatMap((each) => element(each, inner));
    return [`${indent}<array>`, ...items, `${indent}</array>`];
  }
  const entries = Object.entries(/** @type {object} */ (value)).flatMap(([key, each]) => [
    `${inner}<key>${escape(key)}</key>`,
    ...element(each, inner),
  ]);
  return [`${indent}<dict>`, ...entries, `${indent}</dict>`];
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
