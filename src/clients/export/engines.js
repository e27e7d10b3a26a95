/** The engines that apps can be exported to, one row each. Everything in this room is pure: specs in, text out. */
import { compose } from './compose.js';
import { haproxy } from './haproxy.js';
import { kubernetes } from './kubernetes.js';
import { systemd } from './systemd.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Order
 * @property {readonly Spec[]} specs
 * @property {Record<string, any>} options of the command, only those that were given
 * @property {Machine} machine this one
 *
 * @typedef {object} Machine
 * @property {string} user who exports
 * @property {string} node absolute path
 * @property {string} cli absolute path of the command
 *
 * @typedef {object} Part a file
 * @property {string} name in the directory of `--dir`
 * @property {string} body without its head
 * @property {Warning[]} warnings what it cannot say
 *
 * @typedef {Pick<Part, 'name'> & {text: string}} ExportedFile
 *
 * @typedef {object} Warning
 * @property {string | null} app null: it is about all of them
 * @property {string} text
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly string[]} options that it understands, by the names that commander gives them
 * @property {(order: Order) => Part[]} write
 * @property {string} separator between several files on stdout
 */

/** @type {readonly Engine[]} */
export const engines = [kubernetes, compose, systemd, haproxy];
