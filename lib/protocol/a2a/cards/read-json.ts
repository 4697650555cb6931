import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonValue } from '../../json';
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from '../../limits';
import {
  type CardDiagnostic,
  createDiagnosticCollector,
  type DiagnosticCollector,
  type DiagnosticText,
  quote,
} from './diagnostics';

/** Decodes bytes to text, or returns a diagnostic at the first byte that is not UTF-8. Keeps a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { fault: CardDiagnostic } {
  const text = decode(bytes, false);
  if (text !== null) return { text };
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decode(bytes.subarray(0, middle), true) === null) bad = middle;
    else good = middle;
  }
  const before = decode(bytes.subarray(0, good), true) ?? '';
  const fault = createDiagnosticCollector(before).build(
    { offset: before.length, pointer: '', rule: 'text.utf8' },
    {
      found: `the byte 0x${(bytes[good] ?? 0).toString(16).padStart(2, '0')}`,
      expected: 'UTF-8',
      fix: 'Save the card as UTF-8 (RFC 8259 §8.1).',
    },
  );
  return { fault };
}

// With `partial`, a truncated character at the end is valid.
function decode(bytes: Uint8Array, partial: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: partial });
  } catch {
    return null;
  }
}

/** SyntaxKind.EOF; the package declares const enums, which isolated modules cannot read. */
const endOfText = 17;

/**
 * Parses strict JSON with source positions: no comments, trailing commas, duplicate members or `__proto__`, no numbers
 * or characters that cannot be stored, and within the limits of depth and members. Returns null if an error was added.
 */
export function readJson(text: string, diagnostics: DiagnosticCollector): Node | null {
  if (!isWithinLimits(text, diagnostics)) return null;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const error = errors[0];
  if (error || !root) {
    const offset = Math.min(error?.offset ?? 0, text.length);
    diagnostics.add('error', { offset, pointer: '', rule: 'json.syntax' }, syntaxDetails(text, error));
    return null;
  }
  const before = diagnostics.faults.length;
  checkStrictly(text, diagnostics);
  checkValues(root, diagnostics);
  return diagnostics.faults.length === before ? root : null;
}

/** Returns the JSON value of a node that {@link readJson} returned. */
export function jsonOf(node: Node): JsonValue {
  // The parser's objects have no prototype, which Prisma cannot store; the clone's objects have one.
  return structuredClone(getNodeValue(node)) as JsonValue;
}

// Checked before parsing and without recursion, because the parser is recursive.
function isWithinLimits(text: string, diagnostics: DiagnosticCollector): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  let members = 0;
  while (scanner.scan() !== endOfText) {
    const offset = scanner.getTokenOffset();
    const first = text[offset];
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    if (first === ',' || first === '{' || first === '[') members++;
    if (depth > MAX_JSON_DEPTH) {
      const details = {
        found: `${depth} levels`,
        expected: `at most ${MAX_JSON_DEPTH} levels`,
        fix: 'Reduce the nesting of the card.',
      };
      diagnostics.add('error', { offset, pointer: '', rule: 'json.depth' }, details);
      return false;
    }
    if (members > MAX_JSON_MEMBERS) {
      const details = {
        found: `more than ${MAX_JSON_MEMBERS} members and elements`,
        expected: `at most ${MAX_JSON_MEMBERS}`,
        fix: 'Remove members that callers do not need.',
      };
      diagnostics.add('error', { offset, pointer: '', rule: 'json.members' }, details);
      return false;
    }
  }
  return true;
}

const syntax: Record<string, { expected: string; fix: string }> = {
  InvalidSymbol: {
    expected: 'a string in double quotes, a number, true, false, null, an object or an array',
    fix: 'Put strings and member names in double quotes.',
  },
  InvalidNumberFormat: { expected: 'a number such as 1 or 0.5', fix: 'Write the number as in JSON.' },
  PropertyNameExpected: {
    expected: 'a member name in double quotes',
    fix: 'Remove the comma before this place, or add the member that should follow.',
  },
  ValueExpected: { expected: 'a value', fix: 'Add the value, or remove the comma or colon before this place.' },
  ColonExpected: { expected: 'a colon', fix: 'Put a colon between the member name and its value.' },
  CommaExpected: { expected: 'a comma', fix: 'Put a comma between two members or elements.' },
  CloseBraceExpected: { expected: 'a closing brace', fix: 'Close the object with }.' },
  CloseBracketExpected: { expected: 'a closing bracket', fix: 'Close the array with ].' },
  EndOfFileExpected: { expected: 'nothing after the card', fix: 'Remove what follows the card.' },
  InvalidCommentToken: { expected: 'JSON without comments', fix: 'Remove the comment.' },
  UnexpectedEndOfComment: { expected: 'JSON without comments', fix: 'Remove the comment.' },
  UnexpectedEndOfString: { expected: 'a closing double quote', fix: 'Close the string on the line where it starts.' },
  UnexpectedEndOfNumber: { expected: 'a digit', fix: 'Complete the number.' },
  InvalidUnicode: { expected: 'four hexadecimal digits after \\u', fix: 'Complete the escape.' },
  InvalidEscapeCharacter: { expected: 'a valid JSON escape', fix: 'Write a backslash as \\\\.' },
  InvalidCharacter: { expected: 'no control characters in strings', fix: 'Write line breaks as \\n and tabs as \\t.' },
};

