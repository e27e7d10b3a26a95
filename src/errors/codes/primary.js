/** @type {Record<string, import('../catalogue.js').ErrorEntry>} */
export const primaryCodes = {};
