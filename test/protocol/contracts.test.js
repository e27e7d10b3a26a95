/** Each message between two processes, from both sides: who declares or sends it, and who answers it. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { features } from '../../src/features/daemon.js';
import { features as primaryFeatures } from '../../src/features/primary.js';
import { Features } from '../../src/daemon/features.js';
import { Features as PrimaryFeatures } from '../../src/primary/features.js';
import { methodsOf as daemonMethods } from '../../src/daemon/control/methods.js';
import { daemonParams as ofClients, primaryResults } from '../../src/daemon/checks.js';
import { primaryParams as ofDaemons } from '../../src/primary/checks.js';
import { methodsOf as primaryMethods, methodsOfProcess } from '../../src/primary/methods.js';
import { declarationOf, declaredMembers } from '../../scripts/declarations.js';
import { shippedSources } from '../support/sources.js';

function declared(name) {
  return [...declaredMembers(declarationOf(name))].map(([method, { type }]) => [
    method,
    type.getText().replace(/\s+/g, ' '),
  ]);
}

const ofDaemon = declared('DaemonMethods');
const ofPrimary = declared('PrimaryMethods');
t.test('daemon and primary answer each declared method and no other', async (t) => {
  const names = (methods) => methods.map(([name]) => name).sort();
  const nothing = { sockets: {}, paths: { home: '' }, events: {} };
  nothing.features = new Features(features, { home: '', log: {} });
  t.same(Object.keys(daemonMethods(nothing, Promise.resolve())).sort(), names(ofDaemon));
  const app = { sockets: {}, pool: { on() {} } };
  app.features = new PrimaryFeatures(primaryFeatures, app, '');
  const ofProcess = Object.keys(methodsOfProcess({}));
  const ofApp = Object.keys(primaryMethods(app));
  t.same([...ofProcess, ...ofApp].sort(), names(ofPrimary));
});

t.test('the daemon checks the result of each request to a primary by its type', async (t) => {
  const read = ofPrimary.filter(([, type]) => !/^Query<.*, (null|void)>$/.test(type));
  t.same(
    Object.keys(primaryResults),
    read.map(([method]) => method),
  );
  for (const [method] of read) {
    for (const wrong of [null, 5, {}]) {
      t.not(primaryResults[method]?.(wrong), null, `${method}: ${wrong}`);
    }
  }
});

t.test('daemon and primary check the parameters of each request by its type', async (t) => {
  for (const [checks, methods] of [
    [ofClients, ofDaemon],
    [ofDaemons, ofPrimary],
  ]) {
    const hasNone = /^(Query|(Primary)?Command)<\{\}|params: \{\}/;
    const names = methods.filter(([, type]) => !hasNone.test(type)).map(([method]) => method);
    t.same(Object.keys(checks), names);
    for (const name of names) t.equal(checks[name](null), '', `${name} has parameters`);
  }
});

function typesIn(process, ...patterns) {
  const own = new RegExp(`^src/(features/[\\w-]+/)?${process}\\b`);
  const texts = shippedSources()
    .filter((path) => own.test(path))
    .map((path) => readFileSync(path, 'utf8'));
  const found = patterns.flatMap((pattern) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, type]) => type)),
  );
  return [...new Set(found)].sort();
}

/** A message of the primary to an agent. */
const SENT = /[cC]hannel(?:To\([\w.]+\))?\s*\.(?:send|sendAtOnce|ask)\(\s*'([\w-]+)'/g;
const ASKED_ONCE = /\baskOnce\('([\w-]+)'/g;

t.test('the agent handles each message that the primary sends, and no other', async (t) => {
  const sent = typesIn('primary', SENT, ASKED_ONCE);
  t.ok(sent.length > 15, `${sent.length} types`);
  // What comes from node:cluster, and is passed on under a name of its own.
  const own = typesIn('agent', /\bpass\('([\w-]+)'/g);
  const handled = typesIn('agent', /onMessage\('([\w-]+)'/g);
  t.same(handled, [...sent, ...own].sort());
});

t.test('the primary reads each message that the agent sends without a handle', async (t) => {
  const sent = typesIn('agent', /\bsend\('([\w-]+)'/g);
  const read = [/[cC]hannel(?:To\([\w.]+\))?\.on\('([\w-]+)'/g, /reply: '([\w-]+)'/g];
  const readBy = typesIn('primary', SENT, ASKED_ONCE, ...read);
  t.ok(sent.length > 15, `${sent.length} types`);
  const wrong = sent.filter((type) => !readBy.includes(type));
  t.same(wrong, []);
});
