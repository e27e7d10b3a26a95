import t from 'tap';
import { attempt } from '../../src/errors/error.js';

/** @param {string} code @returns {() => never} */
const failsWith = (code) => () => {
  throw Object.assign(new Error(code), { code });
};

t.test('what fails has another result', async (t) => {
  t.equal(
    attempt(() => 1, 2),
    1,
  );
  t.equal(attempt(failsWith('EIO'), 2), 2);
});

t.test('only the errors that are named', async (t) => {
  t.equal(attempt(failsWith('ENOENT'), 2, ['ENOENT', 'ENOTDIR']), 2);
  t.throws(() => attempt(failsWith('EIO'), 2, ['ENOENT']), { code: 'EIO' });
  t.throws(() => attempt(() => JSON.parse('{'), 2, ['ENOENT']), SyntaxError);
});
