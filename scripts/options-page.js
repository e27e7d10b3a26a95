/** docs/reference/configuration.md, made from the table of options and the values in every-option.yml. */
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { ECOSYSTEM_FILES } from '../src/config/file/load.js';
import { settingOptions } from '../src/config/flags.js';
import { options, describeDefault } from '../src/config/options/table.js';

/** @import { Needs, Option } from '../src/config/options/option.js' */

/** Those without one take effect at once. @type {Record<Needs, string | null>} */
const CHANGE_NEEDS = {
  configure: null,
  scale: 'more or fewer workers; the others keep running',
  reload: 'a reload',
  restart: 'a restart',
};

/** In a file; the commands refuse a change or rename the app. */
const IN_FILE_ANOTHER_APP = ['name'];

/** The settings that most people need first, and when. */
const FIRST = {
  name: 'the app should not be called after its script',
  script: 'always: it is the program',
  instances: 'a server should use every core: `max`, or `2..max` by load',
  env: 'the program reads settings from variables',
  env_from: 'some of these are secrets',
  shutdown_delay: 'a load balancer needs time to stop sending requests (`15s`)',
  health: 'a worker may answer wrongly without crashing',
  drain_timeout: 'requests take longer than 30 s, or a deploy must not wait that long for them',
  keep_alive_timeout: 'a proxy or a load balancer in front keeps connections open (`65s`)',
  max_memory_restart: 'the program may leak memory',
};

/** When to use one of the others, if its description does not say so. @type {Record<string, string>} */
const USE_IF = {
  env_file: 'variables differ from machine to machine',
  wait_ready: 'the program can serve only later than it listens',
  ready_min: 'one worker cannot carry the load of this machine',
  min_uptime: 'a bad version fails later than a second after its start',
  restart_delay: 'what the program depends on needs time to come back',
  hang_timeout: 'a worker that hangs must be replaced without you',
  kill_timeout: 'the program needs longer to clean up after its last request',
  treekill: 'a process that a worker starts must outlive it (`false`)',
  pid_file: 'another tool looks for one',
  max_surge: 'memory is short during a reload (`1`), or a reload takes too long (more)',
  max_requests: 'the program leaks, and you cannot find where',
  watch: 'you develop the program',
};

/** How a command line has options without a flag. @type {Record<string, string>} */
const INSTEAD_OF_FLAG = {
  script: 'none; it is the target of `start`',
  args: 'none; they follow `--`',
  port: '`--set-env PORT=<number>`',
  'env_<name>': '`--env <name>` of a file',
};

/** Of groups. @type {Record<string, string[]>} */
const INTRODUCTIONS = {
  Environment: [
    `- A worker has the variables of the shell that started the app, then those of \`env_file\`, \`port\`, \`env\`, \`env_<name>\` and \`env_from\`: the later wins. \`start\` of a program or a file that is stopped takes those of the shell in which it is typed, and names what differs; \`start <name>\`, \`restart\` and \`reload\` keep what the app has, and name up to three that differ (\`--update-env\` adds those of this shell). nodecluster does not set [\`NODE_ENV\`](../guides/first-hour.md#describe-the-app). For secrets see [secrets](../guides/secrets.md).
- It also has its number (\`instance_var\`), and \`NODECLUSTER_WORKER\`, by which the processes that it starts are found and stopped with it (\`treekill\`).
- In YAML and JSON, a number in \`env\` reaches the program as it was written (\`1.10\`, \`007\`).`,
  ],
};

/** Characters of a paragraph: five lines. */
const MAX_PARAGRAPH = 550;
const MIN_PARAGRAPH = 30;

export const everyOption = readFileSync(new URL('./every-option.yml', import.meta.url), 'utf8');
/** Of several apps with a key, the first counts. */
const values = Object.assign({}, ...parse(everyOption, { merge: true }).apps.reverse());

/** @param {{key: string}} option @returns {unknown} its value in the example */
export function exampleOf({ key }) {
  return values[key.replace('<name>', 'staging')];
}

