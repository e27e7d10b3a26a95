/**
 * Writes the checks of what comes from another process or from a file, from the types that declare it. What a type
 * cannot say is in tags: `@integer`, `@minimum`, `@maximum`, `@maxLength`, `@pattern`, `@minItems`, `@maxItems`, `@uniqueItems`,
 * `@maxJson`, and `@orNewer`: also a kind that is not listed.
 * Of a type with `@checkedKeys`, only these keys are checked.
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { declarationOf, declaredMembers, membersOf, tagsOf } from './declarations.js';

/** @import { Declaration, Member, Members, Tags } from './declarations.js' */

/** By module: what it exports. @type {Record<string, Record<string, (writer: Writer) => string>>} */
const EXPORTS = {
  'src/primary/checks.js': {
    primaryParams: (writer) => writer.methods('PrimaryMethods', 'params'),
  },
  'src/protocol/checks.js': {
    programFamily: (writer) => writer.type('ProgramFamily'),
  },
  'src/daemon/checks.js': {
    primaryResults: (writer) => writer.methods('PrimaryMethods', 'result'),
    primaryNotifications: (writer) => writer.notifications('PrimaryMethods'),
    daemonParams: (writer) => writer.methods('DaemonMethods', 'params'),
    desiredApp: (writer) => writer.type('DesiredApp'),
  },
  'src/config/checks.js': {
    valuesWithoutOption: (writer) => writer.type('ValuesWithoutOption'),
  },
  'src/shared/processes/checks.js': {
    primaryRecord: (writer) => writer.type('PrimaryRecord'),
    recordedWorker: (writer) => writer.type('RecordedWorker'),
  },
};

/** Stands for the check of a named type. */
const REFERENCE = /<(\w+)>/g;
/** Of a method without parameters. */
const NO_MEMBERS = 'object({  })';

/** By module: what makes its text, to be formatted. */
export const checkModules = Object.fromEntries(
  Object.keys(EXPORTS).map((path) => [path, () => textOf(path)]),
);

/** @param {string} path */
function textOf(path) {
  const writer = new Writer(path);
  const exports = Object.entries(EXPORTS[path]).map(
    ([name, write]) => `export const ${name} = ${write(writer)};`,
  );
  const statements = writer.statements(exports);
  const importOf = (/** @type {string} */ names, /** @type {string} */ module) => {
    const relative = posix.relative(posix.dirname(path), module);
    const from = relative.startsWith('.') ? relative : `./${relative}`;
    return `import { ${names} } from ${JSON.stringify(from)};`;
  };
  const borrowed = Object.entries(writer.borrowed).map(([name, module]) => importOf(name, module));
  return `/* Generated from types by \`npm run generate\`. */
/* eslint max-lines: off */
${[...borrowed, importOf([...writer.imports].sort().join(', '), 'src/shared/checks.js')].join('\n')}

${statements.join('\n\n')}
`;
}

class Writer {
  /** Of src/shared/checks.js. @type {Set<string>} */
  imports = new Set();
  /** What another module exports, by the name of the check. @type {Record<string, string>} */
  borrowed = {};
  /** The checks of named types, each after those that it uses, by the name of the constant. @type {Map<string, string>} */
  #named = new Map();
  #path;

  /** @param {string} path of the module */
  constructor(path) {
    this.#path = path;
  }

