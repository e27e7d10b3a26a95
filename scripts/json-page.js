/** docs/reference/json.md, made from the types of what the commands print. */
import ts from 'typescript';
import { options } from '../src/config/options/table.js';
import { readDeclarations } from './declarations.js';

const SHAPES = 'src/protocol/shapes.d.ts';
/** What the page calls the types, as src/api/types.d.ts does. */
const NAMES = /** @type {Record<string, string>} */ ({
  AppEnvironment: 'Environment',
  AppOutcome: 'Outcome',
});
/** In the order of the page. */
const SECTIONS = [
  'App',
  'Autoscaling',
  'ScalingChange',
  'Job',
  'JobRun',
  'Canary',
  'AnswerFigures',
  'AppChange',
  'Difference',
  'Author',
  'Sender',
  'ReloadCounts',
  'EndedReload',
  'Replacement',
  'Worker',
  'ReplacedWorker',
  'WorkerHealth',
  'WorkerRequests',
  'FailedReplacement',
  'Stack',
  'StackFrame',
  'Listener',
  'Proxy',
  'PastExit',
  'ListenFault',
  'Vitals',
  'AlarmView',
  'Spec',
  'InstanceRange',
  'Alarm',
  'VariableSource',
  'ResolvedFrom',
  'AppEnvironment',
  'AppOutcome',
  'SlotFailure',
  'Failure',
  'SlotNote',
  'Killed',
  'WorkerNote',
  'AppSummary',
  'Plan',
  'PlanEntry',
  'Sent',
  'AppStacks',
  'WorkerStack',
  'LogRecord',
  'DaemonIdentity',
  'DaemonStatus',
];
/** Names of unions, numbers and strings, which the page writes out. */
const WRITTEN_OUT = [
  'Status',
  'WorkerStatus',
  'PlanAction',
  'Signal',
  'StackState',
  'Count',
  'Slot',
  'Pid',
  'Time',
  'Address',
  'VariableName',
  'VariableValue',
];

/** @type {ts.InterfaceDeclaration[]} */
let interfaces = [];
/** What they stand for. @type {Map<string, string>} */
const meanings = new Map();
/** The section that has the members of a part. @type {Map<ts.InterfaceDeclaration, string>} */
const describedIn = new Map();

