/** What a set of methods is to a client and to a server, whatever the methods are about. */

/** One method: its parameters, its result, and by name what it sends before the result. */
export interface Method {
  params: object;
  result: unknown;
  notifications: object;
}

export type Methods = Record<string, Method>;

/** The name of a notification and what it carries, as two arguments. */
export type Notification<N> = { [Name in keyof N]: [name: Name, payload: N[Name]] }[keyof N];

export type NotificationListener<N> = (...notification: Notification<N>) => void;

/** Who is at the other end. */
export interface Hello {
  role: string;
  version: string;
}

export interface ServerHello extends Hello {
  pid: number;
  protocol: number;
}

export interface RequestContext<N = object> {
  /** To this client, also after the result. */
  notify: NotificationListener<N>;
  /** Bytes that were sent and that the client has not read yet. */
  unreadBytes: () => number;
  peer: Hello;
  /** The listener is called when the connection has ended. */
  onClose: (listener: () => void) => void;
}

/** The server has checked that the parameters are an object, and nothing else of them. */
export type Handler<T extends Method> = (
  params: T['params'],
  ctx: RequestContext<T['notifications']>,
) => T['result'] | Promise<T['result']>;

export type Handlers<M extends Methods> = { [Name in keyof M]: Handler<M[Name]> };
