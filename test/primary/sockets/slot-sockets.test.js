import t from 'tap';
import { rememberBind } from '../../../src/primary/sockets/slot-sockets.js';
import { plainSocketNote, SlotSockets } from '../../../src/primary/sockets/slot-sockets.js';

/** @param {{isGroup: boolean}} kind */
function socketAt80({ isGroup }) {
  const handle = /** @type {any} */ ({});
  if (isGroup) rememberBind(handle, () => handle);
  return new SlotSockets('*:80', handle, /** @type {any} */ ({}));
}

t.test('an app whose slots cannot have their own sockets says why', (t) => {
  const [group, plain] = [true, false].map((isGroup) => socketAt80({ isGroup }));
  t.equal(plainSocketNote([], new Set()), null);
  t.equal(plainSocketNote([group], new Set()), null);
  t.equal(plainSocketNote([{ name: 'of another scheduling' }], new Set()), null);
  t.equal(
    plainSocketNote([group, plain], new Set()),
    'scheduling is fair at *:80, because its socket was opened with another scheduling; to open it again, stop and start the app',
  );
  t.equal(
    plainSocketNote([plain], new Set([plain])),
    'scheduling is fair at *:80, because its socket was not opened by the app',
  );
  t.end();
});
