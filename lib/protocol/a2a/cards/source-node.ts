import type { Node } from 'jsonc-parser';
import { cleanLine, cleanText } from './clean-text';
import { type CardRule, type DiagnosticCollector, type DiagnosticText, quote } from './diagnostics';
import { escapePointer } from './read-json';

/** A value of the card, its location, and the collector of its diagnostics. */
export interface SourceNode {
  node: Node;
  pointer: string;
  diagnostics: DiagnosticCollector;
}

/**
 * `required`: a card without the member cannot be listed; `advised`: its absence is a warning; `optional`: may be
 * absent.
 */
export type Need = 'required' | 'advised' | 'optional';

interface TypeRule {
  type: NodeType;
  need: Need;
  example: string;
}

type NodeType = 'object' | 'array' | 'string' | 'number' | 'boolean';

const typeNames: Record<NodeType, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

/** Adds an error: the agent cannot be called, or has no name. */
export function addError(source: SourceNode, rule: CardRule, details: DiagnosticText): void {
  source.diagnostics.add('error', { offset: source.node.offset, pointer: source.pointer, rule }, details);
}

/** Adds a warning: the card violates the specification but can be listed. */
export function addWarning(source: SourceNode, rule: CardRule, details: DiagnosticText): void {
  source.diagnostics.add('warning', { offset: source.node.offset, pointer: source.pointer, rule }, details);
}

/** Returns the value as written, truncated, with invisible characters escaped. */
export function describeNode(node: Node): string {
  if (node.type === 'string') return node.value === '' ? 'an empty string' : quote(String(node.value));
  if (node.type === 'null') return 'null';
  if (node.type === 'array') return node.children?.length ? 'an array' : 'an empty array';
  if (node.type === 'object') return 'an object';
  return `${String(node.value).slice(0, 40)}`;
}

/**
 * Returns the member's value; null if absent or `null`. Also reads the snake_case spelling, which ProtoJSON accepts and
 * Python models write, with a warning.
 */
export function member(parent: SourceNode, name: string): SourceNode | null {
  const exact = memberNamed(parent, name);
  if (exact || !/[A-Z]/.test(name)) return exact;
  const spelling = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const found = memberNamed(parent, spelling);
  if (found) {
    addWarning(found, 'member.spelling', {
      found: quote(spelling),
      expected: quote(name),
      fix: `Rename the member to "${name}". Parley reads it as "${name}".`,
    });
  }
  return found;
}

function memberNamed(parent: SourceNode, name: string): SourceNode | null {
  for (const property of parent.node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key?.value !== name || !value || value.type === 'null') continue;
    return { ...parent, node: value, pointer: childPointer(parent, name) };
  }
  return null;
}

/** Returns the names of an object's members, in order. */
export function memberNames(parent: SourceNode): string[] {
  return (parent.node.children ?? []).flatMap((property) => {
    const name = property.children?.[0]?.value;
    return typeof name === 'string' ? [name] : [];
  });
}

function childPointer(parent: SourceNode, name: string | number): string {
  return `${parent.pointer}/${escapePointer(String(name))}`;
}

/**
 * Returns the member if it has the type; otherwise null, with an error for `required` members and a warning for others,
 * except for an absent `optional` member.
 */
export function typedMember(parent: SourceNode, name: string, { type, need, example }: TypeRule): SourceNode | null {
  const found = member(parent, name);
  if (!found) {
    if (need !== 'optional') reportMissing(parent, name, { type, need, example });
    return null;
  }
  if (found.node.type === type) return found;
  reportType(found, name, { type, need, example });
  return null;
}

function reportType(found: SourceNode, name: string, { type, need, example }: TypeRule): void {
  const report = need === 'required' ? addError : addWarning;
  report(found, 'member.type', {
    found: describeNode(found.node),
    expected: typeNames[type],
    fix: `Write "${name}" as ${typeNames[type]}, such as ${example}.`,
  });
}

function reportMissing(parent: SourceNode, name: string, missing: TypeRule): void {
  const report = missing.need === 'required' ? addError : addWarning;
  report({ ...parent, pointer: childPointer(parent, name) }, 'member.required', {
    found: 'nothing',
    expected: typeNames[missing.type],
    fix: `Add "${name}", such as ${missing.example}.`,
  });
}

export interface TextRule {
  need: Need;
  /** Maximum characters that are displayed and searched. Longer texts are stored in full, with a warning. */
  max: number;
  example: string;
  /** True if line breaks are kept. */
  lines?: boolean;
}

