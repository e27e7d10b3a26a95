/** Units of systemd that run apps without a daemon of nodecluster. */
import { headOf } from '../head.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Engine, Order } from '../engines.js'
 */

/** @type {Engine} */
export const systemd = {
  name: 'systemd',
  options: [],
  write: (order) => ({
    files: order.specs.map((spec) => ({
      name: `${spec.name}.service`,
      text: unitText(spec, order),
    })),
    warnings: [],
  }),
  join: (files) => files.map(({ name, text }) => `# ${name}\n${text}`).join('\n'),
};

/** @param {Spec} spec @param {Order} order */
function unitText({ name, cwd }, { source }) {
  const lines = [
    ...headOf('systemd', source, []),
    '[Unit]',
    `Description=${name}`,
    '',
    '[Service]',
    'Type=exec',
    `WorkingDirectory=${cwd}`,
    `ExecStart=nodecluster run ${source} --only ${name}`,
  ];
  return `${lines.join('\n')}\n`;
}
