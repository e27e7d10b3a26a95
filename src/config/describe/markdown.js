/** docs/configuration.md, made from the table of options. */
import { describeDefault, describeNeeds } from './option.js';
import { startFlags } from '../flags.js';
import { ECOSYSTEM_FILES } from '../file/load.js';
import { camelCase } from '../options/keys.js';
import { options } from '../options/table.js';

/** @import { Option } from '../options/table.js' */

/** @returns {string} Markdown */
export function optionsMarkdown() {
  const groups = [...new Set(options.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const members = options.filter((option) => option.group === group);
    return `## ${group}\n\n${members.map(optionSection).join('\n\n')}`;
  });
  return `${introduction()}\n\n${sections.join('\n\n')}\n`;
}

function introduction() {
  return `# Configuration

<!-- Generated from src/config/options/table.js by \`npm run generate\`. -->

An app is described in an ecosystem file, or by the flags of \`nodecluster start\`. Without the name of a file, commands take the one in the directory: ${listed(ECOSYSTEM_FILES.map((name) => `\`${name}\``))}. \`-\` is standard input. \`nodecluster init\` writes a first one.

\`\`\`yaml
apps:
  - name: api
    script: ./server.js
    instances: max
    env:
      NODE_ENV: production
\`\`\`

- \`apps\` is a list of apps, or a single one. A file may also be a bare list, or a single app.
- Files of PM2 work. What only PM2 has is named in a warning, with the nearest thing that nodecluster has.
- \`killTimeout\` and \`kill-timeout\` mean \`kill_timeout\`. An unknown key is an error (a warning with \`--lenient\`).
- Relative paths start from the directory of the file.
- Durations: \`500\` (milliseconds), \`500ms\`, \`10s\`, \`1m30s\`, \`1h\`.
- In YAML, keys at the top that start with \`x-\` are left alone: a place for anchors (\`&name\`), which \`*name\` and \`<<: *name\` use.
- The environment of an app is that of the shell that started it, over it \`env_file\`, \`env\` and \`env_<name>\`, in this order.
- In YAML and JSON a number in \`env\` reaches the program as it was written (\`1.10\`, \`007\`), also by \`*name\` and \`<<\`.
- A worker has two variables more: its number (\`instance_var\`), and \`NODECLUSTER_WORKER\`, a text that no other worker has. Processes that the worker starts inherit it, so that they can be found and ended with it (\`treekill\`).
- All errors of a file are shown at once, and nothing is changed as long as there is one.

\`ecosystem.example.yml\` mentions every option, and \`ecosystem.schema.json\` lets editors complete and check a file.`;
}

/** @param {Option} option */
function optionSection(option) {
  const { key, description, type, example } = option;
  const flag = startFlags().find((each) => each.key === key);
  const others = [...new Set([camelCase(key), ...(option.aliases ?? [])])].filter((k) => k !== key);
  const facts = [
    `Value: ${type.expected}`,
    `Example: \`${key}: ${exampleText(example)}\``,
    `Default: ${describeDefault(option)}`,
    ...(flag ? [`Flag: \`${flag.flags}\`${flag.repeatable ? ', several times' : ''}`] : []),
    `A change needs: ${describeNeeds(option)}`,
    ...(others.length > 0 && key !== 'env_<name>'
      ? [`Also understood: ${listed(others.map((name) => `\`${name}\``))}`]
      : []),
  ];
  return `### \`${key}\`\n\n${description}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}`;
}

/** @param {unknown} value */
function exampleText(value) {
  return typeof value === 'string' && !value.includes('*') ? value : JSON.stringify(value);
}

/** @param {string[]} items */
function listed(items) {
  return items.join(', ');
}
