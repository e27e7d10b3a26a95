/** A program that takes the place of its primary, which runs as the same user, harms nobody else. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app } from '../../support/home.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { hostileHome, skip } from './hostile-home.js';

// Each waits for replies that do not come: they do so together.
t.jobs = 3;

const CONTROLS = ['\u001b]', '\u0007', '\u001b[2J'];

for (const LIES of ['plausible', 'garbage', 'flood']) {
  t.test(`${LIES} lies`, { skip }, async (t) => {
    const { home, own, victim } = hostileHome(t, ['secret']);
    const ofRoot = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
    t.teardown(() => ofRoot.kill('SIGKILL'));
    const READY = join(own, 'ready');
    const given = { LIES, READY, VICTIM: victim, VICTIM_PID: String(ofRoot.pid) };
    const variables = Object.entries(given).flatMap((pair) => ['--set-env', pair.join('=')]);
    await home.ok(['start', app('never-listens.cjs'), '--name', 'other']);
    await home.run(['start', app('impostor.cjs'), '--uid', 'nobody', ...variables]);
    await until(() => existsSync(READY), 'the impostor to listen');
    await home.killDaemon();
    const { apps } = await home.list();
    t.same(apps.map(({ name }) => name).sort(), ['impostor', 'other']);
    const shown = [
      await home.run(['ls']),
      await home.run(['describe', 'impostor']),
      await home.run(['logs', 'impostor', '--no-follow']),
      await home.run(['flush', 'impostor']),
    ];
    for (const { stdout, stderr } of shown) {
      const isMasked = CONTROLS.every((control) => !(stdout + stderr).includes(control));
      t.ok(isMasked, 'no control sequence reaches a terminal');
      t.notMatch(stdout, /^secret/m);
    }
    await home.run(['stop', 'impostor']);
    await home.run(['flush', 'impostor']);
    await home.ok(['delete', 'impostor']);
    t.ok(isRunning(Number(ofRoot.pid)), 'no process of another user is signalled');
    t.equal(readFileSync(join(victim, 'secret'), 'utf8'), 'secret');
    t.same(
      (await home.list()).apps.map(({ name }) => name),
      ['other'],
    );
  });
}