  /**
   * @param {string[]} exports
   * @returns {string[]} these, after the constants of the types that are used more than once
   */
  statements(exports) {
    const uses = [...this.#named.values(), ...exports].flatMap(
      (text) => text.match(REFERENCE) ?? [],
    );
    const isShared = (/** @type {string} */ name) =>
      uses.filter((use) => use === `<${name}>`).length > 1;
    /** @type {(text: string) => string} */
    const resolved = (text) =>
      text.replace(REFERENCE, (_, name) =>
        isShared(name) ? name : resolved(this.#named.get(name) ?? ''),
      );
    const constants = [...this.#named]
      .filter(([name]) => isShared(name))
      .map(([name, check]) => `const ${name} = ${check};`);
    const shorthand = (/** @type {string} */ text) => text.replace(/\b(\w+): \1(?= }|,)/g, '$1');
    return [...constants, ...exports].map((text) => shorthand(resolved(text)));
  }

  /**
   * @param {string} table @param {'params' | 'result'} part
   * @returns {string} an object with the check of each method that has something to check
   */
  methods(table, part) {
    const checks = Object.entries(partsOf(table, part))
      .map(([name, type]) => [name, this.#check(type)])
      .filter(([, check]) => check !== 'anything' && check !== NO_MEMBERS)
      .map(([name, check]) => `'${name}': ${check}`);
    return `/** @type {Record<string, ReturnType<typeof object> | undefined>} */ ({ ${checks.join(', ')} })`;
  }

  /** @param {string} table of methods @returns {string} an object with the check of each of their notifications */
  notifications(table) {
    const sent = Object.values(partsOf(table, 'notifications')).flatMap((type) => [
      ...membersOf(type),
    ]);
    const checks = [...new Map(sent)].map(([name, { type }]) => `${name}: ${this.#check(type)}`);
    return `{ ${checks.join(', ')} }`;
  }

  /** @param {string} name of an interface @returns {string} its check */
  type(name) {
    return this.#object(declaredMembers(declarationOf(name)));
  }

  /** @param {ts.TypeNode} type @param {Tags} [tags] @returns {string} its check */
  #check(type, tags = {}) {
    if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) {
      return this.#check(type.type, tags);
    }
    if (ts.isUnionTypeNode(type)) return this.#union(partsOfUnion(type), tags);
    if (ts.isLiteralTypeNode(type)) return this.#union([type], tags);
    if (ts.isArrayTypeNode(type)) {
      const of = this.#check(type.elementType);
      return this.#call('list', of, limits(tags, 'minItems', 'maxItems', 'uniqueItems'));
    }
    if (ts.isTupleTypeNode(type)) {
      return this.#call('tuple', ...type.elements.map((each) => this.#check(elementOf(each))));
    }
    if (ts.isIndexedAccessTypeNode(type)) {
      const key = type.indexType.getText().slice(1, -1);
      const member = /** @type {Member} */ (membersOf(type.objectType).get(key));
      return this.#check(member.type, member.tags);
    }
    if (ts.isTypeReferenceNode(type)) return this.#reference(type);
    return this.#keyword(type, tags) ?? this.#intersection(type) ?? this.#object(membersOf(type));
  }

  /** Of a union with members that all of it has. @param {ts.TypeNode} type */
  #intersection(type) {
    if (!ts.isIntersectionTypeNode(type) || !type.types.some(namesUnion)) return null;
    return this.#call('every', ...type.types.map((each) => this.#check(each)));
  }

