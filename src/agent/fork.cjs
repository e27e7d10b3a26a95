'use strict';
/** Runs beside a Node program in fork mode, loaded with --require before it. */
const { isMainThread } = require('node:worker_threads');
const hideFromChildren = require('./hide-from-children.cjs');
const { answerStopSignal } = require('./stop-signal.cjs');
const writeThrough = require('./write-through.cjs');

hideFromChildren(__filename);
if (isMainThread) {
  writeThrough();
  answerStopSignal();
}
