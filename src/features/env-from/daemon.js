/** Which variables `env_from` gives, for `env`: their values are known to the workers only. */
import { sourceName } from './read.js';

/** @import { Feature } from '../../daemon/features.js' */

/** @returns {Feature} */
export const envFrom = () => ({
  variables({ spec: { envFrom: sources }, link }) {
    const named = sources.flatMap((source) => (source.as ? [[source.as, sourceName(source)]] : []));
    const read = sources.length > 0 ? link.snapshot?.variablesFrom : {};
    return { ...Object.fromEntries(named), ...read };
  },
});
