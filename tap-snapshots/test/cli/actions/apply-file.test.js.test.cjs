/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/actions/apply-file.test.js > TAP > --dry-run prints the plan, and that nothing was done > plan 1`] = `
api          scale
  instances  1 → 2
old          no longer in the file; \`apply --prune\` deletes it
`

exports[`test/cli/actions/apply-file.test.js > TAP > each app with the smallest action and its reasons > plan 1`] = `
api          reload, new workers replace the old ones
  env.A      "x\\u001b" → (none)
web          scale
  instances  2 → 4
job          no change
old          delete, no longer in the file
new          start 2 workers (cluster) of /srv/new.js
shop         runs with other settings; \`nodecluster apply eco.yml\` applies these
  instances  4 → 2
gone         no longer in the file; \`apply --prune\` deletes it
`

exports[`test/cli/actions/apply-file.test.js > TAP > start says that it leaves a change alone, and what applies it > plan and outcome 1`] = `
api          runs with other settings; \`nodecluster apply ecosystem.yml\` applies these
  instances  1 → 2
✔ api: already running; \`nodecluster reload api\` loads new code.
`
