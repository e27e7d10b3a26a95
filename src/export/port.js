/** The port that an app is known to listen on. */
/** @import { Spec } from '../config/spec.js' */

/**
 * @typedef {object} Port
 * @property {number} number
 * @property {string} setting where it stands: `env.PORT: 3000`
 * @property {number} count more than one: each worker adds its number to it
 */

const FLAG = /^(?:--port|-p)$/;
const FLAG_WITH_VALUE = /^--port=(\d+)$/;

/**
 * @param {Spec} spec
 * @param {number} workers
 * @param {number} [given] of the command
 * @returns {Port | null} null: nothing in the settings names it
 */
export function portOf({ env, args, incrementVar, privilegedPorts }, workers, given) {
  if (given !== undefined) return { number: given, setting: `--port ${given}`, count: 1 };
  const count = incrementVar === 'PORT' ? workers : 1;
  if (isPort(env.PORT))
    return { number: Number(env.PORT), setting: `env.PORT: ${env.PORT}`, count };
  const inArgs = args.flatMap((word, index) => {
    const text = FLAG_WITH_VALUE.exec(word)?.[1] ?? (FLAG.test(word) ? args[index + 1] : undefined);
    return isPort(text) ? [Number(text)] : [];
  })[0];
  if (inArgs !== undefined) return { number: inArgs, setting: `args: --port ${inArgs}`, count: 1 };
  const privileged = privilegedPorts[0]?.replace(/^.*:/, '');
  if (!isPort(privileged)) return null;
  const setting = `privileged_ports: ${privilegedPorts.join(', ')}`;
  return { number: Number(privileged), setting, count: 1 };
}

/** @param {string | undefined} text */
function isPort(text) {
  return /^[1-9]\d{0,4}$/.test(text ?? '') && Number(text) <= 65_535;
}
