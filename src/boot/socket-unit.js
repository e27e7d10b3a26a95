/** The socket unit of systemd: ports that it opens for the daemon's service, before and after it runs. */

/** @import { Service } from './service.js' */

/** As `ListenStream=` takes it: a port, or an address with a port. */
const ADDRESS = /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):)?(\d{1,5})$/;
/** So many descriptors the daemon takes. */
const MAX_SOCKETS = 64;

/**
 * @param {readonly string[]} sockets
 * @returns {string | null} why systemd cannot open these; null: it can
 */
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
export function socketUnitText({ name }, sockets) {
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
