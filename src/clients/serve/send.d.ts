/** What src/clients/serve/ uses of the package `send`, which has no types of its own. */
declare module 'send' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface SendStream {
    on(event: 'error', listener: (error: Error & { status: number }) => void): this;
    pipe(response: ServerResponse): ServerResponse;
  }

  export default function send(
    request: IncomingMessage,
    path: string,
    options: { root: string; dotfiles: 'ignore' },
  ): SendStream;
}
