/** Talks to `nodecluster web` as the page does. */
import { request } from 'node:http';
import { mergePatch } from '../../../src/shared/merge-patch.js';
import { until } from '../until.js';

export function webClient(place) {
  const host = 'port' in place ? `127.0.0.1:${place.port}` : 'localhost';
  /** what the page adds once it is signed in */
  const session = {};

  const open = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const isChange = method !== 'GET' && method !== 'HEAD';
      const all = {
        host,
        ...session,
        ...(isChange && { origin: `http://${host}`, 'content-type': 'application/json' }),
        ...headers,
      };
      const sent = Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      );
      const to = 'port' in place ? { host: '127.0.0.1', port: place.port } : place;
      const asking = request({ ...to, path, method, headers: sent, agent: false, setHost: false });
      asking.on('response', resolve);
      asking.on('error', reject);
      asking.end(body);
    });

  const ask = async (path, asked) => {
    const response = await open(path, asked);
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += chunk;
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  };

  const post = (path, body, asked) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), ...asked });

  const signIn = async (link, base = '/') => {
    const token = link.split('#token=')[1];
    const reply = await post(`${base}api/session`, { token });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.body}`);
    [session.cookie] = String(reply.headers['set-cookie']).split(';');
    session['x-nodecluster-key'] = JSON.parse(reply.body).key;
    return reply;
  };

  const stream = async (path) => readEvents(await open(path));

  return { session, open, ask, post, signIn, stream };
}

function readEvents(response) {
  const events = [];
  let rest = '';
  let bytes = 0;
  response.setEncoding('utf8').on('data', (text) => {
    bytes += Buffer.byteLength(text);
    const parts = `${rest}${text}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/s.exec(part) ?? [];
      if (name) events.push({ name, data: JSON.parse(data) });
    }
  });
  response.on('error', () => {});
  return {
    response,
    events,
    get bytes() {
      return bytes;
    },
    next: (name, matches = () => true) =>
      until(
        () => events.find((event) => event.name === name && matches(event.data))?.data,
        `event ${name}`,
      ),
    /** @param matches what the page knows: the last snapshot and what has changed since */
    knows: (matches) =>
      until(() => {
        const state = events.reduce(afterEvent, {});
        if (matches(state)) return true;
        throw new Error(JSON.stringify({ state, last: events.slice(-8).map(({ name }) => name) }));
      }, 'a state of the page'),
    close: () => response.destroy(),
  };
}

function afterEvent(state, { name, data }) {
  if (name === 'snapshot') return data.state;
  return name === 'change' ? mergePatch(state, data) : state;
}
