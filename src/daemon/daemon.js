/** The daemon of one home: finds what runs, keeps it running, and answers commands. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../protocol/server.js';
import { VERSION } from '../shared/version.js';
import { reloadApp, renewWorkers } from './actions/replace.js';
import { announce, hear } from './events/announce.js';
import { AppTable } from './apps/table.js';
import { reopenAll } from './handlers/logs.js';
import { methodsOf } from './handlers/methods.js';
import { EventHub } from './events/hub.js';
import { viewApps } from './handlers/list.js';
import { keep, recover } from './primaries/supervisor.js';
import { LiveView } from './apps/live-view.js';
import { Metrics } from './metrics/usage.js';
import { findOrphans } from './primaries/unrecorded.js';
import { runAction } from './control/run-action.js';
import { Telemetry } from './metrics/telemetry.js';
import { Triggers } from './triggers/triggers.js';

/**
 * @import { HomePaths } from '../shared/home.js'
 * @import { App } from './apps/app.js'
 * @import { World } from './control/world.js'
 * @import { Log } from './log.js'
 * @import { Running } from './triggers/memory.js'
 */

/** What the commands that were cut off may take to write down how far they got. */
const SETTLE_MS = 2000;

/**
 * @param {HomePaths} paths of a home whose lock this process holds
 * @param {Log} log
 * @param {() => void} ended called when nothing is left to do
 * @returns {Promise<{leave: (because: string) => Promise<void>, reopenLogs: () => Promise<void>}>}
 *   leave: ends the daemon; the apps go on
 */
export async function startDaemon(paths, log, ended) {
  const world = makeWorld(paths, log, () => setImmediate(leave, 'kill'));
  const adopted = adoptAll(world);
  const server = await serve(paths.daemonSocket, {
    methods: methodsOf(world, adopted),
    hello: { role: 'daemon', version: VERSION },
    replaceStale: true,
  });
  log.info('daemon.began', { version: VERSION, node: process.version, home: paths.home });
  return { leave, reopenLogs: () => adopted.then(() => reopenAll(world)) };

  /** @param {string} because */
  async function leave(because) {
    world.ending = true;
    const left = world.table.all().filter(({ isDown }) => !isDown);
    log.info('daemon.ending', { because, goesOn: left.map(({ name }) => name) });
    await server.close();
    const apps = world.table.all();
    await Promise.all(apps.map(({ link }) => link.bye()));
    await Promise.race([Promise.all(apps.map(({ lane }) => lane.settled)), sleep(SETTLE_MS)]);
    await world.table.saveIfPossible();
    log.info('daemon.ended');
    ended();
  }
}

/**
 * @param {HomePaths} paths
 * @param {Log} log
 * @param {() => void} end
 * @returns {World}
 */
function makeWorld(paths, log, end) {
  const metrics = new Metrics();
  const triggers = new Triggers({
    ...{ home: paths.home, log, metrics },
    reload: (app) => reloadNow(world, app),
    renew: (app, workers) => renewNow(world, app, workers),
  });
  /** @type {World} */
  const world = {
    paths,
    log,
    table: new AppTable(paths, log),
    metrics,
    telemetry: new Telemetry(),
    events: new EventHub(),
    liveView: new LiveView(() => viewApps(world, world.table.all(), { telemetry: true })),
    triggers,
    ending: false,
    end,
  };
  world.events.onHeard = (isHeard) => {
    for (const app of world.table.all()) hear(app, isHeard);
  };
  return world;
}

/**
 * Every recorded primary is asked before anything is shown or started. What is missing is then
 * started, which nobody needs to wait for.
 * @param {World} world
 */
async function adoptAll(world) {
  for (const desired of findOrphans(world.paths, world.table)) world.table.insert(desired);
  const apps = world.table.all();
  for (const app of apps) announce(world, app);
  await Promise.all(apps.map((app) => app.link.adopt()));
  for (const app of apps) {
    const startAgain = keep(world, app);
    world.triggers.sync(app);
    recover(world, app).then((isUp) => isUp || startAgain());
  }
}

/**
 * @param {World} world
 * @param {App} app
 */
function reloadNow(world, app) {
  return runAction(world, app, {
    action: 'reload',
    command: (report) => reloadApp(world, app, { slots: null, spec: app.spec }, report),
  });
}

/**
 * @param {World} world
 * @param {App} app
 * @param {Running[]} workers
 */
function renewNow(world, app, workers) {
  return runAction(world, app, {
    action: 'renew',
    command: (report) => renewWorkers(world, app, workers, report),
  });
}
