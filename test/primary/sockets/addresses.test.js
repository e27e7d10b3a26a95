/** Which sockets are the same address, and which cannot exist side by side. */
import t from 'tap';
import { collide, serves } from '../../../src/primary/sockets/addresses.js';

/** The socket, what the program asks for, whether it gets it, and whether one excludes the other. */
const rows = [
  [':::3000', '*:3000', true, true],
  ['0.0.0.0:3000', '*:3000', true, true],
  [':::3000', '0.0.0.0:3000', true, true],
  ['0.0.0.0:3000', ':::3000', true, true],
  ['127.0.0.1:3000', '127.0.0.1:3000', true, false],
  ['::1:3000', '::1:3000', true, false],
  [':::3000', '127.0.0.1:3000', false, true],
  ['127.0.0.1:3000', '*:3000', false, true],
  ['127.0.0.1:3000', '::1:3000', false, false],
  [':::3000', '*:3001', false, false],
  [':::3000', '*:13000', false, false],
];

for (const [socket, asked, isServed, isExcluded] of rows) {
  t.test(`${socket} and ${asked}`, async (t) => {
    t.equal(serves(socket, asked), isServed);
    t.equal(collide(socket, asked), isExcluded);
  });
}
