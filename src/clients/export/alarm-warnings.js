/** What the alarms of an app (`on`) need where an engine runs it. */
import { eventsOf } from '../../config/event-names.js';
import { settingsToShow } from '../../api/write-ecosystem.js';
import { MASK } from '../../shared/secrets.js';

/** @import { ExportedApp } from './app.js' */

/**
 * @param {Pick<ExportedApp, 'spec' | 'role'>} app
 * @param {string} place which must have the commands: `the image`
 * @returns {string[]}
 */
export function alarmWarnings({ spec, role }, place) {
  const { on } = spec;
  const isMasked = JSON.stringify(settingsToShow(spec).on ?? []).includes(MASK);
  const commands = [...new Set(on.flatMap(({ run }) => run?.slice(0, 1) ?? []))];
  const rows = [
    commands.length > 0 && `on: ${place} must have ${commands.join(', ')}`,
    isMasked &&
      'on: what may be secret in addresses and headers is replaced by ********: write ${NAME} there, with the variable in env',
    role === 'cron' &&
      on.some(isAboutJobs) &&
      'on: the engine runs the job, so there are no events job.started, job.skipped and job.ended',
  ];
  return rows.filter((text) => text !== false);
}

/** @param {ExportedApp['spec']['on'][number]} alarm */
function isAboutJobs({ event }) {
  return event.flatMap(eventsOf).some((name) => name.startsWith('job.'));
}
