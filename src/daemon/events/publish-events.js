/** Publishes what the primary of an app reports. */
/**
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 */

/**
 * Must be called before the daemon connects to the primary, so that no event is missed.
 * @param {Daemon} daemon
 * @param {App} app
 */
export function publishEvents({ events }, app) {
  app.link.on('event', (event) => events.publish(app, event));
  app.link.on('lost', () => events.publish(app, { type: 'primary.lost' }));
  app.link.on('connected', () => {
    if (events.hasSubscribers) requestProgramEvents(app, true);
  });
}

/**
 * @param {App} app
 * @param {boolean} enabled whether the primary forwards the events that its programs emit
 */
export function requestProgramEvents({ link }, enabled) {
  if (link.state !== 'connected') return;
  // If this fails, the request is repeated when the primary is connected again.
  link.request('forward-program-events', { enabled }).catch(() => {});
}
