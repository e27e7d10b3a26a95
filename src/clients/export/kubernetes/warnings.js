/** What Kubernetes cannot say, and what must be created beside the manifests. */
import { instancesText } from '../resources.js';
import { schedule } from './job.js';
import { secretName } from './workload.js';

/** @import { Workload } from './workload.js' */

/** @type {((workload: Workload) => string | false)[]} */
const ROWS = [
  ({ name, app }) =>
    name !== app.spec.name && `its objects are called ${name}, as Kubernetes needs`,
  ({ name, app: { environment } }) =>
    environment.secrets.length > 0 &&
    `create its Secret: kubectl create secret generic ${secretName(name)} ${environment.secrets
      .map((key) => `--from-literal=${key}=…`)
      .join(' ')}`,
  ({ app }) => app.spec.uid === 0 && 'uid: 0 is root, which many clusters refuse',
  ({ app, replicas, autoscale }) =>
    app.role === 'service' &&
    app.ports !== null &&
    (autoscale?.min ?? replicas) === 1 &&
    'with one pod, clients wait when its machine fails or is drained: --replicas 2',
  ({ app: { spec }, autoscale }) =>
    typeof spec.instances === 'object' &&
    (autoscale === null
      ? `${instancesText(spec.instances)}: each pod scales itself, within its own limit of CPU; --autoscale 2..8 is for the number of pods`
      : `${instancesText(spec.instances)}: each pod scales itself too, so the number of pods changes only when its workers are not enough`),
  ({ unawaited }) =>
    unawaited.length > 0 &&
    `depends_on: nothing waits for ${unawaited.join(', ')}: only for an exported app with a known port`,
  ({ app: { spec } }) => {
    const jobs = Object.keys(spec.dependsOn).filter((name) => spec.dependsOn[name] === 'exited');
    return (
      jobs.length > 0 &&
      `depends_on: apply ${jobs.join(', ')} first, and wait: kubectl wait --for=condition=complete job/…`
    );
  },
  ({ app: { times } }) =>
    times !== null &&
    schedule(times.pattern) !== times.pattern &&
    `${times.key}: a CronJob has no seconds: ${times.pattern}`,
  ({ app: { times } }) =>
    times !== null &&
    times.timezone === null &&
    `${times.key}: ${times.pattern} is in the time zone of the cluster (mostly UTC)`,
  ({ app: { role, spec } }) =>
    role === 'cron' &&
    spec.overlap === 'queue' &&
    'overlap: queue has no equivalent: a run that is due while another is busy is left out',
  ({ app: { role, spec } }) =>
    role === 'service' &&
    spec.execMode === 'fork' &&
    'exec_mode: in fork mode a reload stops the old process first; Kubernetes starts the new pod before it stops the old one',
  ({ app: { role, ending } }) =>
    role === 'job' && `${ending} is a Job, which runs once; delete it before the next apply`,
];

/**
 * @param {Workload} workload
 * @returns {string[]}
 */
export function kubernetesWarnings(workload) {
  return ROWS.map((row) => row(workload)).filter((text) => text !== false);
}
