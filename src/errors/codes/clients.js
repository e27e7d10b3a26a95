/** @import { ErrorEntry } from '../exit-codes.js' */

/** `prove` and `web`. @type {Record<string, ErrorEntry>} */
export const clientCodes = {
  E_PROVE_APP: {
    exitCode: 'usage',
    message: ({ names }) =>
      names.length === 0
        ? 'Nothing to prove: no app is running.'
        : `Could not choose between ${names.join(', ')}: prove takes one app at a time.`,
    hint: ({ names: [name] }) =>
      name === undefined
        ? 'Start one with `nodecluster start app.js -i max`.'
        : `Name it: \`nodecluster prove ${name}\`.`,
  },
  E_PROVE_DOWN: {
    exitCode: 'refused',
    message: ({ app, status, busy }) =>
      busy
        ? `${app} was not touched: a ${busy} is in progress.`
        : `${app} was not touched: it is ${status}, and prove needs an app that is online.`,
    hint: ({ app }) => `\`nodecluster describe ${app}\` shows more.`,
  },
  E_PROVE_EVENT: {
    exitCode: 'usage',
    message: ({ app, event }) =>
      event === 'primary'
        ? `The primary of ${app} was not killed: apps in fork mode share it.`
        : `The daemon of ${app} was not killed: it is the process of \`nodecluster run\`.`,
    hint: 'Leave it out of --only.',
  },
  E_PROVE_ADDRESS: {
    exitCode: 'usage',
    message: ({ app, addresses }) =>
      addresses.length === 0
        ? `Could not send requests to ${app}: no worker listens.`
        : `Could not choose where to send requests: ${app} listens on ${addresses.join(', ')}.`,
    hint: 'Give the whole URL: `--url http://127.0.0.1:3000/`.',
  },
  E_PROVE_ANSWER: {
    exitCode: 'refused',
    message: ({ app, url, reasons }) =>
      `${app} was not touched: it does not answer every request to ${url} (${reasons.join(', ')}).`,
    hint: 'Give the URL of something that answers GET over HTTP/1.1, such as `--url /status`.',
  },
  E_PROVE_ELSEWHERE: {
    exitCode: 'refused',
    message: ({ app, url, requests }) =>
      `${app} was not touched: most of ${requests} requests to ${url} were answered by something else.`,
    hint: 'Give a URL that leads to the app, and not to a cache in front of it.',
  },
  E_PROVE_CONFIRM: {
    exitCode: 'usage',
    message: ({ app }) => `${app} was not touched: prove kills its processes and asks first.`,
    hint: 'Without a terminal, or with --json, add --yes.',
  },
  E_WEB_PUBLIC: {
    exitCode: 'usage',
    message: ({ address }) =>
      `Not serving the page on ${address}: without TLS, anyone on the network could read the traffic and hijack a session.`,
    hint:
      'Give a certificate (--tls-cert, --tls-key), or say which proxy is in front: --behind-proxy https://ops.example/nodecluster/. ' +
      'To look from your own machine, use the default address and `ssh -L 9477:127.0.0.1:9477`.',
  },
  E_WEB_PROXY_URL: {
    exitCode: 'usage',
    message: ({ url }) => `${JSON.stringify(url)} is not the URL of a page.`,
    hint: 'Give what browsers open, with the path that the proxy passes on: --behind-proxy https://ops.example/nodecluster/.',
  },
  E_WEB_TLS: {
    exitCode: 'environment',
    message: ({ file, reason }) => `Could not use ${file} for TLS (${reason}).`,
    hint: 'Give a certificate and its private key in PEM, as files that you can read.',
  },
  E_WEB_UNBUILT: {
    exitCode: 'environment',
    message: ({ reason }) => `The page is not built here (${reason}).`,
    hint: 'The published package has it; in a checkout, `npm install` brings what builds it.',
  },
};
