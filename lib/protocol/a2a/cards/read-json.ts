import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonValue } from '../../json';
import { type DiagnosticCollector, type DiagnosticText, quote } from './diagnostics';

const maxDepth = 64;
const maxMembers = 10_000;

/** SyntaxKind.EOF; the package declares its enumerations in a way that isolated modules cannot read. */
const endOfText = 17;

/**
 * Reads JSON text strictly, with the place of every value: no comments, no trailing commas, no duplicate members, no
 * `__proto__`, no numbers or characters that cannot be kept, depth ≤ 64, at most 10,000 members and elements (LIM-5,
 * LIM-6). Answers null when the sink got a fault.
 */
export function readJson(text: string, diagnostics: DiagnosticCollector): Node | null {
  if (!isWithinLimits(text, diagnostics)) return null;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const error = errors[0];
  if (error || !root) {
    const offset = Math.min(error?.offset ?? 0, text.length);
    diagnostics.add('fault', { offset, pointer: '', rule: 'json.syntax' }, syntaxWords(text, error));
    return null;
  }
  const before = diagnostics.faults.length;
  checkStrictly(text, diagnostics);
  checkValues(root, diagnostics);
  return diagnostics.faults.length === before ? root : null;
}

/** The JSON value of a node that {@link readJson} returned. */
export function jsonOf(node: Node): JsonValue {
  // The parser makes objects without a prototype, which Prisma cannot store; a clone has one.
  return structuredClone(getNodeValue(node)) as JsonValue;
}

// The parser below recurses: depth is counted first, without recursion.
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
    if (depth > maxDepth) {
      const words = {
        found: `${depth} levels`,
        expected: `at most ${maxDepth} levels`,
        fix: 'Nest the card less deeply.',
      };
      diagnostics.add('fault', { offset, pointer: '', rule: 'json.depth' }, words);
      return false;
    }
    if (members > maxMembers) {
      const words = {
        found: `more than ${maxMembers} members and elements`,
        expected: `at most ${maxMembers}`,
        fix: 'Leave out what callers do not need.',
      };
      diagnostics.add('fault', { offset, pointer: '', rule: 'json.members' }, words);
      return false;
    }
  }
  return true;
}

const syntax: Record<string, { expected: string; fix: string }> = {
  InvalidSymbol: {
    expected: 'a text in double quotes, a number, true, false, null, an object or a list',
    fix: 'Put texts and member names in double quotes.',
  },
  InvalidNumberFormat: { expected: 'a number such as 1 or 0.5', fix: 'Write the number as JSON does.' },
  PropertyNameExpected: {
    expected: 'a member name in double quotes',
    fix: 'Remove the comma before this place, or add the member that should follow.',
  },
  ValueExpected: { expected: 'a value', fix: 'Add the value, or remove the comma or colon before this place.' },
  ColonExpected: { expected: 'a colon', fix: 'Put a colon between the member name and its value.' },
  CommaExpected: { expected: 'a comma', fix: 'Put a comma between two members or elements.' },
  CloseBraceExpected: { expected: 'a closing brace', fix: 'Close the object with }.' },
  CloseBracketExpected: { expected: 'a closing bracket', fix: 'Close the list with ].' },
  EndOfFileExpected: { expected: 'nothing after the card', fix: 'Remove what follows the card.' },
  InvalidCommentToken: { expected: 'JSON without comments', fix: 'Remove the comment.' },
  UnexpectedEndOfComment: { expected: 'JSON without comments', fix: 'Remove the comment.' },
  UnexpectedEndOfString: { expected: 'a closing double quote', fix: 'Close the text on the line where it begins.' },
  UnexpectedEndOfNumber: { expected: 'a digit', fix: 'Complete the number.' },
  InvalidUnicode: { expected: 'four hexadecimal digits after \\u', fix: 'Complete the escape.' },
  InvalidEscapeCharacter: { expected: 'an escape that JSON knows', fix: 'Write a backslash as \\\\.' },
  InvalidCharacter: { expected: 'no control characters in texts', fix: 'Write line breaks as \\n and tabs as \\t.' },
};

function syntaxWords(text: string, error: ParseError | undefined): DiagnosticText {
  if (text.trim() === '') {
    return { found: 'an empty answer', expected: 'a card in JSON', fix: 'Serve the card at this address.' };
  }
  if (/^\s*</.test(text)) {
    return { found: 'an HTML or XML page', expected: 'a card in JSON', fix: 'Serve the card itself at this address.' };
  }
  const offset = error?.offset ?? 0;
  const rest = text.slice(offset, offset + Math.max(1, Math.min(error?.length ?? 1, 40)));
  const words = syntax[error ? printParseErrorCode(error.error) : ''] ?? {
    expected: 'JSON',
    fix: 'Check the syntax here.',
  };
  return { found: rest === '' ? 'the end of the text' : quote(rest), ...words };
}

/** What the tolerant parser lets pass and `JSON.parse` does not, such as a no-break space between members. */
function checkStrictly(text: string, diagnostics: DiagnosticCollector): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
    const found = quote(text.slice(offset, offset + 1));
    const words = { found, expected: 'JSON as RFC 8259 has it', fix: 'Remove or replace this character.' };
    diagnostics.add('fault', { offset, pointer: '', rule: 'json.syntax' }, words);
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
      const words = {
        found: 'a number beyond 1.8e308',
        expected: 'a number that can be kept',
        fix: 'Use a smaller number.',
      };
      diagnostics.add('fault', { offset: node.offset, pointer, rule: 'json.number' }, words);
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
      const words = {
        found: `a second member ${quote(name)}`,
        expected: 'each member once',
        fix: 'Remove one of them: readers disagree on which one counts.',
      };
      diagnostics.add('fault', { ...location, rule: 'json.duplicate-member' }, words);
    }
    if (name === '__proto__') {
      const words = { found: 'a member "__proto__"', expected: 'another name', fix: 'Rename or remove the member.' };
      diagnostics.add('fault', { ...location, rule: 'json.forbidden-member' }, words);
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
  const words = {
    found: text.includes('\0') ? 'the character U+0000' : 'half of a surrogate pair',
    expected: 'text that can be kept as UTF-8',
    fix: 'Remove the character.',
  };
  diagnostics.add('fault', { ...at, rule: 'json.character' }, words);
}

/** A member name as a step of a JSON pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}
