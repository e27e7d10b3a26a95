/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/types/values.test.js > TAP > cron patterns that are rejected, each with its reason > reasons 1`] = `
expected a cron pattern such as "0 4 * * *", got "* * *" (it needs five fields, or six)
expected a cron pattern such as "0 4 * * *", got "0 0 0 1 1 * 2030" (it needs five fields, or six)
expected a cron pattern such as "0 4 * * *", got "daily" (it needs five fields, or six)
expected a cron pattern such as "0 4 * * *", got "@reboot" (@reboot is not supported in this environment)
expected a cron pattern such as "0 4 * * *", got "61 * * * *" (the minute is out of range)
expected a cron pattern such as "0 4 * * *", got "0 24 * * *" (the hour is out of range)
expected a cron pattern such as "0 4 * * *", got "0 0 0 * *" (the day is out of range)
expected a cron pattern such as "0 4 * * *", got "0 0 * 13 *" (the month is out of range)
expected a cron pattern such as "0 4 * * *", got "0 0 * * 8" (the day of the week is out of range)
expected a cron pattern such as "0 4 * * *", got "0 0 * * fry" (configuration entry 5 (fry) contains illegal characters)
expected a cron pattern such as "0 4 * * *", got "10-5 * * * *" (from value is larger than to value: '10-5')
expected a cron pattern such as "0 4 * * *", got "*/90 * * * *" (syntax error, steps cannot be greater than maximum value of part (60))
expected a cron pattern such as "0 4 * * *", got "1,,2 * * * *" (configuration entry minute () is empty, check for trailing spaces)
expected a cron pattern such as "0 4 * * *", got "60 0 0 * * *" (the second is out of range)
expected a cron pattern such as "0 4 * * *", got "2027-01-01T00:00:00" (it is a date, not a pattern)
`