  /** @param {ts.TypeNode} type @param {Tags} tags */
  #keyword({ kind }, tags) {
    switch (kind) {
      case ts.SyntaxKind.StringKeyword:
        return this.#limited('string', limits(tags, 'maxLength', 'pattern'));
      case ts.SyntaxKind.NumberKeyword:
        return this.#limited('number', limits(tags, 'integer', 'minimum', 'maximum'));
      case ts.SyntaxKind.BooleanKeyword:
        return this.#name('boolean');
      case ts.SyntaxKind.UnknownKeyword:
      case ts.SyntaxKind.VoidKeyword:
        return tags.maxJson ? this.#call('json', tags.maxJson) : this.#name('anything');
      default:
        return null;
    }
  }

  /** @param {string} keyword @param {string} limits */
  #limited(keyword, limits) {
    return limits === '' ? this.#name(keyword) : this.#call(`${keyword}Of`, limits);
  }

  /** @param {ts.TypeNode[]} types @param {Tags} tags */
  #union(types, tags) {
    const isLiteral = (/** @type {ts.TypeNode} */ each) => ts.isLiteralTypeNode(each);
    const isNull = (/** @type {ts.TypeNode} */ each) => each.getText() === 'null';
    const literals = types.filter((each) => isLiteral(each) && !isNull(each));
    const others = types.filter((each) => !isLiteral(each) && each.getText() !== 'undefined');
    const checks = others.map((each) => this.#check(each, tags));
    if (literals.length > 0)
      checks.push(this.#call('oneOf', ...literals.map((each) => each.getText())));
    // What is always null has nothing that is read.
    if (checks.length === 0) return this.#name('anything');
    const check = checks.length === 1 ? checks[0] : this.#call('either', ...checks);
    return types.some(isNull) ? this.#call('nullable', check) : check;
  }

  /** @param {ts.TypeReferenceNode} type */
  #reference(type) {
    const name = type.typeName.getText();
    const [key, value] = type.typeArguments ?? [];
    if (name === 'Record') return this.#call('map', this.#key(key), this.#check(value));
    if (key) return this.#object(membersOf(type));
    const constant = name[0].toLowerCase() + name.slice(1);
    const others = Object.keys(EXPORTS).filter((path) => path !== this.#path);
    const other = others.find((path) => constant in EXPORTS[path]);
    if (other) this.borrowed[constant] = other;
    if (other) return constant;
    if (!this.#named.has(constant)) this.#named.set(constant, this.#declared(declarationOf(name)));
    return `<${constant}>`;
  }

  /** @param {ts.TypeNode} type of a key, which is a string also if it is declared as a number */
  #key(type) {
    const isNumber = type.kind === ts.SyntaxKind.NumberKeyword;
    return isNumber ? this.#call('stringOf', String.raw`{ pattern: /^\d+$/ }`) : this.#check(type);
  }

  /** @param {Declaration} declared @returns {string} its check */
  #declared(declared) {
    const tags = tagsOf(declared);
    const isObject = ts.isInterfaceDeclaration(declared) || 'checkedKeys' in tags;
    if (isObject) return this.#object(declaredMembers(declared));
    const check = this.#check(declared.type, tags);
    return 'orNewer' in tags ? this.#call('orNewer', check) : check;
  }

  /** @param {Members} members */
  #object(members) {
    const checks = [...members].map(([key, member]) => `${key}: ${this.#member(member)}`);
    return this.#call('object', `{ ${checks.join(', ')} }`);
  }

  /** @param {Member} member */
  #member({ type, tags, isOptional }) {
    const check = this.#check(type, tags);
    // What can be anything can be missing too.
    return isOptional && check !== 'anything' ? this.#call('optional', check) : check;
  }

  /** @param {string} maker @param {...string} given */
  #call(maker, ...given) {
    return `${this.#name(maker)}(${given.filter(Boolean).join(', ')})`;
  }

  /** @param {string} name */
  #name(name) {
    this.imports.add(name);
    return name;
  }
}

/** @param {ts.TypeNode} type */
function namesUnion(type) {
  if (!ts.isTypeReferenceNode(type) || type.typeArguments) return false;
  const declared = declarationOf(type.typeName.getText());
  return ts.isTypeAliasDeclaration(declared) && ts.isUnionTypeNode(declared.type);
}

/** @param {ts.TypeNode} type @returns {ts.TypeNode[]} its members, also those of other names, if it is a union */
function partsOfUnion(type) {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(partsOfUnion);
  if (!ts.isTypeReferenceNode(type) || type.typeArguments) return [type];
  const declared = declarationOf(type.typeName.getText());
  const isPlain = ts.isTypeAliasDeclaration(declared) && !('orNewer' in tagsOf(declared));
  const parts = isPlain ? partsOfUnion(declared.type) : [];
  return parts.length > 1 ? parts : [type];
}

/** @param {string} table @param {string} part @returns {Record<string, ts.TypeNode>} by method */
function partsOf(table, part) {
  const methods = declaredMembers(declarationOf(table));
  const parts = [...methods].map(([name, { type }]) => [name, membersOf(type).get(part)?.type]);
  return Object.fromEntries(parts);
}

/** @param {ts.TypeNode} element of a tuple */
function elementOf(element) {
  return ts.isNamedTupleMember(element) ? element.type : element;
}

/** @param {Tags} tags @param {...string} names */
function limits(tags, ...names) {
  const values = names
    .filter((name) => name in tags)
    .map((name) => `${name}: ${name === 'pattern' ? `/${tags[name]}/` : tags[name] || true}`);
  return values.length > 0 ? `{ ${values.join(', ')} }` : '';
}