function syntaxDetails(text: string, error: ParseError | undefined): DiagnosticText {
  if (text.trim() === '') {
    return { found: 'an empty response', expected: 'a card in JSON', fix: 'Serve the card at this URL.' };
  }
  if (/^\s*</.test(text)) {
    return { found: 'an HTML or XML page', expected: 'a card in JSON', fix: 'Serve the card itself at this URL.' };
  }
  const offset = error?.offset ?? 0;
  const rest = text.slice(offset, offset + Math.max(1, Math.min(error?.length ?? 1, 40)));
  const details = syntax[error ? printParseErrorCode(error.error) : ''] ?? {
    expected: 'JSON',
    fix: 'Check the syntax here.',
  };
  return { found: rest === '' ? 'the end of the card' : quote(rest), ...details };
}

/**
 * Rejects text that the tolerant parser accepts and `JSON.parse` does not, such as a no-break space between members.
 */
function checkStrictly(text: string, diagnostics: DiagnosticCollector): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
    const found = quote(text.slice(offset, offset + 1));
    const details = { found, expected: 'valid JSON (RFC 8259)', fix: 'Remove or replace this character.' };
    diagnostics.add('error', { offset, pointer: '', rule: 'json.syntax' }, details);
  }
}

function checkValues(root: Node, diagnostics: DiagnosticCollector): void {
  const stack: { node: Node; pointer: string }[] = [{ node: root, pointer: '' }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, pointer } = at;
    if (node.type === 'object') stack.push(...checkMembers(node, pointer, diagnostics));
    else if (node.type === 'array') {
      stack.push(...(node.children ?? []).map((child, index) => ({ node: child, pointer: `${pointer}/${index}` })));
    } else if (node.type === 'string') {
      checkCharacters(String(node.value), { offset: node.offset, pointer }, diagnostics);
    } else if (node.type === 'number' && !Number.isFinite(node.value)) {
      const details = {
        found: 'a number beyond 1.8e308',
        expected: 'a number that can be stored',
        fix: 'Use a smaller number.',
      };
      diagnostics.add('error', { offset: node.offset, pointer, rule: 'json.number' }, details);
    }
  }
}

function checkMembers(
  node: Node,
  pointer: string,
  diagnostics: DiagnosticCollector,
): { node: Node; pointer: string }[] {
  const seen = new Set<string>();
  const values: { node: Node; pointer: string }[] = [];
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    const location = { offset: key.offset, pointer: `${pointer}/${escapePointer(name)}` };
    if (seen.has(name)) {
      const details = {
        found: `a second member ${quote(name)}`,
        expected: 'each member once',
        fix: 'Remove one of them: parsers disagree on which one counts.',
      };
      diagnostics.add('error', { ...location, rule: 'json.duplicate-member' }, details);
    }
    if (name === '__proto__') {
      const details = { found: 'a member "__proto__"', expected: 'another name', fix: 'Rename or remove the member.' };
      diagnostics.add('error', { ...location, rule: 'json.forbidden-member' }, details);
    }
    checkCharacters(name, location, diagnostics);
    seen.add(name);
    values.push({ node: value, pointer: location.pointer });
  }
  return values;
}

function checkCharacters(
  text: string,
  at: { offset: number; pointer: string },
  diagnostics: DiagnosticCollector,
): void {
  if (!text.includes('\0') && !/\p{Surrogate}/u.test(text)) return;
  const details = {
    found: text.includes('\0') ? 'the character U+0000' : 'half of a surrogate pair',
    expected: 'text that can be kept as UTF-8',
    fix: 'Remove the character.',
  };
  diagnostics.add('error', { ...at, rule: 'json.character' }, details);
}

/** Returns a member name as a segment of a JSON pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}
