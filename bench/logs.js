/**
 * How much of a program's output reaches its log, and what that costs, compared with PM2 and with
 * plain redirection to a file.
 * node bench/logs.js [--pm2 <path of its command>] [--lines 1000000] [--workers 4] [--requests 20000]
 */
import { parseArgs } from 'node:util';
import { flooded } from './logs/flood.js';
import { fullDisk } from './logs/full-disk.js';
import { redirected, underNodecluster, underPm2 } from './logs/runners.js';
import { printTable } from './table.js';

/** @import { Runner } from './logs/runners.js' */

const LINE_BYTES = 120;
const { values } = parseArgs({
  options: {
    pm2: { type: 'string' },
    lines: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '4' },
    requests: { type: 'string', default: '20000' },
  },
});
/** @type {[string, Runner][]} */
const runners = [
  ['nodecluster', underNodecluster],
  ...(values.pm2 ? [/** @type {[string, Runner]} */ (['PM2', underPm2(values.pm2)])] : []),
  ['> file', redirected],
];

await floods();
await deaths();
await disk();

async function floods() {
  const [workers, lines] = [Number(values.workers), Number(values.lines)];
  console.log(`${workers} workers × ${lines} lines of ${LINE_BYTES} bytes, then a crash\n`);
  const rows = [];
  for (const [name, runner] of runners) {
    const found = await flooded(runner, { workers, lines, lineBytes: LINE_BYTES, then: 'crash' });
    const megabytes = (found.written * LINE_BYTES) / 1e6;
    rows.push([
      ...[name, found.written, found.lines, found.torn, found.disordered, found.files - 1],
      (megabytes / (found.endedMs / 1000)).toFixed(1),
      ...[found.cpu, found.peakMegabytes, found.workerPeakMegabytes].map((one) => one.toFixed(1)),
    ]);
  }
  printTable(
    [
      ...['', 'written', 'found', 'torn', 'out of order', 'rotations', 'MB/s'],
      ...['logger CPU s', 'logger peak MB', 'worker peak MB'],
    ],
    rows,
  );
}

async function deaths() {
  const lines = Math.ceil(10_000_000 / LINE_BYTES);
  const shape = { workers: 1, lines, lineBytes: LINE_BYTES };
  console.log(
    `\nA program that writes ${lines * LINE_BYTES} bytes and ends at once: bytes found\n`,
  );
  const rows = [];
  for (const [name, runner] of runners) {
    const row = [name];
    for (const then of ['exit', 'crash', 'sigkill', 'out-of-memory']) {
      const nodeArgs = then === 'out-of-memory' ? ['--max-old-space-size=64'] : [];
      const found = await flooded(runner, { ...shape, then, nodeArgs });
      row.push(String(found.lines * LINE_BYTES));
      if (then === 'crash') row.push(/crashed as told/.test(found.error) ? 'yes' : 'no');
      if (nodeArgs.length > 0) row.push(/heap out of memory/.test(found.error) ? 'yes' : 'no');
    }
    rows.push(row);
  }
  const heads = ['', 'process.exit()', 'throw', 'its message', 'SIGKILL', 'out of memory'];
  printTable([...heads, "V8's message"], rows);
}

async function disk() {
  console.log('\nA log on a disk that gets full while requests come\n');
  const found = await fullDisk({ requests: Number(values.requests) });
  if (typeof found === 'string') return console.log(`skipped: ${found}`);
  printTable(
    ['requests', 'failed', 'bytes written', 'found', 'declared lost', 'in ls'],
    [[found.requests, found.failed, found.written, found.found, found.declared, found.note]],
  );
}
