/** Length of a password in characters. There are no rules of composition: length is what counts (NIST SP 800-63B §5.1.1). */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Longest name of a person, characters. */
export const MAX_NAME_LENGTH = 80;

/** Scheme and host that stand for our own while a path is checked; RFC 2606 promises that nobody has it. */
const placeholderOrigin = 'https://parley.invalid';
const maxPathLength = 2_000;

/** A signed-in browser as its owner sees it. Times are ISO 8601. */
export interface SessionView {
  id: string;
  /** The one that asks. */
  current: boolean;
  /** Browser and system in words, such as "Firefox on Windows". */
  device: string;
  address: string;
  signedInAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

/** A passkey as its owner sees it. Times are ISO 8601. */
export interface PasskeyView {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Who a credential belongs to; the wire object of `GET /api/auth/profile`. `scopes` is null for a session. */
export interface Profile {
  email: string;
  name: string;
  scopes: string[] | null;
}

/** Kinds of mail that a person gets because of something that happened. */
export const NOTIFICATION_KINDS = ['orders', 'tasks', 'agent_health', 'reviews', 'moderation', 'security'] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** One kind of mail and whether it comes; `fixed` kinds always do. */
export interface NotificationPreference {
  kind: NotificationKind;
  wanted: boolean;
  fixed: boolean;
}

/** A way to sign in at another party. */
export interface SignInProvider {
  id: string;
  name: string;
}

/** Why a sign-in at a provider came to nothing; travels as `?error=` of the sign-in page. */
export type ProviderProblem =
  | 'account_exists'
  | 'email_missing'
  | 'email_unverified'
  | 'suspended'
  | 'provider_unreachable'
  | 'provider_failed';

/**
 * Where to go after signing in: a path of our own, or `/` for everything else (RED-1, RFC 9700 §4.11). What comes back is
 * normalised, plain ASCII and fit for a `Location` header.
 */
export function safeNext(path: unknown): string {
  if (
    typeof path !== 'string' ||
    path.length > maxPathLength ||
    !isOwnPath(path) ||
    !URL.canParse(path, placeholderOrigin)
  )
    return '/';
  const url = new URL(path, placeholderOrigin);
  const target = `${url.pathname}${url.search}${url.hash}`;
  // Dot segments can fold into a second slash: "/.//host" becomes "//host".
  return url.origin === placeholderOrigin && isOwnPath(target) ? target : '/';
}

function isOwnPath(text: string): boolean {
  if (!startsWithOneSlash(text) || text.includes('\\') || hasControl(text)) return false;
  const path = decode(text.split(/[?#]/, 1)[0] ?? '');
  return path !== null && startsWithOneSlash(path) && !hasControl(path.replaceAll(' ', ''));
}

function startsWithOneSlash(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//') && !text.startsWith('/\\');
}

/** Decoded once, as a careless party on the way might do. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** True for text with white space or a control character (C0, DEL, C1), which browsers drop from addresses. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

/** The address of a page with `next` kept, left out when it is the home page. */
export function withNext(page: string, next: string, params: Record<string, string> = {}): string {
  const query = new URLSearchParams(params);
  if (next !== '/') query.set('next', next);
  return query.size > 0 ? `${page}?${query}` : page;
}

/** What is wrong with a new password, in a sentence, or null. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  const { min, max } = PASSWORD_LENGTH;
  if (length < min) return `Use at least ${min} characters; this has ${length}.`;
  if (length > max) return `Use at most ${max} characters; this has ${length}.`;
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    return 'This is your e-mail address, which everyone can guess. Choose something else.';
  }
  return null;
}
