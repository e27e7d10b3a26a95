import t from 'tap';
import { Effects } from '../../../src/clients/monit/command.js';
import { NodeclusterError } from '../../../src/errors/error.js';

/** @param {NodeclusterError} error that the daemon answers with */
async function eventsAfter(error) {
  const events = [];
  const context = { stdout: { colours: false }, runCommand: () => Promise.reject(error) };
  const effects = new Effects(
    context,
    (event) => events.push(event),
    () => 80,
  );
  effects.client = {};
  await effects.describe('api');
  return events;
}

t.test('of an app that is gone the description goes', async (t) => {
  const gone = { selector: 'api', known: ['web'], nearest: null };
  const [event, ...more] = await eventsAfter(new NodeclusterError('E_APP_UNKNOWN', gone));
  t.match(event, { kind: 'description', app: 'api', lines: [/no app "api"/] });
  t.same(more, []);
});

t.test('while the daemon is gone it stays', async (t) => {
  const events = await eventsAfter(
    new NodeclusterError('E_PROTOCOL_CLOSED', { method: 'describe' }),
  );
  t.match(events, [{ kind: 'message', tone: 'bad' }]);
});
