/** One file from the modules of the page, which a browser runs without loading anything. */
import t from 'tap';
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { readAssets } from '../../../src/clients/web/page-files.js';
import { linkModules, renderRecording } from '../../../src/clients/web/record.js';

const assetsOf = (files) =>
  new Map(Object.entries(files).map(([name, text]) => [name, { body: Buffer.from(text) }]));

t.test('every form of import and export that the page may use', async (t) => {
  const files = {
    'page.js': `
import { one, two as zwei } from './parts/numbers.js';
import {
  Counter,
  make,
} from "./parts/things.js";
import square from './vendor/square.js';
import * as numbers from './parts/numbers.js';
import './parts/effect.js';
log.push(one, zwei, numbers.two, new Counter().next(), square(3), make());
`,
    'parts/numbers.js': 'export const one = 1;\nexport const two = one + 1;\n',
    'parts/things.js':
      "import{a as b}from'../vendor/min.js';\nexport class Counter {\n  next() {\n    return b(4);\n  }\n}\nexport function make() {\n  return 'import { x } from y';\n}\n",
    'parts/effect.js': "log.push('effect');\n",
    'vendor/square.js': 'const n=2;export default function(x){return x**n}\n',
    'vendor/min.js': 'const e=x=>x+1,f=2;export{e as a,f as default};\n',
  };
  const log = [];
  runInNewContext(linkModules(assetsOf(files), 'page.js'), { log });
  t.same(log, ['effect', 1, 2, 2, 5, 9, 'import { x } from y']);
});

t.test('a module that is missing, and one that imports itself', async (t) => {
  t.throws(() => linkModules(assetsOf({ 'a.js': "import './b.js';" }), 'a.js'), /b\.js is missing/);
  const round = { 'a.js': "import './b.js';", 'b.js': "import './a.js';" };
  t.throws(() => linkModules(assetsOf(round), 'a.js'), /a\.js imports itself/);
});

t.test('the file runs only what is in it', async (t) => {
  const html = renderRecording(
    assetsOf({
      'index.html':
        '<html>\n<head>\n<link rel="stylesheet" href="a.css">\n</head>\n<body><script type="module" src="a.js"></script></body></html>',
      'a.css': 'p { color: red }',
      'a.js': "const end = '</script>';\n",
    }),
    { state: { home: '</script><script>alert(1)</script>' }, history: {}, events: [], details: {} },
  );
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html);
  const parts = [...html.matchAll(/<(script|style)( type="module")?>([\s\S]*?)<\/\1>/g)];
  t.equal(parts.length, 2);
  for (const [, kind, , text] of parts) {
    const hash = createHash('sha256').update(text).digest('base64');
    t.ok(policy.includes(`${kind}-src 'sha256-${hash}'`), kind);
  }
  t.match(policy, /^default-src 'none'; /);
  t.notMatch(html, /src="|href=/, 'it loads nothing');
  const [, json] = /<script type="application\/json" id="recording">([^<]*)<\/script>/.exec(html);
  t.equal(JSON.parse(json).state.home, '</script><script>alert(1)</script>');
  t.ok(html.indexOf('id="recording"') < html.indexOf('type="module"'));
});

t.test('the page itself becomes one file', async (t) => {
  const recording = { state: {}, history: {}, events: [], details: {} };
  const html = renderRecording(readAssets(), recording);
  t.notMatch(html, /<(script|link|img)[^>]*(src|href)=/);
});
