/** How documentation and help speak of an option. */
/** @import { Needs, Option } from '../options/table.js' */

/** @type {Record<Needs, string>} */
const NEEDS = {
  nothing: 'nothing, it holds at once',
  scale: 'more or fewer workers, the others go on',
  reload: 'a rolling reload, without downtime in cluster mode',
  restart: 'a restart, with downtime',
};

/**
 * @param {Option} option
 * @returns {string} `5s`
 */
export function describeDefault({ default: value, defaultText }) {
  if (defaultText) return defaultText;
  if (value === null || typeof value === 'object') return 'none';
  return `\`${value}\``;
}

/** @param {Option} option */
export function describeNeeds({ needs }) {
  return NEEDS[needs];
}
