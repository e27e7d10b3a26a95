/** docs/configuration.md, made from the table of options and the values in ecosystem.example.yml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ECOSYSTEM_FILES } from '../src/config/file/load.js';
import { settingOptions } from '../src/config/flags.js';
import { options, describeDefault } from '../src/config/options/table.js';

/** @import { Needs, Option } from '../src/config/options/option.js' */

/** @type {Record<Needs, string>} */
const CHANGE_NEEDS = {
  nothing: 'nothing, it takes effect at once',
  scale: 'more or fewer workers, the others keep running',
  reload: 'a rolling reload, without downtime in cluster mode',
  restart: 'a restart, with downtime',
};

const text = readFileSync(new URL('../ecosystem.example.yml', import.meta.url), 'utf8');
/** The example with what it has in comments switched on. */
export const wholeExample = text.replace(/^( *)# ([a-z_]+: .*)$/gm, '$1$2');
/** Of several apps with a key, the first counts. */
const values = Object.assign({}, ...parse(wholeExample, { merge: true }).apps.reverse());

/** @param {{key: string}} option @returns {unknown} its value in the example */
export function exampleOf({ key }) {
  return values[key.replace('<name>', 'staging')];
}

/** @returns {string} Markdown */
export function optionsMarkdown() {
  const groups = [...new Set(options.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const members = options.filter((option) => option.group === group);
    return `## ${group}\n\n${members.map(describeOption).join('\n\n')}`;
  });
  return `${introduction()}\n\n${overview()}\n\n${sections.join('\n\n')}\n`;
}

/** Each option with its default and its first sentence. */
function overview() {
  const rows = options.map((option) => {
    const [sentence] = /^(`[^`]*`|[^`.:;]|[.:;](?! |$))*/.exec(option.description) ?? [''];
    const anchor = option.key.replace(/\W/g, '');
    return `| [\`${option.key}\`](#${anchor}) | ${sentence.replace(/ \([^)]*\)/g, '')} | ${describeDefault(option)} |`;
  });
  return ['| option | what it is | default |', '| --- | --- | --- |', ...rows].join('\n');
}

function introduction() {
  return `# Configuration

<!-- Generated from src/config/options/ by \`npm run generate\`. -->

An app is described in an ecosystem file, or by the flags of \`nodecluster start\`. Without a file name, commands use the one in the current directory: ${codeList(ECOSYSTEM_FILES)}. \`-\` is standard input. \`nodecluster init\` writes a first one.

\`\`\`yaml
apps:
  - name: api
    script: ./server.js
    instances: max
    env:
      NODE_ENV: production
\`\`\`

- \`apps\` is a list of apps, or a single one. A file may also be a bare list, or a single app.
- Files of PM2 work. A warning names the keys that only PM2 has, with the closest equivalent in nodecluster.
- \`killTimeout\` and \`kill-timeout\` mean \`kill_timeout\`. An unknown key is an error (a warning with \`--lenient\`).
- Relative paths start from the directory of the file.
- Durations: \`500\` (milliseconds), \`500ms\`, \`10s\`, \`1m30s\`, \`1h\`.
- JSON files may have comments, trailing commas, single quotes and unquoted keys (JSON5).
- In YAML, keys at the top that start with \`x-\` are ignored: a place for anchors (\`&name\`), which \`*name\` and \`<<: *name\` use.
- The environment of an app is that of the shell that started it, overridden by \`env_file\`, \`env\` and \`env_<name>\`, in this order. nodecluster does not set [\`NODE_ENV\`](production.md#node_env). [Secrets](secrets.md) have a page of their own.
- In YAML and JSON, a number in \`env\` reaches the program as it was written (\`1.10\`, \`007\`), also through \`*name\` and \`<<\`.
- A worker gets two more variables: its number (\`instance_var\`), and \`NODECLUSTER_WORKER\`, a unique string. Processes that the worker starts inherit it, so that they can be found and stopped with the worker (\`treekill\`).
- All errors of a file are shown at once, and nothing is changed as long as there is one.

\`ecosystem.example.yml\` mentions every option, and \`ecosystem.schema.json\`, which is in the package too, lets editors complete and check a file: \`# yaml-language-server: $schema=./node_modules/nodecluster/ecosystem.schema.json\` in its first line.`;
}

/** @param {Option} option */
function describeOption(option) {
  const { key, description, type, needs, aliases = [] } = option;
  const flag = settingOptions().find((each) => each.key === key);
  const facts = [
    `Value: ${type.expected}`,
    `Example: \`${key}: ${formatExample(exampleOf(option))}\``,
    `Default: ${describeDefault(option)}`,
    flag && `Flag: \`${flag.flags}\`${flag.repeatable ? ', several times' : ''}`,
    `A change needs: ${CHANGE_NEEDS[needs]}`,
    aliases.length > 0 && `Aliases: ${codeList(aliases)}`,
  ];
  const list = facts.filter(Boolean).map((fact) => `- ${fact}`);
  return `### \`${key}\`\n\n${description}\n\n${list.join('\n')}`;
}

/** @param {unknown} value */
function formatExample(value) {
  return typeof value === 'string' && !value.includes('*') ? value : JSON.stringify(value);
}

/** @param {readonly string[]} names */
function codeList(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}
