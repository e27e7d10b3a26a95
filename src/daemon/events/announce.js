/** Everything that happens to an app reaches who listens; call it before its primary is dialled. */
/**
 * @import { App } from '../apps/app.js'
 * @import { World } from '../control/world.js'
 */

/**
 * @param {World} world
 * @param {App} app
 */
export function announce({ events }, app) {
  app.link.on('event', (event) => events.publish(app, event));
  app.link.on('lost', () => events.publish(app, { type: 'primary.lost' }));
  app.link.on('connected', () => {
    if (events.isHeard) hear(app, true);
  });
}

/**
 * @param {App} app
 * @param {boolean} wanted whether its primary shall tell what its programs say
 */
export function hear({ link }, wanted) {
  if (link.state !== 'connected') return;
  // A primary that cannot be told now is told when it is dialled again.
  link.request('forward-program-events', { enabled: wanted }).catch(() => {});
}
