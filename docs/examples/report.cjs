/** A job: it does one piece of work and exits. ecosystem.example.yml runs it every five minutes. */
const { freemem } = require('node:os');

console.log(`${Math.round(freemem() / 1024 ** 2)} MB of memory are free`);
