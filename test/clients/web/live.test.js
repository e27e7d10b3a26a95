/** A page that reads slowly never makes the server buffer. */
import t from 'tap';
import { Tab } from '../../../src/clients/web/live.js';

t.test('changes while it reads, then nothing, then a fresh snapshot', async (t) => {
  const sent = [];
  const writer = { isBehind: false, send: (name, json) => sent.push(`${name} ${json}`) };
  const tab = new Tab(writer);
  tab.send('change', '1');
  tab.catchUp(() => 'a');
  tab.catchUp(() => t.fail('it is current'));
  tab.send('change', '2');
  t.same(sent.splice(0), ['snapshot a', 'change 2'], 'nothing before the snapshot');
  writer.isBehind = true;
  tab.send('change', '3');
  tab.send('sample', '3');
  tab.catchUp(() => t.fail('it has not caught up'));
  writer.isBehind = false;
  tab.send('change', '4');
  t.same(sent.splice(0), [], 'a change would not fit to what it knows');
  tab.catchUp(() => 'b');
  tab.send('change', '5');
  t.same(sent, ['snapshot b', 'change 5']);
});
