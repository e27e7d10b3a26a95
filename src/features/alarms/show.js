/** @import { Section, ShowFeature } from '../../show/features.js' */

/** @type {ShowFeature} */
export const alarms = {
  section({ alarms = [] }) {
    if (alarms.length === 0) return null;
    /** @type {Section['facts']} */
    const facts = alarms.map(({ event, to, delivered, waiting, givenUp, trouble }) => {
      const others = `${waiting > 0 ? `, ${waiting} waiting` : ''}${givenUp > 0 ? `, ${givenUp} given up` : ''}`;
      const why = trouble === undefined ? '' : `; the last attempt failed: ${trouble}`;
      const text = `${to}: ${delivered} delivered${others}${why}`;
      return [event.join(', '), text, trouble === undefined ? '' : 'bad'];
    });
    return { title: 'Alarms', facts };
  },
};
