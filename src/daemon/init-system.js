/**
 * Whether an init system runs this daemon. It then starts the next one, and SIGTERM is its way to say
 * that none must follow; elsewhere primaries start the next one, and only `kill` says that.
 * NODECLUSTER_SERVICE is set by the files that `nodecluster startup` writes.
 */
export const isManaged =
  process.env.NOTIFY_SOCKET !== undefined || process.env.NODECLUSTER_SERVICE !== undefined;
