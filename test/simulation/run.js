/**
 * Simulates processes of nodecluster by seeds, until so many events have happened: `node
 * test/simulation/run.js [--world primary|daemon] [--seed 1] [--steps 100000]`. A seed that fails is
 * printed with its last events, and fails again with `--seed`. `--verbose` prints all events; Ctrl-C ends it.
 */
import { parseArgs } from 'node:util';
import { clock } from './clock.js';
import { Random } from './random.js';

/** Events of one seed before the faults end. */
const MAX_FAULTY_STEPS = 3000;
/** Events within one second: nothing may go round in circles. */
const MAX_PER_SECOND = 20_000;
const SHOWN_EVENTS = 40;
/** The wall clock of this machine, which the simulation has replaced. */
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1' },
    world: { type: 'string', default: 'primary' },
    verbose: { type: 'boolean', default: false },
  },
});

const { World } = await import(`./${values.world}-world.js`);
let steps = 0;
let second = 0;
let inSecond = 0;
let seed = Number(values.seed);
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isEnding = true));
for (; steps < Number(values.steps) && !isEnding; seed++) {
  const failed = await simulate(seed);
  if (failed === null) continue;
  console.log(failed);
  process.exit(1);
}
const rate = Math.round((steps / cpuMs()) * 1000);
console.log(
  `${values.world}, seeds ${values.seed} to ${seed - 1}: ${steps} events, ${rate} per second of CPU`,
);
console.log(`trace of seed ${seed - 1}: ${clock.trace}`);
process.exit(0);

async function simulate(current) {
  clock.reset();
  const before = steps;
  const events = [];
  const note = (text) => {
    const line = `${((clock.nowMs - 1e6) / 1000).toFixed(3).padStart(9)} s  ${text}`;
    clock.record(text.replaceAll(/\bnc-sim-\w+/g, 'home'));
    if (values.verbose) console.log(line);
    events.push(line);
    if (events.length > 2 * SHOWN_EVENTS) events.splice(0, SHOWN_EVENTS);
  };
  let world;
  try {
    const random = new Random(current);
    world = new World(random, note);
    const faulty = random.integer(100, MAX_FAULTY_STEPS);
    while (steps - before < faulty) await step(world);
    const calm = world.calmDown();
    while (!(await calm.next()).done) await step(world);
    return null;
  } catch (error) {
    return [
      ...events.slice(-SHOWN_EVENTS),
      world?.describe(),
      error.stack,
      `\nseed ${current}, step ${steps - before}: ${error.message}`,
      `node test/simulation/run.js --world ${values.world} --seed ${current} --verbose`,
    ].join('\n');
  } finally {
    world?.end();
  }
}

async function step(world) {
  steps += 1;
  await clock.step();
  const secondNow = Math.floor(clock.nowMs / 1000);
  inSecond = secondNow === second ? inSecond + 1 : 0;
  second = secondNow;
  if (inSecond > MAX_PER_SECOND) throw new Error('it goes round in circles');
  world.check();
}
