/** The metrics of the programs themselves, each with the app that it comes from. */

/**
 * @import { ShowFeature } from '../../show/features.js'
 * @import { Family } from '../../show/metric-family.js'
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
          // As Prometheus does with those of a target.
          const others = Object.entries(own).map(([label, text]) => [
            Object.hasOwn(labels, label) ? `exported_${label}` : label,
            text,
          ]);
          const all = { ...labels, ...Object.fromEntries(others) };
          family.samples.push({ labels: all, suffix, value });
        }
      }
    }
    return [...byName.values()];
  },

  metrics: [
    {
      name: 'app_program_metrics_failed',
      type: 'gauge',
      help: 'Whether metrics of the program are missing or old; the log of the daemon says why.',
      read: ({ programMetrics: known }) => known && Number(known.failure !== null),
    },
  ],
};
