/**
 * Fuzzed frames on the sockets of a daemon and of a primary, while other clients are served. The exit
 * code is 1 if anything was lost, changed or has grown.
 * node bench/endurance/fuzz.js [--frames 1000000] [--seed 1]
 */
import { benchArguments } from '../arguments.js';
import { printTable } from '../table.js';
import { fuzz } from './fuzz/measure.js';

const { numbers } = benchArguments({ frames: 1_000_000, seed: 1 });
const { rows, faults } = await fuzz(numbers.frames, numbers.seed, console.error);
printTable(['', 'daemon', 'primary'], rows);
for (const fault of faults) console.error(`FAULT: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
