/** For a program with a low limit of file descriptors (`ulimit -n`), which it is the only one to use. */
import { closeSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/**
 * @param work begun without any descriptor; it gets some after its first attempt
 * @returns refusals: what proves that there was none
 */
export async function beginWithoutDescriptors(work) {
  const taken = [];
  const refusals = [];
  while (refusals.length === 0) {
    try {
      taken.push(openSync('/dev/null', 'r'));
    } catch (error) {
      refusals.push(error.code);
    }
  }
  const working = work();
  await readdir('/proc/self/task').catch(({ code }) => refusals.push(code));
  for (const descriptor of taken) closeSync(descriptor);
  return { refusals, result: await working };
}
