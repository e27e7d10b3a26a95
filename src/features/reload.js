/** What features add to `reload`, for its command and for programs. */
import { examples, flags, fromFlags, options } from './canary/reload.js';

export { addedMs, fromOptions, rollingIn } from './canary/reload.js';
export const added = { examples, flags, fromFlags, options };
