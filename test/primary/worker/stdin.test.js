/** What a worker gets as its stdin. */
import t from 'tap';
import { stdinOf } from '../../../src/primary/worker/stdin.js';

const STDIN_OF_RUN = 7;
const scaled = { min: 1, max: 4 };

/** @type {[object, number | undefined, 'pipe' | 'ignore' | number][]} */
const rows = [
  [{ execMode: 'cluster', instances: 1 }, undefined, 'pipe'],
  [{ execMode: 'cluster', instances: 1 }, STDIN_OF_RUN, STDIN_OF_RUN],
  [{ execMode: 'cluster', instances: 2 }, undefined, 'ignore'],
  [{ execMode: 'cluster', instances: 2 }, STDIN_OF_RUN, 'ignore'],
  [{ execMode: 'cluster', instances: scaled }, undefined, 'ignore'],
  [{ execMode: 'fork', instances: 1 }, undefined, 'pipe'],
  [{ execMode: 'fork', instances: 1 }, STDIN_OF_RUN, STDIN_OF_RUN],
  [{ execMode: 'fork', instances: 2 }, undefined, 'pipe'],
  [{ execMode: 'fork', instances: 2 }, STDIN_OF_RUN, 'pipe'],
  [{ execMode: 'fork', instances: 1, onDemand: true }, undefined, 'ignore'],
  [{ execMode: 'fork', instances: 1, onDemand: true }, STDIN_OF_RUN, 'ignore'],
];

for (const [spec, input, expected] of rows) {
  t.test(`${JSON.stringify(spec)}, ${input ?? 'without run'}`, async (t) => {
    t.equal(stdinOf(/** @type {any} */ ({ onDemand: false, ...spec }), input), expected);
  });
}