/** @returns {string} Markdown */
export function optionsMarkdown() {
  const groups = [...new Set(options.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const members = options.filter((option) => option.group === group);
    const parts = [`## ${group}`, ...(INTRODUCTIONS[group] ?? []), ...members.map(describeOption)];
    return parts.join('\n\n');
  });
  return `${introduction()}\n\n${sections.join('\n\n')}\n`;
}

function firstTen() {
  const rows = Object.entries(FIRST).map(([key, when]) => `| [\`${key}\`](#${key}) | ${when} |`);
  return ['## The first ten', '', '| option | set it if |', '| --- | --- |', ...rows].join('\n');
}

function introduction() {
  return `# Configuration

<!-- Generated from src/config/options/ by \`npm run generate\`. -->

An app is described in an ecosystem file, which \`nodecluster init\` writes, or by the flags of \`nodecluster start\`.

\`\`\`yaml
apps:
  - name: api
    script: ./server.js
    instances: max
    env:
      NODE_ENV: production
\`\`\`

${firstTen()}

## The file

- **[Files of PM2](../guides/from-pm2.md)** work. A warning names the keys that only PM2 has.
- **Flags.** \`kill_timeout\` is \`--kill-timeout <value>\`, and \`treekill: false\` is \`--no-treekill\`, unless the section says otherwise. A flag of \`start\`, \`reload\` or \`restart\` wins over the file until the next \`reload\`, \`restart\` or \`apply\` of the file.
- **Back to a default:** give the default as the value. If no flag can (\`max_memory_restart\`, \`watch\`), \`apply\` the file without that option; an app without a file: \`stop\` it, then \`start\` its program with the flags that it should keep.
- **Name.** Without one, commands use the first of these in the current directory: ${codeList(ECOSYSTEM_FILES)}. TypeScript needs Node 22.18 or later. \`-\` is standard input.
- **Keys.** \`killTimeout\` and \`kill-timeout\` mean \`kill_timeout\`. An unknown key is an error (a warning with \`--lenient\`).
- **Paths** start from \`cwd\`, by default the directory of the file; \`cwd\` itself, \`env_file\` and the path of an \`interpreter\` start from that directory. \`~/\` is the home directory of whoever types the command, also with \`uid\`; \`~bob\`, \`$LOGS\` and \`\${LOGS}\` are errors, unless an absolute path with such a name exists.
- **Durations:** \`500ms\`, \`10s\`, \`1m30s\`, \`1h\`, at most \`24d\`; a number alone is milliseconds (\`5\`: 5 ms). **Sizes:** \`300M\`, \`1.5G\`.
- **A change** takes effect at once, without a new worker, unless the section says that it needs a reload (rolling, without downtime in cluster mode) or a restart (with downtime).
- **JSON** may have comments and trailing commas (JSON5).
- **YAML:** keys at the top that start with \`x-\` are ignored: a place for anchors.
- **In an editor:** \`# yaml-language-server: $schema=./node_modules/nodecluster/ecosystem.schema.json\` in the first line completes and checks the file.`;
}

/** @param {Option} option */
function describeOption(option) {
  const { key, needs, aliases = [] } = option;
  const { body, listed } = layOut(option);
  const facts = [
    listed ?? (!isShownByDefault(option) && `Value: ${valueOf(option)}`),
    defaultOf(option) !== 'none' && `Default: ${defaultOf(option)}`,
    needsExample(option) && exampleText(key.replace('<name>', 'staging'), exampleOf(option)),
    flagOf(option),
    USE_IF[key] && `Set it if ${USE_IF[key]}`,
    CHANGE_NEEDS[needs] &&
      !IN_FILE_ANOTHER_APP.includes(key) &&
      `A change needs ${CHANGE_NEEDS[needs]}`,
    aliases.length > 0 && `Aliases: ${codeList(aliases)}`,
  ];
  const given = facts.filter((fact) => typeof fact === 'string');
  const isShort = (/** @type {string} */ fact) => !fact.includes('\n');
  const list = [given.filter(isShort).join('. '), ...given.filter((fact) => !isShort(fact))];
  return `### \`${key}\`\n\n${body}\n\n${list.map((fact) => `- ${fact}`).join('\n')}`;
}

