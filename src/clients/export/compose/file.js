/** A file of the Compose specification: one service for each app. */
import { exportedApp } from '../app.js';
import { BY_THE_ENGINE, WORKDIR } from '../container/place.js';
import { containerWarnings } from '../container/warnings.js';
import { commentedText } from '../head.js';
import { toYaml } from '../yaml.js';
import { literal, serviceName, serviceOf } from './service.js';
import { composeWarnings } from './warnings.js';

/** @import { Engine, Order } from '../engines.js' */

/** @type {Engine} */
export const compose = {
  name: 'compose',
  options: ['image', 'replicas', 'cpus', 'port', 'workdir', 'root'],
  write(order) {
    const apps = appsOf(order);
    const names = order.specs.map(({ name }) => name);
    const warnings = apps.flatMap((app) => {
      const texts = [...composeWarnings(app, order.options, names), ...containerWarnings(app)];
      return texts.map((text) => ({ app: app.spec.name, text }));
    });
    const all = [...imageWarnings(order), ...warnings];
    const body = toYaml({
      services: entries(apps, (app) => serviceOf(app, apps, order.options)),
      configs: entries(apps, (app) => ({ content: literal(app.file) })),
    });
    const text = commentedText('compose', order.source, all, body);
    return { files: [{ name: 'compose.yaml', text }], warnings: all };
  },
  join: (files) => files.map(({ text }) => text).join(''),
};

/** @param {Order} order */
function appsOf({ specs, options }) {
  const { cpus, port, root = null, workdir = WORKDIR } = options;
  const place = { root, workdir, byEngine: BY_THE_ENGINE, specs, cpus, port };
  return specs.map((spec) => exportedApp(spec, place));
}

/**
 * @template {{spec: {name: string}}} T
 * @param {T[]} apps
 * @param {(app: T) => unknown} valueOf
 */
function entries(apps, valueOf) {
  return Object.fromEntries(apps.map((app) => [serviceName(app.spec.name), valueOf(app)]));
}

/** @param {Order} order */
function imageWarnings({ options }) {
  const text = '--image is not given, so the image is built from the Dockerfile in this directory';
  return options.image === undefined ? [{ app: null, text }] : [];
}
