/** Documented in docs/reference/errors.md. */
export const exitCodes = Object.freeze({
  ok: 0,
  internal: 1,
  usage: 2,
  badFile: 3,
  notFound: 4,
  appFailed: 5,
  refused: 6,
  environment: 7,
  connection: 8,
});
