/** The error codes of features. */
import { codes as jobs } from './jobs/errors.js';

export const featureCodes = { ...jobs };
