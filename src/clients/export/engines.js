/** The engines that apps can be exported to, one row each. Everything in this room is pure: specs in, text out. */
import { compose } from './compose.js';
import { haproxy } from './haproxy.js';
import { kubernetes } from './kubernetes.js';
import { systemd } from './systemd.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Order
 * @property {readonly Spec[]} specs
 * @property {string} source what the head of the text names: `ecosystem.yml`
 * @property {Record<string, any>} options of the command, only those that were given
 * @property {Machine} machine this one
 *
 * @typedef {object} Machine
 * @property {string} user who exports
 * @property {string} node absolute path
 * @property {string} cli absolute path of the command
 *
 * @typedef {object} Exported
 * @property {ExportedFile[]} files
 * @property {Warning[]} warnings what the text cannot say
 *
 * @typedef {object} ExportedFile
 * @property {string} name in the directory of `--dir`
 * @property {string} text complete, with the warnings at its head
 *
 * @typedef {object} Warning
 * @property {string | null} app null: it is about all of them
 * @property {string} text
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly string[]} options that it understands, by the names that commander gives them
 * @property {(order: Order) => Exported} write
 * @property {(files: ExportedFile[]) => string} join several files as one text for stdout
 */

/** @type {readonly Engine[]} */
export const engines = [kubernetes, compose, systemd, haproxy];
