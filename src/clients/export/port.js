/** The ports that an app is known to listen on. */
/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Ports
 * @property {number[]} numbers at least one; the first is that of its clients
 * @property {string} setting where they stand: `env.PORT: 3000`
 * @property {boolean} isPerWorker each worker listens on its own
 */

const FLAG = /^(?:--port|-p)$/;
const FLAG_WITH_VALUE = /^--port=(\d+)$/;

/**
 * @param {Spec} spec
 * @param {number} workers
 * @param {number} [given] of the command
 * @returns {Ports | null} null: nothing in the settings names one
 */
export function portsOf(spec, workers, given) {
  const { number, setting } = firstPort(spec, given);
  const privileged = spec.privilegedPorts.map((address) => Number(address.replace(/^.*:/, '')));
  if (number === null && privileged.length === 0) return null;
  const isPerWorker = spec.incrementVar === 'PORT' && workers > 1;
  const own = Array.from({ length: isPerWorker ? workers : 1 }, (_, slot) => Number(number) + slot);
  const parts = [
    ...(number === null ? [] : [setting]),
    ...(privileged.length === 0 ? [] : [`privileged_ports: ${spec.privilegedPorts.join(', ')}`]),
    ...(isPerWorker ? ['increment_var: PORT'] : []),
  ];
  return {
    numbers: [...new Set([...(number === null ? [] : own), ...privileged])],
    setting: parts.join(', '),
    isPerWorker,
  };
}

/**
 * @param {Spec} spec
 * @param {number | undefined} given
 * @returns {{number: number | null, setting: string}}
 */
function firstPort({ env, args }, given) {
  if (given !== undefined) return { number: given, setting: `--port ${given}` };
  if (isPort(env.PORT)) return { number: Number(env.PORT), setting: `env.PORT: ${env.PORT}` };
  const texts = args.map((word, index) =>
    FLAG.test(word) ? args[index + 1] : FLAG_WITH_VALUE.exec(word)?.[1],
  );
  const text = texts.find(isPort);
  return { number: text === undefined ? null : Number(text), setting: `args: --port ${text}` };
}

/** @param {string | undefined} text */
function isPort(text) {
  return /^[1-9]\d{0,4}$/.test(text ?? '') && Number(text) <= 65_535;
}

/** @param {Ports | null} ports @returns {number | null} the lowest, if only root may open it by default */
export function privilegedStart(ports) {
  const lowest = Math.min(...(ports?.numbers ?? []));
  return lowest < 1024 ? lowest : null;
}
