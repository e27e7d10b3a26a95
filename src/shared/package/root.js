import { fileURLToPath } from 'node:url';

/** Where this process was loaded from. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));
