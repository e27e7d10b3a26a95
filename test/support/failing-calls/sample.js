/** Some of the calls that daemon and primary make during a command, chosen by a seed, fail. */
import { randomFrom } from '../fuzz/frames.js';
import { CALLS, ROLES } from './library.js';
import { onStage, tryCommand } from './trial.js';
import { verbs } from './verbs.js';

/** Side by side. A trial mostly waits. */
const STAGES = 2;

/** @param options size: number of calls that fail */
export async function sampleCalls({ size, seed, ...options }) {
  const pending = verbs.map((verb, index) => ({
    verb,
    count: Math.floor((size + index) / verbs.length),
    random: randomFrom(seed + index),
  }));
  const samples = [];
  const workThrough = async () => {
    for (let next = pending.shift(); next; next = pending.shift())
      samples.push(...(await sampleVerb(next, options)));
  };
  await Promise.all(Array.from({ length: STAGES }, workThrough));
  return samples;
}

async function sampleVerb({ verb, count, random }, options) {
  const { counts } = await onStage(options, (stage) => tryCommand(stage, verb, null));
  const faults = Array.from({ length: count }, () => drawFault(counts, random));
  const samples = [];
  while (samples.length < count) {
    await onStage(options, async (stage) => {
      do {
        const fault = faults[samples.length];
        const { failed, said, broken } = await tryCommand(stage, verb, fault);
        samples.push({ verb: verb.name, fault, failed, said, broken });
      } while (samples.length < count && !verb.needsNewHome && samples.at(-1)?.broken.length === 0);
    });
  }
  return samples;
}

function drawFault(counts, random) {
  const made = ROLES.flatMap((role) =>
    Object.entries(counts[role])
      .filter(([, count]) => count > 0)
      .map(([call, count]) => ({ role, call, count })),
  );
  const below = (end) => Math.floor(random() * end);
  const { role, call, count } = made[below(made.length)];
  const errors = CALLS[call];
  return { role, call, error: errors[below(errors.length)], nth: 1 + below(count) };
}
