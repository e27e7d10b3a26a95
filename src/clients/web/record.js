/** Watches for a while, and makes one file of it that anybody can open. */
import { setTimeout as pause } from 'node:timers/promises';
import { readAssets } from './http/assets.js';
import { Live } from './live/live.js';
import { Tab } from './live/tab.js';
import { renderRecording } from './record/page-file.js';
import { fetchDetails } from './requests/details.js';
import { identityOf } from './serve.js';

/**
 * @import { Details } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/** Somebody who watches and reads nothing. */
const NOBODY = { isBehind: false, send: () => {} };

/**
 * @param {HomePaths} paths
 * @param {number} ms how long to watch
 * @param {AbortSignal} signal ends it early
 * @returns {Promise<string>} HTML
 */
export async function recordWeb(paths, ms, signal) {
  const live = new Live(paths, identityOf(paths, true));
  const remove = live.add(new Tab(NOBODY));
  await pause(ms, undefined, { signal }).catch(() => {});
  /** @type {[string, Details][]} */
  const details = [];
  for (const name of live.state.order) {
    const found = await fetchDetails(paths, name).catch(() => null);
    if (found) details.push([name, found]);
  }
  remove();
  return renderRecording(readAssets(), {
    state: { ...live.state, recordedAt: Date.now() },
    history: live.wholeHistory(),
    events: live.events,
    details: Object.fromEntries(details),
  });
}
