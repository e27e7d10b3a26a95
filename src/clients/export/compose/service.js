/** One service of a Compose file. */
import { DEFAULT_USER, PROBE_PORT, settingsPath } from '../container/place.js';
import { privilegedStart } from '../port.js';
import { startTime, stopTime } from '../timing.js';
import { noted } from '../yaml.js';

/**
 * @import { Condition } from '../../../config/spec.js'
 * @import { ExportedApp } from '../app.js'
 */

/**
 * @param {ExportedApp} app
 * @param {readonly ExportedApp[]} apps of the file
 * @param {Record<string, any>} options of the command
 */
export function serviceOf(app, apps, { image, replicas }) {
  const { spec, role } = app;
  const name = serviceName(spec.name);
  const isService = role === 'service';
  const stop = stopTime(spec);
  const start = startTime(spec);
  return {
    ...(image === undefined ? { build: '.' } : { image }),
    entrypoint: ['nodecluster-runtime'],
    command: [settingsPath(name), ...(isService ? LISTEN : [])],
    configs: [{ source: name, target: settingsPath(name) }],
    environment: variables(app),
    ports: published(app, replicas),
    depends_on: dependencies(app, apps),
    restart: isService ? 'unless-stopped' : noted('no', app.ending),
    stop_grace_period: noted(`${stop.seconds}s`, stop.setting),
    healthcheck: isService
      ? {
          test: ['CMD', 'node', '-e', CHECK],
          interval: '5s',
          timeout: '5s',
          retries: 3,
          start_period: noted(`${start.seconds}s`, start.setting),
        }
      : undefined,
    user: userOf(app),
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    sysctls: sysctls(app),
    deploy: deployment(app, replicas),
  };
}

const LISTEN = ['--listen', `127.0.0.1:${PROBE_PORT}`];
const CHECK =
  `require('http').get('http://127.0.0.1:${PROBE_PORT}/ready', { agent: false }, (reply) => ` +
  '{ reply.resume(); if (reply.statusCode !== 200) throw reply.statusCode; })';

/**
 * @param {string} app
 * @returns {string} the same in the characters that Compose accepts
 */
export function serviceName(app) {
  return app.replaceAll('@', '-').replace(/^[._-]+/, '');
}

/** Compose replaces $NAME everywhere. @param {string} text */
export function literal(text) {
  return text.replaceAll('$', '$$$$');
}

/** @param {ExportedApp} app */
function variables({ environment: { plain, secrets } }) {
  const pairs = [
    ...plain.map(({ name, value }) => [name, noted(literal(value), `env.${name}`)]),
    ...secrets.map((name) => [
      name,
      noted(`\${${name}:?set it in the shell or in .env}`, `env.${name}`),
    ]),
  ];
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** Two containers cannot have one port of the machine. @param {ExportedApp} app @param {number} [replicas] */
function published({ ports }, replicas = 1) {
  if (ports === null || replicas > 1) return undefined;
  return ports.numbers.map((number) => noted(`${number}:${number}`, ports.setting));
}

/** @param {ExportedApp} app @param {readonly ExportedApp[]} apps */
function dependencies({ spec }, apps) {
  const known = apps.filter((other) => Object.hasOwn(spec.dependsOn, other.spec.name));
  if (known.length === 0) return undefined;
  const pairs = known.map((other) => {
    const comment = `depends_on: ${other.spec.name}: ${spec.dependsOn[other.spec.name]}`;
    const condition = noted(conditionFor(other, spec.dependsOn[other.spec.name]), comment);
    return [serviceName(other.spec.name), { condition }];
  });
  return Object.fromEntries(pairs);
}

/** @param {ExportedApp} other @param {Condition} condition */
function conditionFor({ role }, condition) {
  if (condition === 'started') return 'service_started';
  const isEnding = condition === 'exited' || role !== 'service';
  return isEnding ? 'service_completed_successfully' : 'service_healthy';
}

/** @param {ExportedApp} app */
function userOf({ spec: { uid, gid } }) {
  const text = `${uid ?? DEFAULT_USER}:${gid ?? uid ?? DEFAULT_USER}`;
  const settings = [
    ...(uid === null ? ['the user node of the official images of Node'] : [`uid: ${uid}`]),
    ...(gid === null ? [] : [`gid: ${gid}`]),
  ];
  return noted(text, settings.join(', '));
}

/** @param {ExportedApp} app */
function sysctls({ ports }) {
  const start = privilegedStart(ports);
  if (start === null) return undefined;
  return { 'net.ipv4.ip_unprivileged_port_start': noted(start, String(ports?.setting)) };
}

/** @param {ExportedApp} app @param {number} [replicas] */
function deployment({ resources: { cpus, memoryMiB, isLimited, ...settings } }, replicas) {
  const memory = noted(`${memoryMiB}M`, settings.memorySetting);
  return {
    replicas: replicas === undefined ? undefined : noted(replicas, '--replicas'),
    resources: {
      limits: {
        cpus: noted(String(cpus), settings.cpuSetting),
        memory: isLimited ? memory : undefined,
      },
    },
  };
}
