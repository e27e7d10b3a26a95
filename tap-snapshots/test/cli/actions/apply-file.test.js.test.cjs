/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/actions/apply-file.test.js > TAP > --dry-run prints the plan and nothing else > plan 1`] = `
api          scale
  instances  1 → 2
old          no longer in the file; \`apply --prune\` deletes it
`

exports[`test/cli/actions/apply-file.test.js > TAP > start says that it leaves a change alone, and what applies it > plan and outcome 1`] = `
api          runs with other settings; \`nodecluster apply ecosystem.yml\` applies these
  instances  1 → 2
✔ api: already running; \`nodecluster reload api\` loads new code.
`
