/** runNow() of a program. */
import { aBoolean, checkOptions } from '../../api/arguments.js';

/**
 * @import { CallContext } from '../api.js'
 * @import { JobCalls } from './record.js'
 */

/** @param {CallContext} connection @returns {JobCalls} */
export const jobs = ({ select, request }) => ({
  async runNow(target, options = {}) {
    const { wait: untilEnd } = checkOptions('runNow', options, { wait: aBoolean });
    const selectors = await select('runNow', target);
    return (await request('run-now', { selectors, untilEnd })).apps;
  },
});
