/**
 * Whether an init system runs this daemon. If so, it also starts the next one, and its SIGTERM means
 * that no primary may start one. Otherwise primaries start the next one, unless `kill` ended it.
 * NODECLUSTER_SERVICE is set by the files that `nodecluster startup` writes.
 */
export const isManaged =
  process.env.NOTIFY_SOCKET !== undefined || process.env.NODECLUSTER_SERVICE !== undefined;
