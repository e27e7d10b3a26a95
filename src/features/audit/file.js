/** In the home directory. */
export const AUDIT_LOG = 'audit.log';
