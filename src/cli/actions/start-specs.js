/** Starts apps that the command line describes. */
import { noteChanges } from './apply-file.js';
import { conclude, request } from './request.js';
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
  const result = await request(context, client, 'start', specParams(context, specs), (plan) =>
    noteChanges(context, plan, { specs, apply: 'nodecluster apply' }),
  );
  return conclude(context, client, result);
}
