export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object; members that are undefined are not written. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** UTF-16 units of the longest text that is read, levels of the deepest one. */
const LONGEST = 262_144;
const DEEPEST = 64;

/**
 * JSON that every reader reads alike, or undefined: no member twice, no `__proto__`, no number or character that cannot
 * be kept, at most 64 levels and 256 KiB (RFC 8725 §3.12, RFC 8785 §3.1). What is signed or hashed is read by this alone.
 */
export function readStrictJson(text: string): JsonValue | undefined {
  if (text.length > LONGEST) return undefined;
  const skeleton = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (depthOf(skeleton) > DEEPEST) return undefined;
  const value = parse(text);
  if (value === undefined) return undefined;
  // The parser keeps the last of two members of one name, so the text has more colons than the value has members.
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

/** Members of all objects in the value; null when something in it cannot be kept. */
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

/** False for half a surrogate pair and for U+0000, which PostgreSQL does not keep. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
