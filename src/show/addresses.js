/** How the addresses that workers listen on are shown: as ports, or as URLs to open. */
import { isPrivatePlace } from '../lifecycle/listening.js';
import { shortText } from '../shared/quoting.js';
import { escapeLine } from './escape.js';

/** @import { App, Known, Listener as Reported } from '../protocol/shapes.js' */

/** @typedef {Reported | Known<Reported>} Listener */

/** Addresses by which a program on this machine is reached. */
const LOCAL_HOSTS = ['*', '127.0.0.1', '[::1]'];
const LONGEST_LIST = 4;
/** Characters of one of them. */
const PORTS_WIDTH = 40;
const URLS_WIDTH = 160;
/** Above all ports. */
const LAST = 65_536;

/**
 * @param {readonly Listener[]} listeners
 * @returns {string} `3000, 9000`, `9100 by child 6536`; of a unix socket the name of its file
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
 * @returns {string} `http://localhost:3000`, `ports 9000, 9001`, `http://localhost:3000, /run/api.sock`
 */
export function urlsText(listeners) {
  const text = shortList(placesOf(listeners, prefixOf, String), URLS_WIDTH);
  return text.replace(/port \d+(, port \d+)+/, (all) => `ports ${all.replaceAll('port ', '')}`);
}

/**
 * Of the workers themselves. What a program opens for itself alone, perhaps for each client, must not hide its port.
 * @param {readonly Listener[]} listeners
 * @param {(host: string, protocol: Listener['protocol']) => string} prefixOf what stands before a port
 * @param {(path: string) => string} nameOf
 */
function placesOf(listeners, prefixOf, nameOf) {
  return [false, true].flatMap((isPrivate) => {
    const places = listeners
      .filter(({ address, by }) => by === undefined && isPrivatePlace(address) === isPrivate)
      .map(({ address, protocol }) => {
        const shown = escapeLine(address);
        const [, host, port] = /^(.+):(\d+)$/.exec(shown) ?? [];
        if (port === undefined) return { port: LAST, text: nameOf(shown) };
        return { port: Number(port), text: prefixOf(host, protocol) + port };
      })
      .sort((one, other) => one.port - other.port);
    return [...new Set(places.map(({ text }) => text))];
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
  const shown = texts.slice(0, texts.length - others).map((text) => shortText(text, width));
  return [...shown, ...(others > 0 ? [`+${others}`] : [])].join(', ');
}

/** @param {string} host @param {Listener['protocol']} protocol */
function prefixOf(host, protocol) {
  const isLocal = LOCAL_HOSTS.includes(host);
  if (protocol) return `${protocol}://${isLocal ? 'localhost' : host}:`;
  return isLocal ? 'port ' : `${host}:`;
}
