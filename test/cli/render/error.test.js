import t from 'tap';
import { NodeclusterError } from '../../../src/errors/error.js';
import { renderError, renderErrorJson } from '../../../src/cli/main.js';

const plain = { width: null, colours: false };
const error = new NodeclusterError('E_NO_APPS', { home: '/h\u001b[2J' });

t.test('the message, then what to do, then the code', async (t) => {
  t.equal(
    renderError(error, plain),
    'error: Nothing to do: /h\\x1b[2J has no apps.\n  Start one with `nodecluster start app.js -i max`. [E_NO_APPS]',
  );
  t.ok(renderError(error, { width: 80, colours: true }).startsWith('\u001b[31m'));
});

t.test('an error without a hint has no second line', async (t) => {
  t.equal(renderError(new NodeclusterError('E_PROTOCOL_HELLO'), plain).split('\n').length, 1);
});

t.test('as JSON it is what a program needs', async (t) => {
  t.match(JSON.parse(renderErrorJson(error)), {
    error: { code: 'E_NO_APPS', exitCode: 4, message: String, hint: String, data: Object },
  });
});
