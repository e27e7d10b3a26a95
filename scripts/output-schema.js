/** docs/reference/json.schema.json: what commands print with --json, from the types of scripts/output.d.ts; and what follows from it. */
import ts from 'typescript';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('output.d.ts', import.meta.url));
/** As src/api/types.d.ts calls them. @type {Record<string, string>} */
const PUBLIC_NAMES = { AppEnvironment: 'Environment', AppOutcome: 'Outcome' };
const PRIMITIVES = /** @type {const} */ ([
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.Null, 'null'],
]);

/** @typedef {Record<string, any>} Schema */

/** @returns {Schema} draft 7; what a command prints is in its properties */
export function outputSchema() {
  const program = ts.createProgram([FILE], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    exactOptionalPropertyTypes: true,
  });
  const writer = new Writer(program.getTypeChecker());
  const output = writer.declared(program.getSourceFile(FILE), 'Output');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'What the commands of nodecluster print with --json, by their names',
    ...writer.objectSchema(output),
    definitions: writer.definitions,
  };
}

/** What a program sends, which could deliver it itself, and what is about no app. */
const NOT_FOR_ALARMS = ['worker.event', 'missed', 'daemon.started', 'daemon.ended'];

/** @param {Schema} schema @returns {string} src/features/alarms/event-names.js, to be formatted */
export function eventNamesModule({ properties }) {
  const types = properties.events.anyOf.map((/** @type {Schema} */ each) => each.properties.type);
  const names = types.flatMap((/** @type {Schema} */ type) => type.enum ?? type.const);
  const written = names
    .filter((/** @type {string} */ name) => !NOT_FOR_ALARMS.includes(name))
    .map((/** @type {string} */ name) => `'${name}'`);
  return `/* Generated from types by \`npm run generate\`. */
/** The types of the events that an alarm can name. */
export const eventNames = Object.freeze([${written.join(', ')}]);
`;
}

class Writer {
  /** @type {Record<string, Schema>} */
  definitions = {};

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {ts.SourceFile | undefined} file @param {string} name */
  declared(file, name) {
    const module = file && this.checker.getSymbolAtLocation(file);
    const found =
      module && this.checker.getExportsOfModule(module).find((each) => each.name === name);
    if (!found) throw new Error(`there is no type ${name}`);
    return this.checker.getDeclaredTypeOfSymbol(found);
  }

  /** @param {ts.Type} type @returns {Schema} */
  #schema(type) {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.isUnion()) return this.#union(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    const { intrinsicName } = /** @type {{intrinsicName?: string}} */ (type);
    if (intrinsicName === 'true' || intrinsicName === 'false') {
      return { const: intrinsicName === 'true' };
    }
    const primitive = PRIMITIVES.find(([flag]) => type.flags & flag);
    if (primitive) return { type: primitive[1] };
    if (this.checker.isArrayType(type)) {
      const [of] = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      return { type: 'array', items: this.#schema(of) };
    }
    return type.isClassOrInterface() ? this.#reference(type) : this.objectSchema(type);
  }

  /** @param {ts.Type[]} types */
  #union(types) {
    const known = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const [objects, others] = [true, false].map((is) =>
      known.filter((each) => (each.getProperty('kind') !== undefined) === is),
    );
    const name = this.#nameOfReason(objects);
    if (name === null) return this.#anyOf(known.map((each) => this.#schema(each)));
    if (!(name in this.definitions)) {
      this.definitions[name] = {};
      this.definitions[name] = this.#anyOf(objects.map((each) => this.#schema(each)));
    }
    const reference = { $ref: `#/definitions/${name}` };
    return this.#anyOf([reference, ...others.map((each) => this.#schema(each))]);
  }

  /** A union has no name of its own where it is optional. @param {ts.Type[]} types */
  #nameOfReason([first]) {
    if (first === undefined || this.#kindOf(first) !== 'exit') return null;
    return first.getProperty('final') ? 'Reason' : 'Fact';
  }

  /** @param {ts.Type} type */
  #kindOf(type) {
    const kind = /** @type {ts.Symbol} */ (type.getProperty('kind'));
    const of = this.checker.getTypeOfSymbol(kind);
    return of.isStringLiteral() ? of.value : null;
  }

  /** @param {Schema[]} schemas */
  #anyOf(schemas) {
    if (schemas.length === 1) return schemas[0];
    const values = schemas.filter((each) => 'const' in each).map((each) => each.const);
    const isBoolean = values.includes(true) && values.includes(false);
    const texts = values.filter((value) => typeof value !== 'boolean');
    const others = [
      ...schemas.filter((each) => !('const' in each)),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...(texts.length > 0 ? [{ enum: texts }] : []),
    ];
    return others.length === 1 ? others[0] : { anyOf: others };
  }

  /** @param {ts.Type} type an interface */
  #reference(type) {
    const { name } = type.symbol;
    const publicName = PUBLIC_NAMES[name] ?? name;
    if (!(publicName in this.definitions)) {
      this.definitions[publicName] = {}; // one that refers to itself ends here
      this.definitions[publicName] = {
        ...this.#described(type.symbol),
        ...this.objectSchema(type),
      };
    }
    return { $ref: `#/definitions/${publicName}` };
  }

  /** @param {ts.Type} type @returns {Schema} */
  objectSchema(type) {
    const members = this.checker
      .getPropertiesOfType(type)
      .filter((each) => !each.getJsDocTags().some(({ name }) => name === 'internal'));
    const index = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    // `Known<unknown>`, such as the value of a setting, can be anything.
    if (members.length === 0 && !index) return {};
    const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
    return {
      type: 'object',
      properties: Object.fromEntries(
        members.map((each) => [
          each.name,
          { ...this.#described(each), ...this.#schema(this.checker.getTypeOfSymbol(each)) },
        ]),
      ),
      ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
      ...(index ? { additionalProperties: this.#schema(index) } : {}),
    };
  }

  /** @param {ts.Symbol} symbol */
  #described(symbol) {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.checker));
    return text === '' ? {} : { description: text.replace(/\s+/g, ' ') };
  }
}
