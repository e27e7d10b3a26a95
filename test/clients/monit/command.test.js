import t from 'tap';
import { Effects } from '../../../src/clients/monit/command.js';
import { NodeclusterError } from '../../../src/errors/error.js';

/** @param {NodeclusterError} error that the daemon answers with @param {[string, string]} command */
async function eventsAfter(error, command) {
  const events = [];
  const context = { stdout: { colours: false }, runCommand: () => Promise.reject(error) };
  const effects = new Effects(
    context,
    (event) => events.push(event),
    () => 80,
  );
  effects.client = {};
  await effects.show(command);
  return events;
}

t.test('of an app that is gone the description goes', async (t) => {
  const gone = { selector: 'api', known: ['web'], nearest: null };
  const error = new NodeclusterError('E_APP_UNKNOWN', gone);
  const [event, ...more] = await eventsAfter(error, ['describe', 'api']);
  t.match(event, { kind: 'output', command: ['describe', 'api'], lines: [/no app "api"/] });
  t.same(more, []);
});

t.test('while the daemon is gone it stays', async (t) => {
  const error = new NodeclusterError('E_PROTOCOL_CLOSED', { method: 'describe' });
  t.match(await eventsAfter(error, ['describe', 'api']), [{ kind: 'message', tone: 'bad' }]);
  t.match(await eventsAfter(error, ['why', 'api']), [{ kind: 'output' }], 'there is nothing else');
});
