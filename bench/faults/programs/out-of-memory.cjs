// Keeps everything until V8 has no more room for it.
const kept = [];
for (;;) kept.push(Array.from({ length: 1000 }, () => kept.length));
