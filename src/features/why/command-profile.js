import { recordingMs, takeProfile } from './api-profile.js';
import { selectorsFor } from '../../api/selectors.js';
import { usageError } from '../../errors/error.js';
import { interruption } from '../../shared/processes/signal.js';
import { parseTypedDuration } from '../../shared/units.js';
import { jsonOption } from '../../show/command-options.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { formatMemory } from '../../show/quantity.js';

/**
 * @import { ProfileKind } from './record.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'record what a worker does: a CPU profile, or a snapshot of its heap',
  details:
    'When requests are slow or the CPU is busy: --cpu shows which functions take the time. When ' +
    'memory grows: --heap shows what fills it. Open the file in Chrome DevTools, or a CPU profile in ' +
    'speedscope. While a heap is written, its worker replies to nothing, for some seconds per ' +
    '100 MB, and needs several times its memory; the other workers get the new connections. Ctrl-C ' +
    'ends a CPU profile early. Of a worker that is blocked, `why` shows the function.',
  arguments: [{ name: '<app:slot>', summary: 'a worker, its id, or an app with one worker' }],
  options: [
    { flags: '--cpu <duration>', summary: 'where the time goes: 10s, 1m', parse: parseLength },
    { flags: '--heap', summary: 'what is in memory' },
    {
      flags: '--output <file>',
      summary: 'default: <app>-<slot>-g<generation>-<time> in this directory',
    },
    jsonOption,
  ],
  examples: [
    'nodecluster profile api:0 --cpu 10s',
    'nodecluster profile api:0 --heap --output leak.heapsnapshot',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { cwd, words, options, print, note } = context;
  const order = readOrder(options);
  const client = await context.openForApps();
  const [selector] = await selectorsFor(context, client, words);
  const saved = await takeProfile(
    { selector, ...order },
    {
      // The daemon may be another one by then.
      request: async (...request) => (await context.openForApps()).request(...request),
      cwd,
      output: options.output,
      signal: interruption(),
      onBegun({ app, slot }) {
        const worker = `${escapeLine(app)}:${slot}`;
        note(
          order.kind === 'cpu'
            ? `Recording ${worker}. Press Ctrl-C to stop earlier.`
            : `Writing the heap of ${worker}, which replies to nothing until that is done, and needs several times its memory.`,
        );
      },
    },
  );
  if (options.json) print(jsonText(saved));
  else print(`${escapeLine(saved.file)}  ${formatMemory(saved.bytes)}`);
  return 0;
}

/** @param {Record<string, any>} options @returns {ProfileKind} */
function readOrder({ cpu, heap }) {
  if ((cpu === undefined) === (heap === undefined)) {
    const detail = heap
      ? '--cpu and --heap are two profiles: give one of them'
      : 'profile needs --cpu <duration> or --heap';
    throw usageError('profile', detail);
  }
  return heap ? { kind: 'heap' } : { kind: 'cpu', durationMs: cpu };
}

/** @param {string} text */
function parseLength(text) {
  const ms = recordingMs(parseTypedDuration(text));
  if (ms === null) throw new RangeError('It must be a duration from 10ms to 1h, such as 10s');
  return ms;
}
