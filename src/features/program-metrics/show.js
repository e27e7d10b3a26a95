/** The metrics of the programs themselves, each with the app that it comes from. */

/**
 * @import { ShowFeature } from '../../show/features.js'
 * @import { Family, Labels } from '../../show/metric-family.js'
 */

/** @type {ShowFeature} */
export const programMetrics = {
  // If two apps give the same name to metrics of different types, only those of the first are shown.
  families(apps, labelsOf) {
    /** @type {Map<string, Family>} */
    const byName = new Map();
    for (const app of apps) {
      const labels = labelsOf(app);
      for (const { name, type, help, samples } of app.programMetrics?.families ?? []) {
        const family = byName.get(name) ?? { name, type, help, samples: [] };
        if (family.type !== type) continue;
        byName.set(name, family);
        for (const [suffix, own, value] of samples) {
          family.samples.push({ labels: { ...labels, ...exported(own, labels) }, suffix, value });
        }
      }
    }
    return [...byName.values()];
  },

  metrics: [
    {
      name: 'app_program_metrics_dropped',
      type: 'gauge',
      help: 'Metrics of the program that are left out: invalid, or too large together.',
      read: (app) => app.programMetrics?.dropped,
    },
    {
      name: 'app_program_metrics_late_workers',
      type: 'gauge',
      help: 'Workers that did not report the metrics of the program in time; their last values count.',
      read: (app) => app.programMetrics?.late,
    },
    {
      name: 'app_program_metrics_failed',
      type: 'gauge',
      help: 'Whether the registry of a worker could not be read; the log of the daemon says why.',
      read: ({ programMetrics: known }) => known && Number(known.failure !== null),
    },
  ],
};

/**
 * A label that the program has too is renamed, as Prometheus does with those of a target.
 * @param {Record<string, string>} own @param {Labels} labels
 */
function exported(own, labels) {
  const entries = Object.entries(own).map(([name, value]) => {
    let free = name;
    while (Object.hasOwn(labels, free) || (free !== name && Object.hasOwn(own, free))) {
      free = `exported_${free}`;
    }
    return [free, value];
  });
  return Object.fromEntries(entries);
}
