import type { Challenge } from 'altcha-lib';
import type { PasskeyError } from './ask-passkey';

/** A problem document of our API (RFC 9457). */
export interface ApiProblem {
  title: string;
  code: string;
  /** One entry per invalid member of the body. */
  faults: { pointer: string; message: string }[];
  /** WebAuthn options, if the change requires a passkey. */
  passkey?: Record<string, unknown>;
  /** The work that a visitor without an account must prove first. */
  challenge?: Challenge;
}

export type ApiResponse = { ok: true; body: unknown } | { ok: false; problem: ApiProblem };

let unreachable: ApiProblem = {
  title: '',
  code: 'unreachable',
  faults: [],
};

let titleOfPasskeyError: (reason: PasskeyError) => string = () => '';

/** What a problem document says, in English. */
export type Described = Pick<ApiProblem, 'title' | 'code'> & Partial<Pick<ApiProblem, 'faults'>>;

/** Describes a refused call in the language of the page. Keeps sentences of the API for which pages have no text. */
export type Translate = <P extends Described>(path: string, problem: P, retryAfter: string | null) => P;

let translate: Translate | null = null;

/** Sets how refused calls are described; null in English, the language of the API. */
export function setTranslate(to: Translate | null): void {
  translate = to;
}

interface ApiTextsOf {
  unreachable: string;
  passkey: (reason: PasskeyError) => string;
}

/** Sets the texts of the problems below, once, because calls are made outside of React. */
export function setApiTexts(texts: ApiTextsOf): void {
  unreachable = { ...unreachable, title: texts.unreachable };
  titleOfPasskeyError = texts.passkey;
}

/** Returns the problem of a refused call, described in the language of the page. */
export function inLanguage<P extends Described>(path: string, problem: P, retryAfter: string | null): P {
  return translate?.(path, problem, retryAfter) ?? problem;
}

type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Calls our own API with the user's session. Asks for a passkey if the change requires one, and repeats the call with
 * it. Never throws: a lost connection is returned as a problem.
 */
export async function callApi(method: ApiMethod, path: string, body?: object): Promise<ApiResponse> {
  const response = await send(method, path, body);
  if (response.ok || !response.problem.passkey) return response;
  const { passkey } = response.problem;
  const signed = await import('./ask-passkey').then(
    ({ signWithPasskey }) => signWithPasskey(passkey),
    () => null,
  );
  if (!signed) return { ok: false, problem: unreachable };
  if (!signed.ok) {
    return { ok: false, problem: { title: titleOfPasskeyError(signed.reason), code: 'passkey_not_used', faults: [] } };
  }
  return send(method, path, { ...body, assertion: { ...signed.made, clientExtensionResults: {} } });
}

function send(method: ApiMethod, path: string, body?: object): Promise<ApiResponse> {
  return request(path, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
}

/**
 * Posts an operation that must be executed once. A retry with the same key is safe even if the first request arrived.
 */
export function callApiOnce(key: string, path: string, body: object): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * Posts a form to an endpoint that responds to this with JSON, and to the form of a page without JavaScript with a
 * redirect.
 */
export function callApiByForm(path: string, body: URLSearchParams): Promise<ApiResponse> {
  return request(path, { method: 'POST', headers: { accept: 'application/json' }, body });
}

/**
 * Reads from our own API, for swr.
 * @throws {Error} with the API's message, for display to the user
 */
export async function readApi<Answer>(path: string): Promise<Answer> {
  const answer = await request(path, { method: 'GET' });
  if (!answer.ok) throw new Error(answer.problem.title);
  return answer.body as Answer;
}

/** Maximum length of a body that is sent even if the user leaves the page. Browsers permit a total of 64 KiB. */
const KEEPALIVE_MAX_CHARS = 8_000;

async function request(path: string, init: RequestInit): Promise<ApiResponse> {
  try {
    const isSmall = String(init.body ?? '').length <= KEEPALIVE_MAX_CHARS;
    const response = await fetch(path, { ...init, keepalive: init.method !== 'GET' && isSmall });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    if (response.ok) return { ok: true, body: parsed };
    return { ok: false, problem: inLanguage(path, toProblem(parsed), response.headers.get('retry-after')) };
  } catch {
    // To the user, a refused connection and a response that is not ours (a proxy's page) are the same.
    return { ok: false, problem: unreachable };
  }
}

function toProblem(body: unknown): ApiProblem {
  const { title, code, faults = [], passkey, challenge } = body as Partial<ApiProblem>;
  return title && code ? { title, code, faults, passkey, challenge } : unreachable;
}
