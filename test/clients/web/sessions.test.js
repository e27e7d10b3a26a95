/** Who gets in, for how long, and with what. */
import t from 'tap';
import { Links, LINK_MS, Sessions } from '../../../src/clients/web/sessions.js';

const HOUR = 3_600_000;

t.test('a link signs in once, within its time', async (t) => {
  const links = new Links();
  const token = links.issue(0);
  t.match(token, /^[\w-]{43}$/);
  t.equal(links.redeem('', 0), 'unknown');
  t.equal(links.redeem(`${token}x`, 0), 'unknown');
  t.equal(links.redeem(token, LINK_MS - 1), 'ok');
  t.equal(links.redeem(token, LINK_MS - 1), 'used');
  const late = links.issue(0);
  t.equal(links.redeem(late, LINK_MS), 'expired');
  const two = [links.issue(0), links.issue(0)];
  const found = two.map((each) => links.redeem(each, 1));
  t.same(found, ['ok', 'ok'], 'for two people');
});

t.test('only so many links are kept', async (t) => {
  const links = new Links();
  const tokens = Array.from({ length: 11 }, () => links.issue(0));
  t.equal(links.redeem(tokens[0], 1), 'unknown');
  t.equal(links.redeem(tokens[1], 1), 'ok');
});

t.test('a session needs its cookie and its key', async (t) => {
  const sessions = new Sessions();
  const [one, other] = [sessions.begin(0), sessions.begin(0)];
  t.ok(sessions.use(one.cookie, one.key, 1));
  t.notOk(sessions.use(one.cookie, other.key, 1));
  t.notOk(sessions.use(null, one.key, 1));
  t.notOk(sessions.use('', '', 1));
  t.notOk(sessions.use(one.key, one.cookie, 1));
  sessions.end(one.cookie);
  t.notOk(sessions.use(one.cookie, one.key, 1));
  t.ok(sessions.use(other.cookie, other.key, 1));
});

t.test('a session ends when it is not used, and after a week', async (t) => {
  const sessions = new Sessions();
  const idle = sessions.begin(0);
  t.notOk(sessions.use(idle.cookie, idle.key, 12 * HOUR));
  t.notOk(sessions.use(idle.cookie, idle.key, 1), 'for good');
  const busy = sessions.begin(0);
  for (let hour = 10; hour < 7 * 24; hour += 10) {
    t.ok(sessions.use(busy.cookie, busy.key, hour * HOUR), `hour ${hour}`);
  }
  t.notOk(sessions.use(busy.cookie, busy.key, 7 * 24 * HOUR));
});

t.test('only so many sessions exist: the one that was not used for longest ends', async (t) => {
  const sessions = new Sessions();
  const all = Array.from({ length: 20 }, () => sessions.begin(0));
  t.ok(sessions.use(all[0].cookie, all[0].key, 1));
  sessions.begin(2);
  t.notOk(sessions.use(all[1].cookie, all[1].key, 3));
  t.ok(sessions.use(all[0].cookie, all[0].key, 3));
});
