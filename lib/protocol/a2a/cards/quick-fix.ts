import { findNodeAtLocation, type JSONPath, modify, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { cleanText } from './clean-text';
import type { CardDiagnostic } from './diagnostics';

/** One replacement in a card's text, in UTF-16 units. */
export interface TextEdit {
  offset: number;
  length: number;
  content: string;
}

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/**
 * Returns the edits that fix a diagnostic, derived from its rule and the rest of the card, for the user to review; null
 * if the user must decide.
 */
export function quickFix(text: string, diagnostic: CardDiagnostic): TextEdit[] | null {
  if (diagnostic.rule === 'json.syntax') return toStrictJson(text);
  if (diagnostic.rule === 'json.byte-order-mark') return [{ offset: 0, length: 1, content: '' }];
  const root = parseTree(text);
  if (!root) return null;
  const path = parsePointer(diagnostic.pointer);
  const value = valueFor(diagnostic, { root, path, node: findNodeAtLocation(root, path) });
  return value === noFix ? null : modify(text, path, value, formatting);
}

/** Marks a diagnostic for which no fix can be derived. */
const noFix = Symbol('keep');

interface FixContext {
  root: Node;
  path: JSONPath;
  node: Node | undefined;
}

/** Returns the fixed value at the diagnostic's location; `undefined` removes the member. */
function valueFor({ rule, pointer }: CardDiagnostic, found: FixContext): unknown {
  switch (rule) {
    case 'member.required':
      return missingValue(pointer, found);
    case 'member.type':
      return convertType(pointer, found.node);
    case 'interface.binding':
      return bindingOf(found.node?.value);
    case 'interface.version':
      return /^v?1(\.\d+)*$/.test(String(found.node?.value)) ? '1.0' : noFix;
    case 'mode.media-type':
      return mediaTypes[String(found.node?.value).trim().toLowerCase()] ?? noFix;
    case 'skill.duplicate-id':
      return renumberSkill(found);
    case 'version.missing':
      return '0.3.0';
    case 'security.undefined-scheme':
    case 'extension.duplicate':
      return undefined;
    case 'text.hidden-characters':
      return found.node?.type === 'string' ? cleanText(String(found.node.value)) : noFix;
    default:
      return noFix;
  }
}

/** Returns the card without trailing commas and comments, if the rest is valid. */
function toStrictJson(text: string): TextEdit[] | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  if (errors.length > 0 || typeof value !== 'object' || value === null) return null;
  return [{ offset: 0, length: text.length, content: `${JSON.stringify(value, null, 2)}\n` }];
}

function missingValue(pointer: string, { root, path }: FixContext): unknown {
  const last = String(path.at(-1));
  if (pointer === '/version') return '1.0.0';
  if (pointer === '/capabilities') return {};
  if (pointer === '/skills') return [{ id: 'main', name: 'Main', description: '', tags: ['general'], examples: [] }];
  if (pointer === '/defaultInputModes' || pointer === '/defaultOutputModes') return ['text/plain'];
  if (/^\/supportedInterfaces\/\d+\/protocolVersion$/.test(pointer)) return '1.0';
  if (/^\/supportedInterfaces\/\d+\/protocolBinding$/.test(pointer)) return 'JSONRPC';
  if (!/^\/skills\/\d+\/\w+$/.test(pointer)) return noFix;
  if (last === 'tags') return [];
  const sibling = (name: string): string => String(findNodeAtLocation(root, [...path.slice(0, -1), name])?.value ?? '');
  if (last === 'id') return slugOf(sibling('name')) || noFix;
  return last === 'name' ? sibling('id') || noFix : noFix;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

const listPointers = /^\/(defaultInputModes|defaultOutputModes|skills\/\d+\/(tags|examples|inputModes|outputModes))$/;

function convertType(pointer: string, node: Node | undefined): unknown {
  if (!node) return noFix;
  const { type, value } = node;
  if (pointer.startsWith('/capabilities/') && /^\/capabilities\/\w+$/.test(pointer) && type === 'string') {
    if (/^(yes|true|on|1)$/i.test(String(value))) return true;
    return /^(no|false|off|0|)$/i.test(String(value)) ? false : noFix;
  }
  if (pointer === '/capabilities') return {};
  if (listPointers.test(pointer)) return type === 'string' ? [value] : noFix;
  return type === 'number' || type === 'boolean' ? String(value) : noFix;
}

function bindingOf(value: unknown): unknown {
  const letters = String(value)
    .replace(/[^a-z]/gi, '')
    .toUpperCase();
  if (letters === 'JSONRPC') return 'JSONRPC';
  return letters === 'HTTPJSON' || letters === 'REST' ? 'HTTP+JSON' : noFix;
}

const mediaTypes: Record<string, string> = {
  text: 'text/plain',
  plain: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  file: 'application/octet-stream',
};

/** Returns the skill with the first free number appended to its id. */
function renumberSkill({ root, path, node }: FixContext): unknown {
  if (node?.type !== 'object') return noFix;
  const skills = findNodeAtLocation(root, path.slice(0, -1))?.children ?? [];
  const taken = new Set(skills.map((skill) => findNodeAtLocation(skill, ['id'])?.value));
  const skill = plainObject(node);
  const id = String(skill.id);
  for (let number = 2; ; number++) if (!taken.has(`${id}-${number}`)) return { ...skill, id: `${id}-${number}` };
}

function plainObject(node: Node): Record<string, unknown> {
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), plain(value)]] : [],
    ),
  );
}

function plain(node: Node): unknown {
  if (node.type === 'object') return plainObject(node);
  return node.type === 'array' ? (node.children ?? []).map(plain) : node.value;
}

/** Returns the segments of an RFC 6901 pointer; digits are array indexes. */
function parsePointer(pointer: string): JSONPath {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replace(/~1/g, '/').replace(/~0/g, '~')));
}