const INTRODUCTION = `# JSON output

<!-- Generated from src/protocol/shapes.d.ts by \`npm run generate\`. -->

With \`--json\`, commands print their result as JSON on stdout, and an error as JSON on stderr:
\`{"error": {"code", "message", "hint", "exitCode", "data"}}\`. The [JavaScript API](api.md) returns the same objects; its types have the names of this page.

## What may change

From 1.0.0 on, this output, the events and the types of the API follow semantic versioning. Within a major version:

- **Keys are added.** None is removed, renamed or given another meaning or type, and a key that is always there stays so.
- **New values may appear** in \`status\`, \`action\` and \`kind\`, in \`type\` of events and in \`code\` of errors: treat one that you do not know as "something else".
- **Texts for people may change at any time:** \`reason\`, \`note\`, \`message\`, \`hint\`, \`lastLines\`. A \`code\` does not.
- **Not an interface:** the files in the home directory, and the protocol between the processes.

## How to read it

- Durations are in milliseconds, sizes in bytes, times in milliseconds since the epoch, but in log lines and \`audit\` in ISO 8601, UTC.
- A field marked \`?\` is missing if its value is not known, or if there is none. In an App and what belongs to it nothing is null, except in its \`spec\`; of other types this page says null.
- Fields of [Spec](#spec) link to the options that they come from.
- \`ls --json\` has no measurements of the workers themselves, since collecting them has a cost: use \`describe all --json\`.
- With \`--no-wait\` each outcome has \`"accepted": true\`, and \`lastReload\` of \`describe --json\` has the rest.

## Commands

| command | prints an object with |
| --- | --- |
| \`ls\` | \`apps\`: [App](#app)\`[]\`; \`daemon\`: \`pid\`, \`version\`, \`node\`, \`startedAt\`, or null when none is running; \`notes\`: \`string[]\` |
| \`describe\` | \`apps\`: [App](#app)\`[]\`, with their details |
| \`start\`, \`stop\`, \`restart\`, \`reload\`, \`scale\`, \`delete\`, \`reset\`, \`run-now\`, \`resurrect\`, \`serve\`, \`flush\`, \`reload-logs\` | \`apps\`: [Outcome](#outcome)\`[]\` |
| these with an ecosystem file, and \`apply\` | also \`plan\`: [PlanEntry](#planentry)\`[]\`, and \`unlisted\`: names |
| \`env\`, \`send\` and \`signal\`, \`why\` | \`apps\`: [Environment](#environment)\`[]\`, [Sent](#sent)\`[]\`, [AppStacks](#appstacks)\`[]\` |
| \`logs\` | on each line a [LogRecord](#logrecord); where the life of a worker begins: \`event\` (\`worker.started\`), \`time\`, \`app\`, \`worker\`, \`pid\`, \`after\` |
| \`events\` | on each line an event: [the JavaScript API](api.md#events) |
| \`profile\` | \`file\`, \`bytes\`, \`app\`, \`slot\`, \`pid\`, \`generation\` |
| \`ping\` | what [DaemonStatus](#daemonstatus) has |
| \`update\` | \`before\`, \`after\`: [DaemonIdentity](#daemonidentity), or null when no daemon runs; \`apps\`: [Outcome](#outcome)\`[]\` of those whose primary \`--apps\` replaced |
| \`save\` | \`apps\`: names |
| \`kill\` | \`apps\`: names of those that it stopped; \`remembered\`: of those that \`resurrect\` starts |
| \`audit\` | on each line a command: \`event\` (its name), \`time\`, \`by\`: [Sender](#sender), \`apps\`, \`refused\`; or \`log.lost\`: \`lines\`, \`since\`, \`reason\` |
| \`startup\` | \`service\`, \`installed\`, \`command\` (what root must type, or null), \`files\`: \`{path, text}[]\` |
| \`unstartup\` | \`service\`, \`removed\` (paths), \`command\` |

\`\`\`sh
nodecluster ls --json | jq -r '.apps[] | select(.status != "online") | .name'
\`\`\`

\`ls --json\` of one app:

\`\`\`json
{
  "daemon": { "pid": 4100, "version": "0.1.0", "node": "v22.11.0", "startedAt": 1764122300000 },
  "apps": [
    {
      "name": "api",
      "namespace": "default",
      "status": "online",
      "mode": "cluster",
      "script": "/srv/api/app.js",
      "instances": 1,
      "scheduling": "fair",
      "generation": 1,
      "primaryPid": 4107,
      "restarts": 0,
      "logDroppedBytes": 0,
      "readyMin": 1,
      "hasBeenReady": true,
      "reloads": { "ok": 0, "failed": 0, "rolledBack": 0 },
      "workers": [
        {
          "id": 0,
          "slot": 0,
          "pid": 4115,
          "status": "online",
          "isReady": true,
          "cpu": 3.1,
          "memory": 43201331,
          "cpuTimeMs": 1210,
          "startedAt": 1764122400000,
          "restarts": 0,
          "generation": 1,
          "listening": [{ "address": "*:3000", "protocol": "http" }]
        }
      ]
    }
  ],
  "notes": []
}
\`\`\``;

/** @returns {string} Markdown, to be formatted */
export function jsonPage() {
  const declared = readDeclarations(SHAPES);
  interfaces = declared.filter(ts.isInterfaceDeclaration);
  const aliases = declared.filter(ts.isTypeAliasDeclaration);
  for (const { name, type } of aliases) meanings.set(name.text, oneLine(type));
  const sections = SECTIONS.map((name) => {
    const found = interfaces.find((each) => each.name.text === name);
    if (!found) throw new Error(`there is no type ${name}`);
    return describeInterface(found);
  });
  const text = sections.join('\n\n');
  const forgotten = interfaces
    .map(({ name }) => name.text)
    .filter((name) => !SECTIONS.includes(name))
    .filter((name) => new RegExp(`\`[^\`\\n]*\\b${name}\\b`).test(text));
  if (forgotten.length > 0) throw new Error(`SECTIONS has no ${forgotten.join(', ')}`);
  return `${INTRODUCTION}\n\n${text}\n`;
}

/** @param {ts.InterfaceDeclaration} declared */
function describeInterface(declared) {
  const inherited = parentsOf(declared)
    .filter((parent) => partOf(parent) === undefined)
    .map((parent) =>
      parent === 'Vitals'
        ? `In \`describe\` also ${linked(parent)}.`
        : `All of ${linked(parent)}, and:`,
    );
  const { rows: members, seen } = newMembersOf(declared);
  const text = [commentOf(declared), ...inherited, ...seen].filter(Boolean).join(' ');
  const rows = members.map((member) => rowOf(declared, member));
  const table = ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return `## ${publicName(declared.name.text)}\n\n${text}\n\n${table}`;
}

