/** The manifests of Kubernetes: of each app all of its objects. */
import { exportedApp, rowsOf, timesOf } from './app.js';
import { instancesText } from './resources.js';
import { podTemplate, appPorts, noted, selector } from './kubernetes-pod.js';
import { printable, yamlDocument, yamlText } from '../../api/write-ecosystem.js';

/**
 * @import { ExportedApp, Order } from './app.js'
 *
 * @typedef {ReturnType<typeof workloadsOf>[number]} Workload
 */

/**
 * The objects of each app, below what the engine cannot do.
 * @param {Order} order
 * @param {string} source what the heads name: `ecosystem.yml`
 */
export function exported(order, source) {
  const parts = workloadsOf(order).map((workload, index) => {
    const { name } = workload.spec;
    const rows = [...ownRows(workload), ...rowsOfTimes(workload), ...rowsOf(workload)];
    const isUnnamed = index === 0 && order.options.image === undefined;
    const warnings = [
      ...(isUnnamed ? [`--image is not given, so the image is called ${IMAGE}`] : []),
      ...rows.flatMap((text) => (text === false ? [] : `${name}: ${text}`)),
    ];
    const head = [
      `Written by \`nodecluster export kubernetes\` from ${source}.`,
      ...warnings.map((warning) => `Warning: ${warning}`),
    ].map((line) => `# ${printable(line)}\n`);
    const documents = manifestsOf(workload).map((each) => yamlText(yamlDocument(each)));
    return { text: head.join('') + documents.join('---\n'), warnings };
  });
  const warnings = parts.flatMap((part) => part.warnings);
  return { warnings, text: parts.map(({ text }) => text).join('---\n') };
}

const IMAGE = 'app:latest';

/** @param {Order} order */
function workloadsOf(order) {
  /** @type {{image?: string, replicas?: number}} */
  const { image = IMAGE, replicas } = order.options;
  const apps = order.specs.map((spec) => exportedApp(spec, order));
  const names = namesOf(order.specs.map(({ name }) => name));
  const nameOf = (/** @type {string} */ app) => names.get(app) ?? app;
  return apps.map((app) => {
    const { name, execMode, instances } = app.spec;
    // A program that runs in several workers can run in several pods.
    const isSpread = execMode === 'cluster' && instances !== 1;
    return {
      ...app,
      /** Of its objects. */
      name: nameOf(name),
      image,
      replicas: replicas ?? (isSpread ? 2 : 1),
      replicasSetting: replicas ? '--replicas' : `the default with ${instancesText(instances)}`,
      ...dependenciesOf(app, nameOf),
    };
  });
}

/** @param {ExportedApp} app @param {(app: string) => string} nameOf */
function dependenciesOf({ spec: { dependsOn } }, nameOf) {
  const names = Object.keys(dependsOn);
  const unawaited = names.filter((name) => dependsOn[name] !== 'exited');
  return { jobs: names.filter((name) => !unawaited.includes(name)).map(nameOf), unawaited };
}

