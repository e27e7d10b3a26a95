/** How the addresses that workers listen on are shown: as ports, or as URLs to open. */
import { isPrivatePlace } from '../lifecycle/listening.js';
import { escapeLine } from './escape.js';

/** @import { App, Known, Listener as Reported } from '../protocol/shapes.js' */

/** @typedef {Reported | Known<Reported>} Listener */

/** Addresses by which a program on this machine is reached. */
const LOCAL_HOSTS = ['*', '127.0.0.1', '[::1]'];
const LONGEST_LIST = 4;
/** Characters of one of them. */
const PORTS_WIDTH = 40;
const URLS_WIDTH = 160;

/**
 * @param {readonly Listener[]} listeners
 * @returns {string} `3000`, `3000–3003, 9000`, `9100 by child 6536`; of a unix socket the name of its file
 */
export function portsText(listeners) {
  const fileName = (/** @type {string} */ path) => path.slice(path.lastIndexOf('/') + 1);
  const others = listeners.flatMap(({ address, by }) => {
    const port = /\d+$/.exec(address)?.[0] ?? address;
    return by === undefined ? [] : [escapeLine(`${port} by ${by}`)];
  });
  return shortList([...placesOf(listeners, () => '', fileName), ...others], PORTS_WIDTH);
}

/**
 * @param {readonly Listener[]} listeners
 * @returns {string} `http://localhost:3000`, `port 9000`, `http://localhost:3000–3003, /run/api.sock`
 */
export function urlsText(listeners) {
  return shortList(placesOf(listeners, prefixOf, String), URLS_WIDTH);
}

/**
 * Of the workers themselves. What a program opens for itself alone, perhaps for each client, must not hide its port.
 * @param {readonly Listener[]} listeners
 * @param {(host: string, protocol: Listener['protocol']) => string} prefixOf what stands before a port
 * @param {(path: string) => string} nameOf
 */
function placesOf(listeners, prefixOf, nameOf) {
  return [false, true].flatMap((isPrivate) => {
    /** @type {Map<string, number[]>} */
    const ports = new Map();
    const names = new Set();
    for (const { address, protocol, by } of listeners) {
      if (by !== undefined || isPrivatePlace(address) !== isPrivate) continue;
      const [, host, port] = /^(.+):(\d+)$/.exec(escapeLine(address)) ?? [];
      const prefix = port === undefined ? '' : prefixOf(host, protocol);
      if (port === undefined) names.add(nameOf(escapeLine(address)));
      else ports.set(prefix, [...(ports.get(prefix) ?? []), Number(port)]);
    }
    const ranges = [...ports].flatMap(([prefix, numbers]) =>
      rangesOf(numbers).map((range) => prefix + range),
    );
    return [...ranges, ...names];
  });
}

/** @param {Pick<App, 'workers'>} app @returns {string} `*:3000, /run/api.sock` */
export function addressesText({ workers }) {
  const addresses = workers.flatMap(({ listening }) =>
    listening.map(({ address, by }) => (by === undefined ? address : `${address} by ${by}`)),
  );
  return [...new Set(addresses)].join(', ');
}

/** The first, and the number of the others. @param {string[]} texts @param {number} width: a program can report any path */
function shortList(texts, width) {
  const others = texts.length <= LONGEST_LIST ? 0 : texts.length - LONGEST_LIST + 1;
  const shown = texts.slice(0, texts.length - others).map((text) => truncate(text, width));
  return [...shown, ...(others > 0 ? [`+${others}`] : [])].join(', ');
}

/** @param {string} text @param {number} width */
function truncate(text, width) {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}

/** @param {string} host @param {Listener['protocol']} protocol */
function prefixOf(host, protocol) {
  const isLocal = LOCAL_HOSTS.includes(host);
  if (protocol) return `${protocol}://${isLocal ? 'localhost' : host}:`;
  return isLocal ? 'port ' : `${host}:`;
}

/** @param {number[]} ports @returns {string[]} consecutive ones as a range */
function rangesOf(ports) {
  const sorted = [...new Set(ports)].sort((one, other) => one - other);
  /** @type {[first: number, last: number][]} */
  const ranges = [];
  for (const port of sorted) {
    const current = ranges.at(-1);
    if (current && current[1] === port - 1) current[1] = port;
    else ranges.push([port, port]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
}
