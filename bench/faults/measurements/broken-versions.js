/** Reloads under load to a version that is broken in one of six ways. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app as program } from '../../../test/support/home.js';
import { generateLoad } from '../../../test/support/http-load.js';
import { freePorts } from '../../../test/support/ports.js';
import { count, distinct, most, zero } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';

/**
 * @import { Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

const GOOD = 'http-pid.cjs';
const LISTEN_TIMEOUT_MS = 2000;
/** A request without an answer by then counts as unanswered. */
const ANSWER_MS = 5000;
/** The load continues for this long after the command, to see late failures too. */
const AFTERWARDS_MS = 1000;

/** @type {Record<string, string>} */
const versions = {
  'throws at load': 'throws-at-load.cjs',
  exits: 'exits-1.cjs',
  'never listens': 'never-listens.cjs',
  'listens and dies within min_uptime': 'dies-after-listen.cjs',
  'listens on another port': GOOD,
  'hangs at import': 'hangs-at-import.mjs',
};

/** @type {Measurement} */
export const brokenVersions = {
  name: 'broken',
  tables: [
    {
      name: 'broken',
      title: `Reload to a broken version (listen_timeout ${LISTEN_TIMEOUT_MS / 1000} s)`,
      by: { version: 'new version' },
      columns: [
        count('reloads', 'reloads'),
        count('requests', 'made'),
        zero('failed', 'failed'),
        zero('without answer', 'withoutAnswer'),
        zero('old workers lost', 'oldLost'),
        { head: 'exit code', of: 'exitCode', over: distinct, must: (row) => row.exitCode === 5 },
        { head: 'longest ms to abort', of: 'abortMs', over: most },
      ],
    },
  ],
  async measure(supervisor, { scheduling }) {
    const rows = [];
    for (const version of Object.keys(versions)) {
      const figures = await reloadTo(version, supervisor, scheduling);
      rows.push({ table: 'broken', version, reloads: 1, ...figures });
    }
    return rows;
  },
};

/** @param {string} version @param {Supervisor} supervisor @param {string} scheduling */
async function reloadTo(version, supervisor, scheduling) {
  const script = join(supervisor.root, 'server.js');
  const [port, otherPort] = await freePorts(2);
  const env = { PORT: port, OTHER_PORT: otherPort };
  deploy(GOOD, script);
  const app = { name: 'api', script, env, listen_timeout: LISTEN_TIMEOUT_MS };
  await startApps(supervisor, scheduling, [app]);
  const before = await pidsOf(supervisor);
  const loads = [true, false].map((keepAlive) =>
    generateLoad({ port, keepAlive, clients: 5, prefix: `${keepAlive}-`, timeoutMs: ANSWER_MS }),
  );
  const reload = async () => {
    await Promise.all(loads.map((load) => load.answers(50)));
    deploy(versions[version], script);
    if (version === 'listens on another port') otherPortIn(script);
    const start = performance.now();
    const { code } = await supervisor.run(['reload', 'api']);
    const abortMs = Math.round(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
    return { exitCode: code, abortMs };
  };
  const stop = () => Promise.all(loads.map((load) => load.stop()));
  const outcome = await reload().finally(stop);
  const ended = await stop();
  const after = await pidsOf(supervisor);
  await supervisor.ok(['delete', 'api']);
  const total = (/** @type {(end: typeof ended[0]) => number} */ of) =>
    ended.reduce((sum, end) => sum + of(end), 0);
  const withoutAnswer = total(({ codes }) => codes.NO_ANSWER ?? 0);
  return {
    made: total(({ made }) => made),
    failed: total(({ failed }) => failed) - withoutAnswer,
    oldLost: before.filter((pid) => !after.includes(pid)).length,
    ...{ withoutAnswer, ...outcome },
  };
}

/**
 * A program and the file that determines its module type.
 * @param {string} name
 * @param {string} script
 */
function deploy(name, script) {
  copyFileSync(program(name), script);
  const type = name.endsWith('.mjs') ? 'module' : 'commonjs';
  writeFileSync(join(script, '..', 'package.json'), JSON.stringify({ type }));
}

/** @param {string} script */
function otherPortIn(script) {
  const code = readFileSync(script, 'utf8');
  writeFileSync(script, `process.env.PORT = process.env.OTHER_PORT;\n${code}`);
}

/** @param {Supervisor} supervisor */
async function pidsOf(supervisor) {
  return (await supervisor.workers('api')).map(({ pid }) => pid);
}