/** @param {Workload} workload */
function manifestsOf(workload) {
  const { name, role, ports, replicas } = workload;
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-settings`, labels: selector(name) },
    data: { [`${name}.yml`]: workload.file },
  };
  if (role === 'cron') return [settings, cronJob(workload)];
  if (role === 'job') return [settings, manifest('batch/v1', 'Job', workload, jobSpec(workload))];
  const budget = { maxUnavailable: 1, selector: { matchLabels: selector(name) } };
  return [
    settings,
    deployment(workload),
    ...(ports === null ? [] : [service(workload)]),
    ...(replicas > 1 ? [manifest('policy/v1', 'PodDisruptionBudget', workload, budget)] : []),
  ];
}

/** @param {string} apiVersion @param {string} kind @param {Workload} workload @param {object} spec */
function manifest(apiVersion, kind, { name }, spec) {
  return { apiVersion, kind, metadata: { name, labels: selector(name) }, spec };
}

/** A CronJob adds 11 characters to its name. */
const MAX_LENGTH = 52;

/** RFC 1035 labels, each unique: lower-case letters, digits and dashes, with a letter at the start. @param {readonly string[]} apps */
export function namesOf(apps) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const taken = new Set();
  for (const app of apps) {
    const dashed = app.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const label = /^[a-z]/.test(dashed) ? dashed : `app-${dashed}`;
    const plain = label.replace(/--+/g, '-').slice(0, MAX_LENGTH).replace(/-+$/, '');
    let name = plain;
    for (let next = 2; taken.has(name); next += 1)
      name = `${plain.slice(0, MAX_LENGTH - 5)}-${next}`;
    taken.add(name);
    names.set(app, name);
  }
  return names;
}

/** What Kubernetes cannot say, and what must be created beside the manifests. @param {Workload} workload */
function ownRows({ name, spec, role, environment, ending, jobs, unawaited }) {
  const { instances } = spec;
  const secrets = Object.keys(environment.secrets).map((key) => `--from-literal=${key}=…`);
  return [
    name !== spec.name && `its objects are called ${name}, as Kubernetes needs`,
    secrets.length > 0 &&
      `create its Secret: kubectl create secret generic ${name}-secrets ${secrets.join(' ')}`,
    typeof instances === 'object' &&
      `${instancesText(instances)}: each pod scales itself, within its own limit of CPU`,
    unawaited.length > 0 &&
      `depends_on: nothing waits for ${unawaited.join(', ')}: a program that cannot connect yet must try again, or exit and be started again`,
    jobs.length > 0 &&
      `depends_on: apply ${jobs.join(', ')} first, and wait: kubectl wait --for=condition=complete job/${jobs.join(' job/')}`,
    role === 'service' &&
      spec.execMode === 'fork' &&
      'exec_mode: in fork mode a reload stops the old process first; Kubernetes starts the new pod before it stops the old one',
    role === 'job' && `${ending} is a Job, which runs once; delete it before the next apply`,
  ];
}

/** Of an alarm: `job.ended`, and patterns that mean it too. */
const JOB_EVENT = /^(?:job|\*)\.(?:started|skipped|ended|\*)$|^\*$/;

/** @param {ExportedApp} app */
function rowsOfTimes({ role, spec }) {
  if (role !== 'cron') return [];
  const { key, pattern } = timesOf(spec);
  const isAboutJobs = spec.on.some(({ event }) => event.some((each) => JOB_EVENT.test(each)));
  return [
    spec.schedule === null &&
      `autorestart: false with ${key} is a job: it does not run before its first time`,
    schedule(pattern) !== pattern && `${key}: a CronJob has no seconds: ${pattern}`,
    spec.timezone === null && `${key}: ${pattern} is in the time zone of the cluster (mostly UTC)`,
    spec.overlap === 'queue' &&
      'overlap: queue has no equivalent: a run that is due while another is busy is left out',
    isAboutJobs &&
      'on: the engine runs the job, so there are no events job.started, job.skipped and job.ended',
  ];
}

/** @param {Workload} workload */
function deployment(workload) {
  const { name, replicas, replicasSetting } = workload;
  const { minUptimeMs } = workload.spec;
  return manifest('apps/v1', 'Deployment', workload, {
    replicas: noted(replicas, replicasSetting),
    minReadySeconds: noted(Math.ceil(minUptimeMs / 1000), `min_uptime: ${minUptimeMs / 1000}s`),
    strategy: {
      type: 'RollingUpdate',
      rollingUpdate: {
        maxUnavailable: noted(0, 'a new pod is ready before an old one stops'),
        maxSurge: 1,
      },
    },
    selector: { matchLabels: selector(name) },
    template: podTemplate(workload),
  });
}

/** @param {Workload} workload */
function service(workload) {
  const { name, spec } = workload;
  const isSticky = spec.scheduling === 'sticky';
  return manifest('v1', 'Service', workload, {
    selector: selector(name),
    sessionAffinity: isSticky ? noted('ClientIP', 'scheduling: sticky') : undefined,
    ports: appPorts(workload).map((each) => ({ ...each, targetPort: each.name })),
  });
}

/** @param {Workload} workload */
function cronJob(workload) {
  const { key, pattern } = timesOf(workload.spec);
  const { overlap, timezone } = workload.spec;
  return manifest('batch/v1', 'CronJob', workload, {
    schedule: noted(schedule(pattern), `${key}: ${pattern}`),
    timeZone: timezone === null ? undefined : noted(timezone, `timezone: ${timezone}`),
    concurrencyPolicy:
      overlap === 'replace'
        ? noted('Replace', 'overlap: replace')
        : noted('Forbid', 'a run that is still busy is not joined by another'),
    jobTemplate: { spec: jobSpec(workload) },
  });
}

/** @param {string} pattern of five fields, or six with seconds first @returns {string} of five */
export function schedule(pattern) {
  return pattern.trim().split(/\s+/).slice(-5).join(' ');
}

/** Of an app that does one piece of work: once, or at given times. @param {Workload} workload */
function jobSpec(workload) {
  const { ending } = workload;
  return {
    backoffLimit: noted(0, ending),
    template: podTemplate(workload, { restartPolicy: noted('Never', ending) }),
  };
}
