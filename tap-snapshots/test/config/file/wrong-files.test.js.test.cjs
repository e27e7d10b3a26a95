/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/file/wrong-files.test.js > TAP > 50 MB > message 1`] = `
Could not read x.yml: it is larger than 512K.
`

exports[`test/config/file/wrong-files.test.js > TAP > a bad duration > message 1`] = `
x.yml has 2 errors:
  x.yml:3:19 apps[0].kill_timeout: expected a duration such as 10s, 1m or 500 (milliseconds), got "ten"
  x.yml:4:20 apps[0].drain_timeout: expected a duration of at most 24d, got "40d"
`

exports[`test/config/file/wrong-files.test.js > TAP > a directory > message 1`] = `
Could not read conf.yml: it is not a regular file.
`

exports[`test/config/file/wrong-files.test.js > TAP > a duplicate key > message 1`] = `
x.yml:4:5 is not valid YAML: this key is in the same map already, in line 2
  4 |     script: b.js
    |     ^
`

exports[`test/config/file/wrong-files.test.js > TAP > a list that is not closed > message 1`] = `
x.yml:4:1 is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]
  4 | 
    | ^
`

exports[`test/config/file/wrong-files.test.js > TAP > a missing file, and deep nesting > message 1`] = `
Could not read none.yml: it does not exist.
`

exports[`test/config/file/wrong-files.test.js > TAP > a missing script > message 1`] = `
x.yml has an error:
  x.yml:2:13 apps[0].script: expected a file that exists or a command in PATH, got "./apps.js" (there is no HERE/apps.js)
`

exports[`test/config/file/wrong-files.test.js > TAP > a misspelt script > message 1`] = `
x.yml has an error:
  x.yml:3:5 apps[0].scritp: unknown key; did you mean script?
`

exports[`test/config/file/wrong-files.test.js > TAP > a named pipe, to which nobody writes > message 1`] = `
Could not read x.yml: it is not a regular file.
`

exports[`test/config/file/wrong-files.test.js > TAP > a named pipe, to which nobody writes > message 2`] = `
Could not read ecosystem.config.cjs: it is not a regular file.
`

exports[`test/config/file/wrong-files.test.js > TAP > a tab > message 1`] = `
x.yml:3:1 is not valid YAML: tabs are not allowed as indentation
  3 |  script: app.js
    | ^
`

exports[`test/config/file/wrong-files.test.js > TAP > a wrong type > message 1`] = `
x.yml has 2 errors:
  x.yml:3:11 apps[0].args: expected a list of strings, or one string split at spaces, got a map
  x.yml:4:18 apps[0].autorestart: expected true or false, got "maybe"
`

exports[`test/config/file/wrong-files.test.js > TAP > a YAML alias bomb > message 1`] = `
x.yml is not valid YAML: its aliases expand to more than 100 values
`

exports[`test/config/file/wrong-files.test.js > TAP > an empty file > message 1`] = `
z.json does not define any apps.
`

exports[`test/config/file/wrong-files.test.js > TAP > an empty file > message 2`] = `
x.config.js does not define any apps.
`

exports[`test/config/file/wrong-files.test.js > TAP > an empty file > message 3`] = `
x.config.mjs does not define any apps.
`

exports[`test/config/file/wrong-files.test.js > TAP > an indentation between > message 1`] = `
x.yml:3:1 is not valid YAML: its indentation of 3 does not fit that of line 2, which is 4
  3 |    script: app.js
    | ^
`

exports[`test/config/file/wrong-files.test.js > TAP > an unknown alias > message 1`] = `
x.yml is not valid YAML: unresolved alias (the anchor must be set before the alias): nobody
`

exports[`test/config/file/wrong-files.test.js > TAP > an unknown key > lenient 1`] = `
x.yml:3:5 apps[0].kill_timout: unknown key, ignored; did you mean kill_timeout?
`

exports[`test/config/file/wrong-files.test.js > TAP > an unknown key > message 1`] = `
x.yml has an error:
  x.yml:3:5 apps[0].kill_timout: unknown key; did you mean kill_timeout?
`

exports[`test/config/file/wrong-files.test.js > TAP > not UTF-8 > message 1`] = `
Could not read x.yml: it is not UTF-8.
`

exports[`test/config/file/wrong-files.test.js > TAP > nothing > message 1`] = `
x.yml does not define any apps.
`

exports[`test/config/file/wrong-files.test.js > TAP > only a comment > message 1`] = `
x.yml does not define any apps.
`

exports[`test/config/file/wrong-files.test.js > TAP > too little indentation > message 1`] = `
x.yml:3:1 is not valid YAML: its indentation of 2 does not fit that of line 2, which is 4
  3 |   script: app.js
    | ^
`

exports[`test/config/file/wrong-files.test.js > TAP > two apps of one name > message 1`] = `
x.yml has an error:
  x.yml:4:11 apps[1].name: the name "api" is already used by apps[0]
`

exports[`test/config/file/wrong-files.test.js > TAP > two documents > message 1`] = `
x.yml:2:1 is not valid YAML: a second document starts here (---); one is expected
  2 | ---
    | ^
`

exports[`test/config/file/wrong-files.test.js > TAP > what would take the YAML parser long > message 1`] = `
wide.yml:40002:3 is not valid YAML: this key is in the same map already, in line 2
  40002 |   k0: 2
        |   ^
`

exports[`test/config/file/wrong-files.test.js > TAP > what would take the YAML parser long > message 2`] = `
aliases.yml:1002:8 is not valid YAML: it has more than 1000 aliases
  1002 | b1000: *a
       |        ^
`
