/** src/features/alarms/event-names.js, made from the types of events. */
import ts from 'typescript';
import { declarationOf, literalsOf } from './declarations.js';

/** What a program sends, which could deliver it itself, and what is about no app. */
const LEFT_OUT = ['worker.event', 'missed'];

/** @returns {string} a module, to be formatted */
export function eventNamesModule() {
  const { type } = /** @type {ts.TypeAliasDeclaration} */ (declarationOf('Event'));
  const all = namesIn(type).filter((name) => !LEFT_OUT.includes(name));
  const names = [...new Set(all)].map((name) => `'${name}'`);
  return `/* Generated from types by \`npm run generate\`. */
/** The types of the events that an alarm can name. */
export const eventNames = Object.freeze([${names.join(', ')}]);
`;
}

/** @param {ts.TypeNode} type of an event, or a part of one @returns {string[]} */
function namesIn(type) {
  if (ts.isParenthesizedTypeNode(type)) return namesIn(type.type);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
    return type.types.flatMap(namesIn);
  if (ts.isTypeReferenceNode(type) && !type.typeArguments) {
    const declared = declarationOf(type.typeName.getText());
    return ts.isTypeAliasDeclaration(declared) ? namesIn(declared.type) : [];
  }
  if (!ts.isTypeLiteralNode(type)) return [];
  const member = type.members
    .filter(ts.isPropertySignature)
    .find(({ name }) => name.getText() === 'type');
  return member?.type ? writtenOut(member.type) : [];
}

/** @param {ts.TypeNode} type of strings @returns {string[]} */
function writtenOut(type) {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(writtenOut);
  if (!ts.isTemplateLiteralTypeNode(type)) return literalsOf(type);
  const [{ type: first, literal }] = type.templateSpans;
  const { type: of } = /** @type {ts.TypeAliasDeclaration} */ (declarationOf(first.getText()));
  return literalsOf(of).map((each) => `${type.head.text}${each}${literal.text}`);
}
