import js from '@eslint/js';
import globals from 'globals';

export default [
  {
    ignores: ['node_modules/', '.tap/', 'coverage/', 'dist/', 'site/', 'tap-snapshots/'],
  },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: globals.node },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 300, skipComments: true }],
      complexity: ['error', 12],
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  // It runs in a browser, as do functions that tests send there.
  {
    files: ['src/clients/web/page/**', 'test/e2e/{browser,site}/**', 'scripts/screens/web.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    // Programs that people and tests start: they talk on the console by nature.
    files: [
      'docs/**',
      'test/**',
      'bench/**',
      'scripts/**',
      'bin/**',
      'src/cli/main.js',
      'src/*/main.js',
      'src/clients/*/main.js',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // A test file is a list of cases.
    files: ['test/**'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off' },
  },
];
