/** Reads declarations of types: their members and the tags of their comments. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {ts.InterfaceDeclaration | ts.TypeAliasDeclaration} Declaration
 *
 * @typedef {Record<string, string>} Tags their values by name
 *
 * @typedef {object} Member of an object
 * @property {ts.TypeNode} type
 * @property {boolean} isOptional
 * @property {Tags} tags
 *
 * @typedef {Map<string, Member>} Members by key
 *
 * @typedef {Map<string, ts.TypeNode>} Arguments of a generic type, by parameter
 */

const FILES = [
  'src/protocol/methods.d.ts',
  'src/daemon/apps/desired.d.ts',
  'src/shared/processes/records.d.ts',
];

const all = new Map(readDeclarations(...FILES).map((each) => [each.name.text, each]));

/**
 * @param {...string} paths of `.d.ts` files in the repository
 * @returns {Declaration[]} of these and of those that they import
 */
export function readDeclarations(...paths) {
  const read = new Set(paths);
  /** @type {Declaration[]} */
  const found = [];
  for (const path of read) {
    const text = readFileSync(urlOf(path), 'utf8');
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    for (const each of statements) {
      if (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) found.push(each);
      if (ts.isImportDeclaration(each))
        declarationsIn(each, path).forEach((file) => read.add(file));
    }
  }
  return found;
}

/** @param {string} path */
function urlOf(path) {
  return new URL(`../${path}`, import.meta.url);
}

/** @param {ts.ImportDeclaration} statement @param {string} path of its file @returns {string[]} none: it is code */
function declarationsIn({ moduleSpecifier }, path) {
  const specifier = /** @type {ts.StringLiteral} */ (moduleSpecifier).text;
  const file = posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.d.ts'));
  return existsSync(urlOf(file)) ? [file] : [];
}

/** @param {string} name @returns {Declaration} */
export function declarationOf(name) {
  const found = all.get(name);
  if (!found) throw new Error(`no declaration of ${name}`);
  return found;
}

/** @param {ts.Node} node @returns {Tags} */
export function tagsOf(node) {
  const tags = ts
    .getJSDocTags(node)
    .map(({ tagName, comment }) => [tagName.text, ts.getTextOfJSDocComment(comment) ?? '']);
  return Object.fromEntries(tags);
}

/**
 * @param {ts.TypeNode} type of an object
 * @param {Arguments} [given] to the generic type that contains it
 * @returns {Members}
 */
export function membersOf(type, given = new Map()) {
  if (ts.isTypeLiteralNode(type)) return ownMembers(type, given);
  if (ts.isParenthesizedTypeNode(type)) return membersOf(type.type, given);
  if (ts.isIntersectionTypeNode(type)) {
    return new Map(type.types.flatMap((each) => [...membersOf(each, given)]));
  }
  if (!ts.isTypeReferenceNode(type)) throw new Error(`not an object: ${type.getText()}`);
  return namedMembers(type.typeName.getText(), type.typeArguments, given);
}

/**
 * @param {string} name of a type
 * @param {readonly ts.TypeNode[]} [parameters]
 * @param {Arguments} [given]
 * @returns {Members}
 */
function namedMembers(name, parameters = [], given = new Map()) {
  const [of, keys] = parameters;
  if (given.has(name)) return membersOf(/** @type {ts.TypeNode} */ (given.get(name)));
  switch (name) {
    case 'Partial': {
      const members = [...membersOf(of, given)];
      return new Map(members.map(([key, member]) => [key, { ...member, isOptional: true }]));
    }
    case 'Pick':
      return pick(membersOf(of, given), (key) => literalsOf(keys).includes(key));
    case 'Omit':
      return pick(membersOf(of, given), (key) => !literalsOf(keys).includes(key));
    default:
      return declaredMembers(declarationOf(name), parameters, given);
  }
}

/**
 * @param {Declaration} declared
 * @param {readonly ts.TypeNode[]} [parameters]
 * @param {Arguments} [given]
 * @returns {Members} with what it inherits; with the tag `checkedKeys` only these
 */
export function declaredMembers(declared, parameters = [], given = new Map()) {
  /** @type {Arguments} */
  const own = new Map();
  for (const [index, { name, default: usual }] of (declared.typeParameters ?? []).entries()) {
    const value = parameters[index] ?? usual;
    if (value) own.set(name.text, replaced(value, given));
  }
  const { checkedKeys } = tagsOf(declared);
  const members = ts.isInterfaceDeclaration(declared)
    ? new Map([...inheritedMembers(declared), ...ownMembers(declared, own)])
    : membersOf(declared.type, own);
  if (checkedKeys === undefined) return members;
  return pick(members, (key) => checkedKeys.split(' ').includes(key));
}

/** @param {ts.InterfaceDeclaration} declared @returns {[string, Member][]} */
function inheritedMembers({ heritageClauses = ts.factory.createNodeArray() }) {
  const parents = [...heritageClauses].flatMap(({ types }) => [...types]);
  return parents.flatMap(({ expression, typeArguments }) => [
    ...namedMembers(expression.getText(), typeArguments),
  ]);
}

/** @param {ts.TypeLiteralNode | ts.InterfaceDeclaration} node @param {Arguments} given @returns {Members} */
function ownMembers({ members }, given) {
  return new Map(
    members.filter(ts.isPropertySignature).map((member) => {
      const { name, type, questionToken } = member;
      if (!type || !('text' in name)) throw new Error(`no type: ${member.getText()}`);
      const isOptional = questionToken !== undefined;
      return [name.text, { type: replaced(type, given), isOptional, tags: tagsOf(member) }];
    }),
  );
}

/** @param {ts.TypeNode} type @param {Arguments} given @returns {ts.TypeNode} what a parameter stands for */
function replaced(type, given) {
  if (ts.isIntersectionTypeNode(type) && given.size > 0) {
    return ts.factory.createIntersectionTypeNode(type.types.map((each) => replaced(each, given)));
  }
  return given.get(type.getText()) ?? type;
}

/** @param {Members} members @param {(key: string) => boolean} isPicked @returns {Members} */
function pick(members, isPicked) {
  return new Map([...members].filter(([key]) => isPicked(key)));
}

/** @param {ts.TypeNode} type a literal, or a union of them @returns {string[]} */
function literalsOf(type) {
  const types = ts.isUnionTypeNode(type) ? type.types : [type];
  return types.map((each) => each.getText().replaceAll("'", ''));
}
