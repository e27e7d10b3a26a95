/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > comma.json 1`] = `
comma.json:2:33 is not valid JSON: this is not expected here
  2 |   "apps": [{ "script": "app.js" "args": [] }]
    |                                 ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > comment.json 1`] = `
comment.json:1:22 is not valid JSON: flow map must end with a }
  1 | {"apps": [] /* no end
    |                      ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > end.json 1`] = `
end.json:1:11 is not valid JSON: flow sequence in block collection must be sufficiently indented and end with a ]
  1 | {"apps": [
    |           ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > module.json 1`] = `
module.json:1:1 is not valid JSON: this string has no quotes
  1 | module.exports = {}
    | ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > more.json 1`] = `
more.json:1:5 is not valid JSON: this is not expected here
  1 | [1] 2
    |     ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > number.json 1`] = `
number.json:1:15 is not valid JSON: this runs on: a comma, a colon or a quote is missing
  1 | {"instances": 2
    |               ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > open.json 1`] = `
open.json:1:12 is not valid JSON: missing closing "quote
  1 | {"apps": "x
    |            ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > script.json 1`] = `
script.json:1:22 is not valid JSON: this is not expected here
  1 | {apps: [{script: "a" + ".js"}]}
    |                      ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > twice.json 1`] = `
twice.json:1:14 is not valid JSON: this key is in the same map already, in line 1
  1 | {"apps": [], "apps": []}
    |              ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > unquoted.json 1`] = `
unquoted.json:1:20 is not valid JSON: this string has no quotes
  1 | {"apps": [{"name": shop}]}
    |                    ^
`
