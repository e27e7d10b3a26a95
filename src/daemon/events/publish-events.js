/** Publishes what the primary of an app reports. */

/**
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Log } from '../log.js'
 */

/**
 * Must be called before the daemon connects to the primary, so that no event is missed.
 * @param {Daemon} daemon
 * @param {App} app
 */
export function publishEvents({ events, features, log }, app) {
  app.link.on('event', (event) => {
    const published = features.event(app, event);
    if (published !== null) events.publish(app, published);
    if (event.type === 'worker.starting') logStart(log, app, event);
  });
  app.link.on('lost', () => events.publish(app, { type: 'primary.lost' }));
  app.link.on('connected', () => {
    if (events.hasSubscribers) requestProgramEvents(app, true);
  });
}

/**
 * `logs` shows these lines among those of the workers, so they have the time of the start.
 * @param {Log} log
 * @param {App} app
 * @param {PrimaryEvent} event
 */
function logStart(log, { name: app }, { at, again, slot, pid, generation, after }) {
  // The daemon before this one has logged it.
  if (again && at < performance.timeOrigin) return;
  const time = new Date(at).toISOString();
  if (pid) log.of({ time }).info('worker.started', { app, slot, pid, generation, why: after });
}

/**
 * @param {App} app
 * @param {boolean} enabled whether the primary forwards the events that its programs emit
 */
export function requestProgramEvents(app, enabled) {
  if (app.link.state !== 'connected') return;
  // If this fails, the request is repeated when the primary is connected again.
  app.request('forward-program-events', { enabled }).catch(() => {});
}
