export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object; undefined members are not serialized. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** Maximum length in UTF-16 units, and maximum nesting depth. */
const MAX_LENGTH = 262_144;
const DEEPEST = 64;

/**
 * Parses JSON with a single interpretation, otherwise returns undefined: no duplicate members, no `__proto__`, no lossy
 * number or character, at most 64 levels and 256 KiB (RFC 8725 §3.12, RFC 8785 §3.1). The only parser for signed or
 * hashed content.
 */
export function readStrictJson(text: string): JsonValue | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const skeleton = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (depthOf(skeleton) > DEEPEST) return undefined;
  const value = parse(text);
  if (value === undefined) return undefined;
  // `JSON.parse` keeps the last of two members with the same name, so the text has more colons than the value has
  // members.
  const members = countMembers(value);
  return members === null || members !== skeleton.split(':').length - 1 ? undefined : value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depthOf(skeleton: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of skeleton.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the members of all objects in the value; null if it contains a disallowed value. */
function countMembers(root: JsonValue): number | null {
  const open: JsonValue[] = [root];
  let members = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' ? !isText(value) : typeof value === 'number' && !Number.isFinite(value)) return null;
    if (Array.isArray(value)) open.push(...value);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (name === '__proto__' || !isText(name)) return null;
        members += 1;
        open.push(member ?? null);
      }
    }
  }
  return members;
}

/** Returns false for a lone surrogate and for U+0000, which PostgreSQL cannot store. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
