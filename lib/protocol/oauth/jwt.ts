/** Longest token that is read at all; ours have about 900 characters. */
const maxLength = 4_096;

/** A JWT in compact form (RFC 7519, RFC 7515 §3.1), taken apart. Nothing in it is verified yet. */
export interface ParsedJwt {
  header: unknown;
  claims: unknown;
  /** The text that the signature covers. */
  signed: string;
  signature: Buffer;
}

/**
 * Takes a JWT apart, or answers null. Only the one spelling that {@link writeJwt} would give is read, so two texts are
 * never the same token: padding, other trailing bits, white space, escapes, duplicate members and numbers such as 1e999
 * are refused at once, because they do not survive being read and written again.
 */
export function readJwt(token: string): ParsedJwt | null {
  if (token.length > maxLength) return null;
  const [header, claims, signature, ...rest] = token.split('.');
  if (!header || !claims || !signature || rest.length > 0) return null;
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return null;
  const readHeader = readSegment(header);
  const readClaims = readSegment(claims);
  if (readHeader === undefined || readClaims === undefined) return null;
  return { header: readHeader, claims: readClaims, signed: `${header}.${claims}`, signature: bytes };
}

/** The signing input of a JWT: what its signature covers (RFC 7515 §5.1). */
export function writeJwt(header: object, claims: object): string {
  return `${writeSegment(header)}.${writeSegment(claims)}`;
}

function writeSegment(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function readSegment(segment: string): unknown {
  const value = parse(Buffer.from(segment, 'base64url').toString());
  return value !== undefined && writeSegment(value) === segment ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is one of the many ways of not being a token; the caller answers all of them alike.
    return undefined;
  }
}
