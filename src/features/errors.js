/** The error codes of features. */
import { codes as canary } from './canary/errors.js';
import { codes as jobs } from './jobs/errors.js';
import { codes as why } from './why/errors.js';

export const featureCodes = { ...canary, ...jobs, ...why };
