/** Workers that are loaded before they are needed. */
import * as type from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

const MOST = 4;

/** @type {FeatureOptions} */
export const spares = {
  group: 'Instances',
  options: [
    {
      key: 'spares',
      type: type.integer({ min: 0, max: MOST }),
      defaultText: '0',
      needs: 'scale',
      isOfService: true,
      inForkMode: ', where two processes cannot share a port',
      description:
        'Number of workers, beside `instances`, that have loaded the program and listen, but get no connections (0 to 4). When a worker dies, hangs, is unhealthy or due to be replaced, or the app is scaled up, one of them serves in its place at once, and the next spare boots. For servers in cluster mode whose connections can be held back: see [spares](../guides/spares.md).',
      flag: {
        brief: 'workers that wait, loaded, to take the place of one that dies',
        takes: 'number',
      },
    },
  ],
  settle({ spares: count, exec_mode: mode, increment_var: ownPorts }, inputs) {
    const input = inputs.get('spares');
    if (count && mode === 'fork') input?.report('needs cluster mode, where workers share a port');
    else if (count && ownPorts) input?.report('is not for workers with ports of their own');
  },
};
