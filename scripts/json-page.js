/** docs/json.md, made from the types of what the commands print. */
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
  'ReloadCounts',
  'EndedReload',
  'Replacement',
  'Worker',
  'ReplacedWorker',
  'WorkerHealth',
  'WorkerRequests',
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
  'ResolvedFrom',
  'AppEnvironment',
  'AppOutcome',
  'SlotFailure',
  'Failure',
  'SlotNote',
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

const INTRODUCTION = `# JSON output

<!-- Generated from src/protocol/shapes.d.ts by \`npm run generate\`. -->

With \`--json\`, commands print their result as JSON on stdout, and an error as JSON on stderr:
\`{"error": {"code", "message", "hint", "exitCode", "data"}}\`. The [JavaScript API](api.md) returns the same objects; its types have the names of this page.

| command | prints |
| --- | --- |
| \`ls --json\` | \`{"daemon": {"pid", "version", "node", "startedAt"}, "apps": [App], "notes": [strings]}\`; \`daemon\` is null when none is running |
| \`describe --json\` | \`{"apps": [App]}\`, with their details |
| \`env --json\` | \`{"apps": [Environment]}\` |
| \`start\`, \`stop\`, \`restart\`, \`reload\`, \`scale\`, \`delete\`, \`reset\`, \`flush\`, \`reload-logs\` | \`{"apps": [Outcome]}\` |
| these with an ecosystem file, and \`apply\` | \`{"apps": [Outcome], "plan": [PlanEntry], "unlisted": [names]}\` |
| \`send --json\` | \`{"apps": [Sent]}\` |
| \`why --json\` | \`{"apps": [AppStacks]}\` |
| \`profile --json\` | \`{"file", "bytes", "app", "slot", "pid", "generation"}\` |
| \`logs --json\` | one \`LogRecord\` per line; where the life of a worker begins, \`{"event": "worker.started", "time", "app", "worker", "pid", "after"}\` |
| \`events --json\` | one event per line: [api.md](api.md#events) |
| \`save --json\` | \`{"apps": [names]}\` |
| \`update --json\` | \`{"before": DaemonIdentity, "after": DaemonIdentity, "apps": [Outcome]}\`; \`before\` and \`after\` are null when no daemon runs, and \`apps\` are those whose primary \`--apps\` replaced |
| \`kill --json\` | \`{"apps": [names], "remembered": [names]}\`: what it stopped, and what \`resurrect\` starts |
| \`startup --json\` | \`{"service", "installed", "command", "files": [{"path", "text"}]}\`; \`command\` is what root must type, or null |
| \`unstartup --json\` | \`{"service", "removed": [paths], "command"}\` |
| \`ping --json\` | \`DaemonStatus\` |

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
\`\`\`

In an App and what belongs to it, nothing is null, except in its \`spec\`: a key is missing if its value is not known, or if there is none. Of
types that other results have too, this page says null.

Measurements of the workers themselves are not in \`ls --json\`, since collecting them has a cost; \`describe all --json\` has them. With
\`--no-wait\` each outcome has \`"accepted": true\`, and \`lastReload\` of \`describe --json\` has the rest.

\`\`\`sh
nodecluster ls --json | jq -r '.apps[] | select(.status != "online") | .name'
\`\`\`

## What may change

This output, the events and the types of the API follow semantic versioning, from 1.0.0 on. Within a major version, keys are
added, but none is removed, renamed or given another meaning or type, and a key that is always there stays so. New
values may appear in \`status\`, \`action\`, \`kind\`, in \`type\` of events, and in \`code\` of errors: treat one that you do not know as
"something else". Texts for people (\`reason\`, \`note\`, \`message\`, \`hint\`, \`lastLines\`) may change at any time; \`code\` does not.
\`spec\` gets a key for each new option. The files in the home directory and the protocol between the processes are not an interface.

All durations are in milliseconds, sizes in bytes. Times, such as \`at\`, \`startedAt\` and \`blockedSince\`, are milliseconds since the epoch.`;

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
        ? `If they were asked for also ${linked(parent)}.`
        : `All of ${linked(parent)}, and:`,
    );
  const text = [commentOf(declared), ...inherited].filter(Boolean).join(' ');
  const rows = membersOf(declared).map((member) => rowOf(declared, member));
  const table = ['| key | value | |', '| --- | --- | --- |', ...rows].join('\n');
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

/** @param {ts.InterfaceDeclaration} declared @returns {ts.PropertySignature[]} its own first */
function membersOf(declared) {
  const parts = parentsOf(declared).map(partOf);
  const isInternal = (/** @type {ts.Node} */ member) =>
    ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
  const own = declared.members.filter(ts.isPropertySignature).filter((each) => !isInternal(each));
  return [...own, ...parts.flatMap((part) => (part ? membersOf(part) : []))];
}

/** @param {ts.InterfaceDeclaration} declared @param {ts.PropertySignature} member */
function rowOf(declared, member) {
  const name = member.name.getText();
  const type = member.type ? writtenOut(oneLine(member.type)) : '';
  const isOptional = member.questionToken ? ' (not always)' : '';
  const option = declared.name.text === 'Spec' && options.find(({ spec }) => spec === name);
  const ofOption = option ? `[${option.key}](configuration.md#${option.key})` : '';
  const text = [ofOption, commentOf(member)].filter(Boolean).join('. ');
  return `| \`${name}\`${isOptional} | ${linked(type)} | ${text.replaceAll('|', '\\|')} |`;
}

/** @param {ts.TypeNode} type */
function oneLine(type) {
  return type.getText().replace(/\s+/g, ' ').replace(/^\| /, '');
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
