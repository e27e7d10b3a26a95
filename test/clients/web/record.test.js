/** One file of the page and what it shows, which a browser runs without loading anything. */
import t from 'tap';
import { createHash } from 'node:crypto';
import { readAssets } from '../../../src/clients/web/page-files.js';
import { renderRecording } from '../../../src/clients/web/record.js';

const assetsOf = (files) =>
  new Map(Object.entries(files).map(([name, text]) => [name, { body: Buffer.from(text) }]));

t.test('the file runs only what is in it', async (t) => {
  const html = renderRecording(
    assetsOf({
      'index.html':
        '<html>\n<head>\n<link rel="stylesheet" href="bundle.css" />\n</head>\n<body><script type="module" src="bundle.js"></script></body></html>',
      'bundle.css': 'p { color: red }',
      'bundle.js': "const end = '</script>';\n",
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
  const html = renderRecording(await readAssets(), recording);
  t.notMatch(html, /<(script|link|img)[^>]*(src|href)=/);
});
