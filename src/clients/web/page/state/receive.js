/** What an event of the stream changes. Pure, except that figures go into the history. */
import { mergePatch } from '../data/merge-patch.js';

/**
 * @import { LineEvent } from '../../shapes.js'
 * @import { StreamEvent } from '../data/stream.js'
 * @import { Message, PageState } from './model.js'
 */

const MAX_EVENTS = 500;

/**
 * @param {PageState} state
 * @param {StreamEvent} event
 * @returns {PageState}
 */
export function receive(state, { name, data }) {
  const { server } = state;
  if (name === 'snapshot') {
    const at = data.history.times.at(-1) ?? state.at;
    return { ...state, server: data.state, events: data.events, at };
  }
  if (server === null) return state;
  if (name === 'change') return { ...state, server: mergePatch(server, data) };
  if (name === 'sample') return { ...state, at: data.at };
  if (name === 'event') return { ...state, events: withEvent(state.events, data) };
  if (name === 'progress') return { ...state, message: plain(data.text) };
  if (name === 'outcome') return { ...state, message: outcomeMessage(data) };
  return state;
}

/** @param {LineEvent[]} events @param {LineEvent} event */
function withEvent(events, event) {
  return [...events, event].slice(-MAX_EVENTS);
}

/** @param {string} text @returns {Message} */
function plain(text) {
  return { text, tone: 'plain' };
}

/** @param {{ok: boolean, text: string}} outcome @returns {Message} */
function outcomeMessage({ ok, text }) {
  return { text, tone: ok ? 'good' : 'bad' };
}
