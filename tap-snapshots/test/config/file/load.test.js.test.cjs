/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > comma.json 1`] = `
comma.json:2:33 is not valid JSON: unexpected "args"
  2 |   "apps": [{ "script": "app.js" "args": [] }]
    |                                 ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > comment.json 1`] = `
comment.json:1:22 is not valid JSON: unexpected end of the file
  1 | {"apps": [] /* no end
    |                      ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > dash.json 1`] = `
dash.json:1:6 is not valid JSON: unexpected -timeout
  1 | {kill-timeout: 1}
    |      ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > end.json 1`] = `
end.json:1:11 is not valid JSON: unexpected end of the file
  1 | {"apps": [
    |           ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > exports.json 1`] = `
exports.json:1:16 is not valid JSON: unexpected =
  1 | module.exports = {}
    |                ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > more.json 1`] = `
more.json:1:5 is not valid JSON: unexpected 2
  1 | [1] 2
    |     ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > octal.json 1`] = `
octal.json:1:7 is not valid JSON: unexpected 007
  1 | {"a": 007}
    |       ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > open.json 1`] = `
open.json:1:12 is not valid JSON: unexpected end of the file
  1 | {"apps": "x
    |            ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > script.json 1`] = `
script.json:1:22 is not valid JSON: unexpected +
  1 | {apps: [{script: "a" + ".js"}]}
    |                      ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > string.json 1`] = `
string.json:1:10 is not valid JSON: a string that is not closed
  1 | {"apps": "x
    |          ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > twice.json 1`] = `
twice.json:1:14 is not valid JSON: the key "apps" is given twice
  1 | {"apps": [], "apps": []}
    |              ^
`

exports[`test/config/file/load.test.js > TAP > JSON with a syntax error > word.json 1`] = `
word.json:1:10 is not valid JSON: unexpected tru
  1 | {"apps": tru}
    |          ^
`
