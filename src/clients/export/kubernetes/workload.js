/** What the manifests of one app share. */
import { DEFAULT_USER } from '../container/place.js';
import { noted } from '../yaml.js';

/**
 * @import { ExportedApp } from '../app.js'
 */

/**
 * @typedef {object} Workload
 * @property {ExportedApp} app
 * @property {string} name of its objects
 * @property {string} image
 * @property {number} replicas
 * @property {{min: number, max: number} | null} autoscale
 * @property {string} replicasSetting
 * @property {{name: string, port: number}[]} waitsFor Services of apps that it depends on
 * @property {string[]} unawaited the other apps that it depends on, but those that must exit
 *
 * @typedef {Record<string, unknown> & {kind: string}} Manifest for toYaml
 */

/** @param {Workload} workload */
export function metadata({ name, app }) {
  return { name, labels: { ...selector(name), ...groupOf(app) } };
}

/** @param {string} name */
export function selector(name) {
  return { 'app.kubernetes.io/name': name };
}

/** @param {string} name of a workload @returns {string} of the Secret that the user creates */
export function secretName(name) {
  return `${name}-secrets`;
}

/** @param {string} name of a workload @returns {string} of the ConfigMap with its settings */
export function configName(name) {
  return `${name}-settings`;
}

/** @param {ExportedApp} app */
export function userOf({ spec: { uid, gid } }) {
  return { user: uid ?? DEFAULT_USER, group: gid ?? uid ?? DEFAULT_USER };
}

/** @param {ExportedApp} app */
function groupOf({ spec: { namespace } }) {
  return namespace === 'default'
    ? {}
    : { 'app.kubernetes.io/part-of': noted(namespace, `namespace: ${namespace}`) };
}
