// Allocates memory until V8 runs out of it.
const kept = [];
for (;;) kept.push(Array.from({ length: 1000 }, () => kept.length));
