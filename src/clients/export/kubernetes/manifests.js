/** The manifests of Kubernetes: for each app a file with all of its objects. */
import { exportedApp } from '../app.js';
import { BY_THE_ENGINE, WORKDIR } from '../container/place.js';
import { containerWarnings, imageWarnings } from '../container/warnings.js';
import { eachApp } from '../each-app.js';
import { instancesText } from '../resources.js';
import { toYaml } from '../yaml.js';
import { autoscaler, deployment, disruptionBudget, service } from './deployment.js';
import { cronJob, job } from './job.js';
import { namesOf } from './names.js';
import { kubernetesWarnings } from './warnings.js';
import { configName, metadata } from './workload.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { ExportedApp, Place } from '../app.js'
 * @import { Engine, Order } from '../engines.js'
 * @import { Manifest, Workload } from './workload.js'
 */

/** @type {Engine} */
export const kubernetes = {
  name: 'kubernetes',
  options: ['image', 'replicas', 'autoscale', 'cpus', 'port', 'workdir', 'root'],
  write: (order) =>
    eachApp('kubernetes', order, {
      items: workloadsOf(order),
      general: imageWarnings(order),
      fileName: ({ name }) => `${name}.yaml`,
      warnings: (workload) => [...kubernetesWarnings(workload), ...containerWarnings(workload.app)],
      body: (workload) => manifestsOf(workload).map(toYaml).join('---\n'),
    }),
  join: (files) => files.map(({ text }) => text).join('---\n'),
};

/** @param {Order} order @returns {Workload[]} */
function workloadsOf({ specs, options }) {
  const { image = 'app:latest', replicas, autoscale = null, cpus, root = null } = options;
  const place = { root, workdir: options.workdir ?? WORKDIR, byEngine: BY_THE_ENGINE, specs, cpus };
  const apps = specs.map((spec) => appOf(spec, { ...place, port: options.port }));
  const names = namesOf(specs.map(({ name }) => name));
  const nameOf = (/** @type {string} */ app) => names.get(app) ?? app;
  return apps.map((app) => ({
    app,
    name: nameOf(app.spec.name),
    image,
    autoscale: app.ports === null ? null : autoscale,
    ...replicasOf(app, replicas),
    ...dependenciesOf(app, apps, nameOf),
  }));
}

/**
 * @param {ExportedApp} app
 * @param {readonly ExportedApp[]} apps
 * @param {(app: string) => string} nameOf
 */
function dependenciesOf({ spec: { dependsOn } }, apps, nameOf) {
  const others = Object.keys(dependsOn).filter((name) => dependsOn[name] !== 'exited');
  const portOf = (/** @type {string} */ name) =>
    apps.find(({ spec }) => spec.name === name)?.ports?.numbers[0];
  const waitsFor = others.flatMap((name) => {
    const port = portOf(name);
    return port === undefined ? [] : [{ name: nameOf(name), port }];
  });
  return { waitsFor, unawaited: others.filter((name) => portOf(name) === undefined) };
}

/**
 * A Service goes on to send connections to a pod for a moment after it was asked to stop.
 * @param {Spec} spec
 * @param {Place} place
 */
function appOf(spec, place) {
  const app = exportedApp(spec, place);
  const isSet = spec.shutdownDelayMs > 0 || spec.given.shutdownDelayMs !== undefined;
  if (app.ports === null || isSet) return app;
  return exportedApp({ ...spec, shutdownDelayMs: DELAY_MS }, place);
}

const DELAY_MS = 5000;

/**
 * A program that runs in several workers can run in several pods.
 * @param {ExportedApp} app
 * @param {number | undefined} replicas of the command
 */
function replicasOf({ spec: { execMode, instances } }, replicas) {
  if (replicas !== undefined) return { replicas, replicasSetting: '--replicas' };
  const text = instancesText(instances);
  return execMode === 'cluster' && instances !== 1
    ? { replicas: 2, replicasSetting: `the default with ${text}` }
    : { replicas: 1, replicasSetting: `the default with ${text}` };
}

/** @param {Workload} workload @returns {Manifest[]} */
function manifestsOf(workload) {
  const { app, replicas, autoscale } = workload;
  const settings = settingsMap(workload);
  if (app.role === 'cron') return [settings, cronJob(workload)];
  if (app.role === 'job') return [settings, job(workload)];
  const isSpread = (autoscale?.min ?? replicas) > 1;
  return [
    settings,
    deployment(workload),
    ...(app.ports === null ? [] : [service(workload)]),
    ...(isSpread ? [disruptionBudget(workload)] : []),
    ...(autoscale === null ? [] : [autoscaler(workload)]),
  ];
}

/** @param {Workload} workload @returns {Manifest} */
function settingsMap(workload) {
  const { name, app } = workload;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata(workload), name: configName(name) },
    data: { [`${name}.yml`]: app.file },
  };
}
