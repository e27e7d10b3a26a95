/** Starts apps that the command line describes. */
import { NodeclusterError } from '../../errors/error.js';
import { maskLine } from '../../show/mask.js';
import { noteChanges } from './apply-file.js';
import { conclude } from './request.js';
import { showResolutions, specParams } from './specs.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context
 * @param {Spec[]} specs
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_APP_EXISTS
 */
export async function startSpecs(context, specs) {
  showResolutions(context, specs);
  const client = await context.daemons.start();
  const start = (/** @type {Spec[]} */ now) =>
    context.request(client, 'start', specParams(context, now), (plan) =>
      noteChanges(context, plan, { specs: now, apply: 'nodecluster apply' }),
    );
  const result = await start(specs).catch((error) => {
    if (!context.options.force) throw error;
    return start(withFreeNames(context, specs, error));
  });
  return conclude(context, client, result);
}

/** @param {Context} context @param {Spec[]} specs @param {unknown} thrown by their start */
function withFreeNames({ note }, specs, thrown) {
  const { code, data } = NodeclusterError.from(thrown);
  if (code !== 'E_APP_EXISTS') throw thrown;
  return specs.map((spec) => {
    const conflict = data.conflicts.find((/** @type {Spec} */ { name }) => name === spec.name);
    if (!conflict?.free) return spec;
    const names = [spec.name, conflict.free].map(maskLine);
    note(`${names[0]} exists already: this copy of it is called ${names[1]}.`);
    return { ...spec, name: conflict.free };
  });
}
