/** What happens to workers. */
import { machine } from './processes.js';

/** How often a worker does what. */
export const FATES = {
  sound: 60,
  fails: 8,
  crashes: 8,
  ends: 5,
  silent: 5,
  blocked: 5,
  sick: 4,
  'no port': 5,
};

export function disturbWorker(random, process, note) {
  const program = process.program;
  const forMs = random.duration(random.pick([200, 4000, 30_000]));
  const faults = {
    kill: () => machine.signal(process, 'SIGKILL'),
    crash: () => process.exit(random.pick([1, 2, 255])),
    end: () => process.exit(0),
    block: () => program.block(forMs, false),
    stop: () => program.block(forMs, true),
    'close its channel': () => program.closeChannel(),
    'wear out': () => program.wearOut(),
    'be sick': () => (program.isSick = !program.isSick),
  };
  const what = random.weighted({
    kill: 5,
    crash: 5,
    end: 3,
    block: 4,
    stop: 2,
    'close its channel': 1,
    'wear out': 2,
    'be sick': 2,
  });
  note(`worker ${process.pid}: ${what}`);
  faults[what]();
}