/** @param {Option} option @returns {string | false} false: it is its key with dashes */
function flagOf({ key, type }) {
  const flag = settingOptions().find((each) => each.key === key);
  if (flag === undefined) return `Flag: ${INSTEAD_OF_FLAG[key] ?? 'none'}`;
  const { flags, repeatable } = flag;
  const name = `--${type.schema.type === 'boolean' ? '(no-)?' : ''}${key.replaceAll('_', '-')}`;
  const isPlain = new RegExp(`^${name}( [<[].*)?$`).test(flags);
  return !isPlain && `Flag: \`${flags}\`${repeatable ? ', several times' : ''}`;
}

/** @param {Option} option */
function valueOf({ type }) {
  if (type.unit !== 'Ms') return type.expected;
  const { minimum } = type.schema;
  return minimum > 1 ? `a duration of at least ${type.write?.(minimum)}` : 'a duration';
}

/** @param {Option} option whose default says what its values are: `true`, `10s` */
function isShownByDefault({ type, default: value, defaultText }) {
  const isPlain = type.unit === 'Ms' ? Boolean(value) : type.schema.type === 'boolean';
  return isPlain && defaultText === undefined;
}

/** @param {Option} option */
function defaultOf(option) {
  const { type, default: value } = option;
  const isMs = type.unit === 'Ms' && typeof value === 'number' && value > 0;
  return isMs ? `\`${type.write?.(value)}\`` : describeDefault(option);
}

/** @param {Option} option whose value is neither shown nor explained at the top of the page */
function needsExample({ type }) {
  const isShown = type.values !== undefined || type.expected.includes('such as');
  return type.unit === undefined && type.schema.type !== 'boolean' && !isShown;
}

/**
 * A list of what begins with a value (`fair`: …), and paragraphs that are not too long.
 * @param {Option} option
 * @returns {{body: string, listed?: string}} listed: the list, if these are all values
 */
function layOut({ description, type }) {
  const [start, ...items] = description.split(/(?<=[.:]) (?=`[^`]+`(?: \([^)]*\))?: )/);
  if (items.length < 2) return { body: paragraphs(description) };
  if (items.length === type.values?.length) {
    return { body: start, listed: ['Value:', ...items.map((item) => `  - ${item}`)].join('\n') };
  }
  const [, last, rest = ''] = /^(.*?\.)(?: (?=[A-Z`])(.*))?$/s.exec(items.pop() ?? '') ?? [];
  const list = [...items, last].map((item) => `- ${item}`).join('\n');
  return { body: `${paragraphs(start)}\n\n${list}\n\n${paragraphs(rest)}` };
}

/** @param {string} description */
function paragraphs(description) {
  /** @type {string[]} */
  const found = [];
  for (const sentence of description.split(/(?<=[.)]) (?=[A-Z`])/)) {
    const together = `${found.at(-1) ?? ''} ${sentence}`.trim();
    const isLong = together.length > MAX_PARAGRAPH && sentence.length > MIN_PARAGRAPH;
    if (found.length === 0 || isLong) found.push(sentence);
    else found[found.length - 1] = together;
  }
  return found.join('\n\n');
}

/** @param {string} key @param {unknown} value @returns {string} an item of a list */
function exampleText(key, value) {
  const isFlat = [value].flat().every((each) => typeof each !== 'object');
  if (isFlat) {
    const inline = stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false });
    return `Example: \`${key}: ${inline.trim()}\``;
  }
  const lines = [
    '```yaml',
    ...stringify({ [key]: value })
      .trimEnd()
      .split('\n'),
    '```',
  ];
  return ['Example:', '', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** @param {readonly string[]} names */
function codeList(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}