/** @param {ts.InterfaceDeclaration} declared @returns {string[]} as they are written */
function parentsOf({ heritageClauses }) {
  return (heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.getText()));
}

/** @param {string} parent @returns {ts.InterfaceDeclaration | undefined} one without a section of its own */
function partOf(parent) {
  return SECTIONS.includes(parent)
    ? undefined
    : interfaces.find(({ name }) => name.text === parent);
}

/**
 * @param {ts.InterfaceDeclaration} declared
 * @returns {{rows: ts.PropertySignature[], seen: string[]}} its own first; seen: where the rest of them is described
 */
function newMembersOf(declared) {
  const name = publicName(declared.name.text);
  /** @type {ts.PropertySignature[]} */
  const rows = ownMembersOf(declared);
  /** @type {Record<string, string[]>} keys by section */
  const elsewhere = {};
  for (const part of partsOf(declared)) {
    const members = ownMembersOf(part);
    const section = describedIn.get(part) ?? name;
    describedIn.set(part, section);
    if (section === name) rows.push(...members);
    else (elsewhere[section] ??= []).push(...members.map((member) => member.name.getText()));
  }
  const seen = Object.entries(elsewhere).map(([section, keys]) => {
    const fields = keys.map((key) => `\`${key}\``).join(', ');
    return `${fields}: as in [${section}](#${section.toLowerCase()}).`;
  });
  return { rows, seen };
}

/** @param {ts.InterfaceDeclaration} declared */
function ownMembersOf({ members }) {
  const isInternal = (/** @type {ts.Node} */ member) =>
    ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
  return members.filter(ts.isPropertySignature).filter((each) => !isInternal(each));
}

/** @param {ts.InterfaceDeclaration} declared @returns {ts.InterfaceDeclaration[]} what it inherits from, without sections of their own */
function partsOf(declared) {
  return parentsOf(declared)
    .map(partOf)
    .filter((part) => part !== undefined)
    .flatMap((part) => [part, ...partsOf(part)]);
}

/** @param {ts.InterfaceDeclaration} declared @param {ts.PropertySignature} member */
function rowOf(declared, member) {
  const name = member.name.getText();
  const type = member.type ? writtenOut(oneLine(member.type)) : '';
  const isOptional = member.questionToken ? ' ?' : '';
  const option = declared.name.text === 'Spec' && options.find(({ spec }) => spec === name);
  const field = option ? `[\`${name}\`](configuration.md#${option.key})` : `\`${name}\``;
  const text = commentOf(member).replaceAll('|', '\\|');
  return `| ${field}${isOptional} | ${linked(type)} | ${text} |`;
}

/** @param {ts.TypeNode} type */
function oneLine(type) {
  const text = type.getText().replace(/\/\*\*.*?\*\//gs, '');
  return text.replace(/\s+/g, ' ').replace(/^\| /, '');
}

/** @param {string} type @returns {string} */
function writtenOut(type) {
  const name = WRITTEN_OUT.find((each) => new RegExp(`\\b${each}\\b`).test(type));
  const meaning = name && meanings.get(name);
  return name && meaning ? writtenOut(type.replace(new RegExp(`\\b${name}\\b`), meaning)) : type;
}

/** @param {ts.Node} node @returns {string} on one line */
function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' ');
}

/** @param {string} type @returns {string} code in which the names of types are links */
function linked(type) {
  // The introduction says that members that would be null are left out.
  type = type.replace(/\bKnown<(\w+)>/g, '$1');
  const names = SECTIONS.join('|');
  return type
    .split(new RegExp(`\\b(${names}|LastReload)\\b`))
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : codeOf(part);
      const target = part === 'LastReload' ? 'EndedReload' : part;
      return `[${publicName(part)}](#${publicName(target).toLowerCase()})`;
    })
    .join('');
}

/** @param {string} text */
function codeOf(text) {
  const trimmed = text.trim();
  return trimmed === '' ? text : text.replace(trimmed, `\`${trimmed.replaceAll('|', '\\|')}\``);
}

/** @param {string} name */
function publicName(name) {
  return NAMES[name] ?? name;
}
