import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const metricsCodes = {
  E_OTLP_PACKAGES: {
    exitCode: exitCodes.environment,
    message: ({ name, reason }) =>
      reason
        ? `Could not load the package ${name}, which exports metrics: ${reason}.`
        : `Could not export metrics: the package ${name} is not installed.`,
    hint: ({ packages }) =>
      `Run \`npm install ${packages.join(' ')}\` in this directory, or with -g if nodecluster is installed so.`,
  },
  E_OTLP_URL: {
    exitCode: exitCodes.usage,
    message: ({ url }) =>
      `Could not export metrics to ${JSON.stringify(url)}: it is not an HTTP URL.`,
    hint: () =>
      'Give the URL of a collector, such as http://localhost:4318, or `env` for OTEL_EXPORTER_OTLP_ENDPOINT.',
  },
};
