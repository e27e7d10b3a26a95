/** Types for a client and a server of any set of methods. */

/** One method: its parameters, its result, and its notifications by name. */
export interface Method {
  params: object;
  result: unknown;
  notifications: object;
}

export type Methods = Record<string, Method>;

export type NotificationListener<N> = (
  ...notification: { [Name in keyof N]: [name: Name, payload: N[Name]] }[keyof N]
) => void;

/** Who is at the other end of the connection. */
export interface Hello {
  role: string;
  version: string;
  /** The name of the user who runs it, as it says itself. */
  user?: string;
  /** Its process, as it says itself. */
  pid?: number;
}

/** Of a process of this version, unless it says another. */
export type OwnHello = Pick<Hello, 'role'> & Partial<Hello>;

/** The versions of the protocol that a process understands, as its hello says. */
export interface ProtocolRange {
  /** The newest. */
  protocol: number;
  oldest: number;
}

export interface ServerHello extends Hello, ProtocolRange {
  pid: number;
}

export interface RequestContext<N = object> {
  /** Notifies this client, even after the result. */
  notify: NotificationListener<N>;
  /** Bytes that were written and that the client has not read yet. */
  unreadBytes: () => number;
  peer: Hello;
  /** The listener is called when the connection has closed. */
  onClose: (listener: () => void) => void;
}

/** The server has checked only that the parameters are an object. */
export type Handler<T extends Method> = (
  params: T['params'],
  ctx: RequestContext<T['notifications']>,
) => T['result'] | Promise<T['result']>;

export type Handlers<M extends Methods> = { [Name in keyof M]: Handler<M[Name]> };
