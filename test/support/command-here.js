/** A command line in this process, against a real daemon: a process for each takes ten times as long. */
import { execute } from '../../src/cli/main.js';
import { renderError, renderErrorJson } from '../../src/cli/main.js';
import { NodeclusterError } from '../../src/errors/error.js';

const PLAIN = { isTerminal: false, width: null, colours: false };

/**
 * @param {string[]} argv
 * @param {{cwd: string, env: Record<string, string | undefined>}} where
 * @returns {Promise<{code: number, signal: null, stdout: string, stderr: string}>}
 */
export async function commandHere(argv, { cwd, env }) {
  const said = { stdout: '', stderr: '' };
  const note = (/** @type {string} */ text) => (said.stderr += `${text}\n`);
  const io = {
    ...{ cwd, env, stdin: [], tty: null, stdout: PLAIN, stderr: PLAIN, note },
    print: (/** @type {string} */ text) => (said.stdout += `${text}\n`),
    write: async (/** @type {string} */ text) => Boolean((said.stdout += text)),
    status: () => {},
    withStdoutOnStderr: (/** @type {() => Promise<any>} */ work) => work(),
    becomeDaemon: notHere,
    runApps: notHere,
  };
  try {
    const code = await execute(argv, /** @type {any} */ (io));
    return { code, signal: null, ...said };
  } catch (thrown) {
    const error = NodeclusterError.from(thrown);
    note(argv.includes('--json') ? renderErrorJson(error) : renderError(error, PLAIN));
    return { code: error.exitCode, signal: null, ...said };
  }
}

/** @returns {never} */
function notHere() {
  throw new Error('This command needs a process of its own.');
}
