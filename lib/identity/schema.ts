import { MAX_NEXT_PATH_LENGTH, PASSWORD_LENGTH } from './limits';

// Must not import zod, so that pages that use this file stay small. Views of the API are in schema-views.ts.

/** Replaces our origin while a path is checked. RFC 2606 reserves the name. */
const PLACEHOLDER_ORIGIN = 'https://parley.invalid';

/** Kinds of notification emails. */
export const NOTIFICATION_KINDS = [
  'orders',
  'spending',
  'tasks',
  'agent_health',
  'reviews',
  'searches',
  'moderation',
  'security',
] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A third-party sign-in provider. */
export interface SignInProvider {
  id: string;
  name: string;
}

/** Reasons why a sign-in with a provider failed; `?error=` of the sign-in page. */
export type ProviderProblem =
  | 'account_exists'
  | 'email_missing'
  | 'email_unverified'
  | 'suspended'
  | 'provider_unreachable'
  | 'provider_failed';

/**
 * Returns the redirect target after sign-in: a path on our origin, or `/` for all other values (RFC 9700 §4.11). The
 * result is normalized ASCII and safe in a `Location` header.
 */
export function safeNext(path: unknown): string {
  if (
    typeof path !== 'string' ||
    path.length > MAX_NEXT_PATH_LENGTH ||
    !isOwnPath(path) ||
    !URL.canParse(path, PLACEHOLDER_ORIGIN)
  ) {
    return '/';
  }
  const url = new URL(path, PLACEHOLDER_ORIGIN);
  const target = `${url.pathname}${url.search}${url.hash}`;
  if (encodeURIComponent(target).length > MAX_NEXT_PATH_LENGTH) return '/';
  // Dot segments can collapse into a second slash: "/.//host" becomes "//host".
  return url.origin === PLACEHOLDER_ORIGIN && isOwnPath(target) ? target : '/';
}

function isOwnPath(text: string): boolean {
  if (!startsWithOneSlash(text) || text.includes('\\') || hasControl(text)) return false;
  const path = decode(text.split(/[?#]/, 1)[0] ?? '');
  return path !== null && startsWithOneSlash(path) && !hasControl(path.replaceAll(' ', ''));
}

function startsWithOneSlash(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//') && !text.startsWith('/\\');
}

/** Percent-decodes a path once, as a proxy might do; null if malformed. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Returns true for text with white space or a control character (C0, DEL, C1), which browsers drop from URLs. */
function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

/** Returns the URL of a page with `next` as a parameter, which is omitted if it is the home page. */
export function withNext(page: string, next: string, params: Record<string, string> = {}): string {
  const query = new URLSearchParams(params);
  if (next !== '/') query.set('next', next);
  return query.size > 0 ? `${page}?${query}` : page;
}

/** Returns the error of a new password as a sentence, or null. */
export function passwordError(password: string, email: string): string | null {
  const length = [...password].length;
  const { min, max } = PASSWORD_LENGTH;
  if (length < min) return `Use at least ${min} characters; this has ${length}.`;
  if (length > max) return `Use at most ${max} characters; this has ${length}.`;
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    return 'Your password must not be your email. Choose something else.';
  }
  return null;
}
