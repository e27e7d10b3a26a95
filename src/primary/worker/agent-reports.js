/** What the agent of a worker reports without a request, in cluster mode and in fork mode. */
/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ListenFault, Listener } from '../../protocol/shapes.js'
 */

export const AGENT_CMD = 'NODE_NODECLUSTER';
/** No address or path is longer. */
const MAX_ADDRESS = 300;

/**
 * @typedef {object} AgentListener
 * @property {() => void} loaded the program has been loaded
 * @property {(listener: Listener) => void} listening
 * @property {(address: string) => void} closed
 * @property {(fault: ListenFault, isHandled: boolean) => void} fault it could not listen;
 *   `isHandled`: the program does not crash for that
 * @property {() => void} beat its event loop turns
 * @property {(ownsSignal: boolean) => void} handlers whether the program handles SIGUSR1 itself
 * @property {(what: 'proxied' | 'worn', count: number) => void} noticed that a proxy is in front of it, or
 *   that it has answered as many requests as it may
 */

/** @param {ChildProcess} child @param {AgentListener} on */
export function watchReports(child, on) {
  child.on('internalMessage', (message) => {
    if (message?.cmd !== AGENT_CMD) return;
    const { type, name, protocol } = message;
    if (typeof message.ownsSignal === 'boolean') on.handlers(message.ownsSignal);
    if (type === 'loaded') on.loaded();
    if (type === 'beat') on.beat();
    if (type === 'proxied' || type === 'worn') on.noticed(type, Number(message.requests) || 0);
    if (type === 'listening') on.listening(readListener(name, protocol));
    if (type === 'closed') on.closed(readText(name));
    if (type === 'fault') on.fault(readFault(message), message.isHandled === true);
  });
}

/** Programs can forge these messages. @param {unknown} name @param {unknown} protocol @returns {Listener} */
function readListener(name, protocol) {
  const isHttp = protocol === 'http' || protocol === 'https';
  return { address: readText(name), protocol: isHttp ? protocol : null };
}

/** @param {Record<string, unknown>} message @returns {ListenFault} */
function readFault({ code, address, port }) {
  return {
    code: readText(code),
    address: typeof address === 'string' ? readText(address) : null,
    // Of a unix socket it is -1.
    port: typeof port === 'number' && port >= 0 ? port : null,
  };
}

/** A slice alone would keep the whole string in memory. @param {unknown} value */
function readText(value) {
  return Buffer.from(String(value).slice(0, MAX_ADDRESS)).toString();
}