/** Returns a text without invisible characters; numbers are converted. Empty if absent or of another type. */
export function textMember(parent: SourceNode, name: string, rule: TextRule): string {
  const written = member(parent, name);
  if (written && isScalar(written)) {
    reportType(written, name, { type: 'string', need: 'advised', example: rule.example });
    return readText(written, name, rule);
  }
  const found = typedMember(parent, name, { type: 'string', need: rule.need, example: rule.example });
  return found ? readText(found, name, rule) : '';
}

function isScalar({ node }: SourceNode): boolean {
  return node.type === 'number' || node.type === 'boolean';
}

function readText(source: SourceNode, name: string, rule: Omit<TextRule, 'example'>): string {
  const written = String(source.node.value);
  const text = rule.lines ? cleanText(written) : cleanLine(written);
  if (withoutSpace(text) !== withoutSpace(written)) {
    addWarning(source, 'text.hidden-characters', {
      found: quote(written),
      expected: 'text without control, direction and zero-width characters',
      fix: 'Remove these characters. Parley shows the text without them.',
    });
  }
  if (text === '' && rule.need !== 'optional') {
    const report = rule.need === 'required' ? addError : addWarning;
    const details = {
      found: describeNode(source.node),
      expected: 'a non-empty string',
      fix: `Fill in "${name}".`,
    };
    report(source, 'member.empty', details);
  }
  if (text.length > rule.max) {
    addWarning(source, 'member.too-long', {
      found: `${text.length} characters`,
      expected: `at most ${rule.max} characters`,
      fix: `Shorten "${name}". Parley stores all of it, but displays and searches only its beginning.`,
    });
  }
  return text;
}

function withoutSpace(text: string): string {
  return text.replace(/[^\S\ufeff\u2028\u2029]/g, '');
}

interface ListRule {
  need: Need;
  max: number;
  example: string;
}

/** Returns a boolean, also written as `"true"` or `"yes"`; false if absent or of another type. */
export function booleanMember(parent: SourceNode, name: string): boolean {
  const found = typedMember(parent, name, { type: 'boolean', need: 'optional', example: 'true' });
  if (found) return found.node.value === true;
  return /^(true|yes|on|1)$/i.test(String(member(parent, name)?.node.value ?? ''));
}

/**
 * Returns the elements of a list; none when absent or of another type. If there are more than `max` elements, all of
 * them are read, with a warning.
 */
export function listMember(parent: SourceNode, name: string, rule: ListRule): SourceNode[] {
  const list = typedMember(parent, name, { type: 'array', need: rule.need, example: rule.example });
  const elements = list?.node.children ?? [];
  if (list && elements.length > rule.max) {
    addWarning(list, 'member.too-many', {
      found: `${elements.length} elements`,
      expected: `at most ${rule.max}`,
      fix: `Shorten "${name}". Few people look at that many.`,
    });
  }
  return elements.map((node, index) => ({
    diagnostics: parent.diagnostics,
    node,
    pointer: `${list?.pointer}/${index}`,
  }));
}

/**
 * Returns the texts of a list, or a single text in place of a list, without invisible characters, empty texts and
 * duplicates.
 */
export function textListMember(
  parent: SourceNode,
  name: string,
  rule: { need: Need; max: number; maxLength: number; example: string },
): string[] {
  const texts = new Set<string>();
  for (const element of elementsOrOne(parent, name, rule)) {
    if (element.node.type !== 'string') {
      addWarning(element, 'member.type', {
        found: describeNode(element.node),
        expected: 'a string',
        fix: `Write "${name}" as an array of strings.`,
      });
    }
    if (element.node.type !== 'string' && !isScalar(element)) continue;
    const text = readText(element, name, { need: 'advised', max: rule.maxLength });
    if (text !== '') texts.add(text);
  }
  return [...texts];
}

/** Returns the elements of a list, or a text written in place of a list with one element. */
export function elementsOrOne(parent: SourceNode, name: string, rule: ListRule): SourceNode[] {
  const written = member(parent, name);
  const elements = listMember(parent, name, rule);
  return written?.node.type === 'string' && written.node.value !== '' ? [written] : elements;
}

/** Returns true for objects; otherwise adds a warning. */
export function isObjectNode(source: SourceNode, what: string): boolean {
  if (source.node.type === 'object') return true;
  addWarning(source, 'member.type', {
    found: describeNode(source.node),
    expected: 'an object',
    fix: `Write ${what} as an object.`,
  });
  return false;
}
