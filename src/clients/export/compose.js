/** A file of the Compose specification: one service for each app. */
import {
  containerRows,
  DEFAULT_USER,
  imageApp,
  imageWarnings,
  PROBE_PORT,
  settingsPath,
} from './container.js';
import { isServer } from './app.js';
import { noted, toYaml, warningsOf } from './head.js';
import { privilegedStart, startTime, stopTime } from './resources.js';

/**
 * @import { Engine } from './head.js'
 * @import { Condition } from '../../config/spec.js'
 * @import { ExportedApp } from './app.js'
 */

const BUILT = 'the image is built from the Dockerfile in this directory';

/** @type {Engine} */
export const compose = {
  name: 'compose',
  options: ['image', 'replicas', 'cpus', 'port', 'workdir'],
  write(order) {
    const apps = order.specs.map((spec) => imageApp(spec, order));
    const names = order.specs.map(({ name }) => name);
    const warnings = apps.flatMap((app) => {
      const own = ROWS.map((row) => row(app, order.options, names));
      return warningsOf(app.spec.name, [...own, ...containerRows(app)]);
    });
    const body = toYaml({
      services: entries(apps, (app) => serviceOf(app, apps, order.options)),
      configs: entries(apps, (app) => ({ content: literal(app.file) })),
    });
    return [
      { name: 'compose.yaml', body, warnings: [...imageWarnings(order, BUILT), ...warnings] },
    ];
  },
};

/** @template {{spec: {name: string}}} T @param {T[]} apps @param {(app: T) => unknown} valueOf */
function entries(apps, valueOf) {
  return Object.fromEntries(apps.map((app) => [serviceName(app.spec.name), valueOf(app)]));
}

/**
 * One service of a Compose file.
 * @param {ExportedApp} app
 * @param {readonly ExportedApp[]} apps of the file
 * @param {Record<string, any>} options of the command
 */
function serviceOf(app, apps, { image, replicas }) {
  const { spec, role } = app;
  const name = serviceName(spec.name);
  const serves = isServer(spec, role);
  const stop = stopTime(spec);
  const start = startTime(spec);
  const healthcheck = {
    test: ['CMD', 'node', '-e', CHECK],
    interval: '5s',
    timeout: '5s',
    retries: 3,
    start_period: noted(`${start.seconds}s`, start.setting),
  };
  return {
    ...(image === undefined ? { build: '.' } : { image }),
    entrypoint: ['nodecluster-runtime'],
    command: [settingsPath(name), ...(serves ? LISTEN : [])],
    configs: [{ source: name, target: settingsPath(name) }],
    environment: variables(app),
    ports: published(app, replicas),
    depends_on: dependencies(app, apps),
    restart: role === 'service' ? 'unless-stopped' : noted('no', app.ending),
    stop_grace_period: noted(`${stop.seconds}s`, stop.setting),
    healthcheck: serves ? healthcheck : undefined,
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

/** @param {string} app @returns {string} the same in the characters that Compose accepts */
function serviceName(app) {
  return app.replaceAll('@', '-').replace(/^[._-]+/, '');
}

/** Compose replaces $NAME everywhere. @param {string} text */
function literal(text) {
  return text.replaceAll('$', '$$$$');
}

/** @param {ExportedApp} app */
function variables({ environment: { plain, secrets } }) {
  const values = [
    ...Object.entries(plain).map(([name, value]) => [name, literal(value)]),
    ...secrets.map((name) => [name, `\${${name}:?set it in the shell or in .env}`]),
  ];
  if (values.length === 0) return undefined;
  return Object.fromEntries(values.map(([name, value]) => [name, noted(value, `env.${name}`)]));
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
  return entries(known, (other) => {
    const condition = spec.dependsOn[other.spec.name];
    const comment = `depends_on: ${other.spec.name}: ${condition}`;
    return { condition: noted(conditionFor(other, condition), comment) };
  });
}

/** @param {ExportedApp} other @param {Condition} condition */
function conditionFor({ spec, role }, condition) {
  if (condition === 'started') return 'service_started';
  if (condition === 'exited' || role === 'job') return 'service_completed_successfully';
  return isServer(spec, role) ? 'service_healthy' : 'service_started';
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

/** What Compose cannot say. @type {((app: ExportedApp, options: Record<string, any>, names: string[]) => string | false)[]} */
const ROWS = [
  ({ spec }) =>
    serviceName(spec.name) !== spec.name &&
    `its service is called ${serviceName(spec.name)}, as Compose needs`,
  ({ environment: { secrets } }) =>
    secrets.length > 0 && `set ${secrets.join(', ')} in the shell or in the file .env`,
  ({ ports }, { replicas = 1 }) =>
    ports !== null &&
    replicas > 1 &&
    `--replicas ${replicas}: several containers cannot publish port ${ports.numbers[0]}, so none does`,
  ({ spec: { dependsOn } }, _options, names) => {
    const others = Object.keys(dependsOn).filter((name) => !names.includes(name));
    return others.length > 0 && `depends_on: ${others.join(', ')} is not in this file`;
  },
  ({ spec }) =>
    spec.scheduling === 'sticky' &&
    'scheduling: sticky holds within a container; Compose balances without it between containers',
];
