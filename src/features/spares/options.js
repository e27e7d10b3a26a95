/** Workers that are loaded before they are needed. */
import * as type from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const spares = {
  group: 'Instances',
  options: [
    {
      key: 'spares',
      type: type.integer({ min: 0, max: 4 }),
      default: 0,
      needs: 'scale',
      isOfService: true,
      inForkMode: ', where workers share a port',
      isOfCluster: true,
      description:
        'Number of workers, beside `instances`, that have loaded the program and listen, but get no connections (0 to 4). When a worker dies, hangs, is unhealthy or due to be replaced, or the app is scaled up, one of them serves in its place at once, and the next spare boots. For servers in cluster mode whose connections can be held back: see [spares](../guides/spares.md).',
      flag: { brief: 'loaded workers that wait to replace one that dies', takes: 'number' },
    },
  ],
  settle({ spares: count, increment_var: ownPorts }, inputs) {
    if (count && ownPorts)
      inputs.get('spares')?.report('is not for workers with ports of their own');
  },
};
