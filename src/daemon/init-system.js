/**
 * Whether an init system runs this daemon. It then starts the next one, and SIGTERM is its way to say
 * that none must follow; elsewhere primaries start the next one, and only `kill` says that.
 */
export const isManaged = process.env.NOTIFY_SOCKET !== undefined;
