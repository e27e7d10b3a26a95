'use strict';
/** Runs beside a Node program in fork mode, loaded with --require before it. */
const { isMainThread } = require('node:worker_threads');
const { attempt, setTimeout } = require('./guard.cjs');
const { answerPrimary } = require('./answers.cjs');
const { hideFromChildren } = require('./children.cjs');
const { reportExit, send, atNextMoment } = require('./channel.cjs');
const { startFeatures } = require('../features/agent.cjs');
const { watchListening } = require('./listening.cjs');
const { watchStdin, writeThrough } = require('./standard-streams.cjs');

/** After this time, a program has added its handlers. */
const SETTLED_MS = 10_000;

attempt(() => hideFromChildren(__filename));
if (isMainThread) attempt(accompany);

function accompany() {
  attempt(() => reportExit(watchStdin()));
  attempt(writeThrough);
  attempt(watchListening);
  attempt(answerPrimary);
  const facts = startFeatures(null);
  // It sends no heartbeats, and programs add their handlers as they start.
  const report = (/** @type {string} */ type) => send(type, facts());
  // Until here, a busy machine may have needed seconds.
  setTimeout(() => report('loaded'), 1).unref();
  atNextMoment(SETTLED_MS, () => report('signal'));
}
