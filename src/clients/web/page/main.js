/** The page of `nodecluster web`: its state, what changes it, and what is drawn from it. */
import { render } from 'preact';
import { html } from './html.js';
import { fetchPast, sendAction, stayConnected } from './data/connection.js';
import { Page } from './page.js';
import { showBadge } from './badge.js';
import { listenToKeys } from './keys.js';
import { AppWatch, Logs, logsUrl } from './data/watch.js';
import { History } from './data/history.js';
import { goTo, parseRoute } from './data/route.js';
import { shownApp } from './data/select.js';
import { firstState, makeStore } from './data/store.js';

/**
 * @import { Confirmation } from '../../confirmation.js'
 * @import { StreamEvent } from './data/connection.js'
 * @import { Past } from '../shapes.js'
 * @import { Effect, PageState } from './data/store.js'
 */

const MESSAGE_MS = 12_000;
/** It may have 2 MiB. */
const PAST_EVERY_MS = 60_000;

const root = /** @type {HTMLElement} */ (document.getElementById('page'));
const first = { ...firstState(Date.now()), route: parseRoute(location.hash) };
const store = makeStore(first, draw, carryOut);
const watch = new AppWatch((details) => change({ details }));
const logs = new Logs(() => store.redraw());
const history = new History();
/** Infinity: it is being fetched. */
let pastDueMs = 0;
let messageTimer = 0;
/** @type {PageState['message']} */
let shownMessage = null;

// Before the browser asks for /favicon.ico.
showBadge(store.state());
listenToKeys(store.state, store.dispatch);
addEventListener('hashchange', () => {
  change({ route: parseRoute(location.hash), isHelpOpen: false, confirmation: null });
});
// Of a hidden tab nothing else is drawn.
document.addEventListener('visibilitychange', () => showBadge(store.state()));
stayConnected(receive, (connection) => change({ connection }));
store.redraw();

/** @param {StreamEvent} event */
function receive(event) {
  watch.receive(event);
  store.receive(event);
  const state = store.state();
  if (state.server?.at) history.add(state.server.at, state.apps, shownApp(state));
  // While the tab was hidden, nothing came.
  if (event.name !== 'snapshot' || performance.now() < pastDueMs) return;
  pastDueMs = Infinity;
  const end = () => (pastDueMs = performance.now() + PAST_EVERY_MS);
  fetchPast().then(addPast).then(end, end);
}

/** @param {Past} past */
function addPast(past) {
  const state = store.state();
  const apps = state.apps.map((app) => ({ ...app, pastHour: past[app.name] }));
  history.begin(apps, shownApp(state));
}

/** @param {PageState} state */
function draw(state) {
  const isOpen = state.connection.kind === 'open';
  if (isOpen) watch.show(shownApp(state)?.name ?? null);
  logs.show(isOpen ? logsUrl(state.route) : null);
  const { dispatch } = store;
  const props = { state, history, logs, dispatch };
  render(html`<${Page} ...${props} />`, root);
  showBadge(state);
  const { message } = state;
  if (message === shownMessage) return;
  shownMessage = message;
  clearTimeout(messageTimer);
  if (message) messageTimer = setTimeout(() => change({ message: null }), MESSAGE_MS);
}

/** @param {Effect} effect */
function carryOut(effect) {
  if (effect.do === 'go') goTo(effect.link);
  if (effect.do === 'focus') document.getElementById(effect.id)?.focus();
  if (effect.do === 'follow') logs.follow(!logs.isFollowing);
  if (effect.do === 'send') send(effect.confirmation);
}

/** @param {Confirmation} confirmation */
async function send({ action, target, options }) {
  change({ message: { text: `${target}: ${action} …`, tone: 'plain' } });
  try {
    await sendAction({ action, target, options });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    change({ message: { text, tone: 'bad' } });
  }
}

/** @param {Partial<PageState>} changed */
function change(changed) {
  store.dispatch({ kind: 'change', change: changed });
}
