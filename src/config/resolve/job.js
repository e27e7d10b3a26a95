/** What `schedule` makes of the other settings of an app. */
/** @import { ConfigValue } from '../file/config-value.js' */

/** Settings that replace a process, or ask what only a service can answer. */
const NOT_FOR_JOBS = ['cron_restart', 'health', 'max_age', 'max_memory_restart', 'max_requests'];

/**
 * A run is one process that nothing but its schedule starts.
 * @param {Record<string, any>} values by option key
 * @param {Map<string, ConfigValue>} inputs by option key, of those that were given
 */
export function settleJob(values, inputs) {
  if (!values.schedule) {
    inputs.get('timezone')?.report('has no meaning without schedule', 'key');
    return;
  }
  rejectUnless('instances', values.instances === 1, 'must be 1 with schedule');
  rejectUnless('exec_mode', values.exec_mode === 'fork', 'must be fork with schedule');
  rejectUnless('autorestart', values.autorestart === false, 'must be false with schedule');
  for (const key of NOT_FOR_JOBS) {
    rejectUnless(
      key,
      values[key] === null || values[key] === undefined,
      'is not for an app with schedule',
    );
  }
  values.exec_mode = 'fork';
  values.autorestart = false;

  /** @param {string} key @param {boolean} isRight @param {string} text */
  function rejectUnless(key, isRight, text) {
    if (!isRight) inputs.get(key)?.report(text);
  }
}
