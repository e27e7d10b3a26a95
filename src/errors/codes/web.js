import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const webCodes = {
  E_WEB_PUBLIC: {
    exitCode: exitCodes.usage,
    message: ({ address }) =>
      `Not serving the page on ${address}: without TLS, others in the network could read along and take over a session.`,
    hint: () =>
      'Give a certificate (--tls-cert, --tls-key), or say which proxy is in front: --behind-proxy https://ops.example/nodecluster/. ' +
      'To look from your own machine, use the default address and `ssh -L 9477:127.0.0.1:9477`.',
  },
  E_WEB_PROXY_URL: {
    exitCode: exitCodes.usage,
    message: ({ url }) => `${JSON.stringify(url)} is not the URL of a page.`,
    hint: () =>
      'Give what browsers open, with the path that the proxy passes on: --behind-proxy https://ops.example/nodecluster/.',
  },
  E_WEB_TLS: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not use ${file} for TLS (${reason}).`,
    hint: () => 'Give a certificate and its private key in PEM, as files that you can read.',
  },
};
