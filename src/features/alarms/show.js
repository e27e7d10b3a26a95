/**
 * @import { AlarmView } from './record.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const alarms = {
  section({ alarms = [] }) {
    if (alarms.length === 0) return null;
    return { title: 'Alarms', facts: alarms.map(factOf) };
  },
};

/** @param {AlarmView} alarm @returns {[label: string, text: string, tone: string]} */
function factOf({ event, to, delivered, waiting, givenUp, trouble }) {
  const others = `${waiting > 0 ? `, ${waiting} waiting` : ''}${givenUp > 0 ? `, ${givenUp} given up` : ''}`;
  const why = trouble === undefined ? '' : `; the last attempt failed: ${trouble}`;
  const tone = trouble === undefined ? '' : 'bad';
  return [event.join(', '), `${to}: ${delivered} delivered${others}${why}`, tone];
}
