import { ParleyError } from '../platform/errors';
import { parseTimeout } from '../platform/grpc/status';
import type { CoreRequest } from '../protocol/a2a/core/model';
import { type ExtensionUse, readExtensionList } from '../protocol/extensions';
import type { HttpRequest } from './handler';
import { CHANGE_WAIT_MS, SHORT_WAIT_MS } from './limits';

/**
 * Returns the caller's `Idempotency-Key`; undefined if it is absent.
 * @throws {ParleyError} `invalid_params` if it is empty, longer than 255 characters or not printable
 */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ParleyError('invalid_params', 'Idempotency-Key: expected 1 to 255 printable characters.');
}

/** The part of a gRPC call's deadline for which its response may wait, so that it arrives in time. */
const DEADLINE_PART = 0.8;

/**
 * Returns the time for which a read may wait for a change, milliseconds, and `Preference-Applied`: the time that the
 * caller prefers, by default {@link CHANGE_WAIT_MS}, but less than the deadline of a gRPC call.
 */
export function changeWaitOf(request: HttpRequest): { waitMs: number; applied: Preference['applied'] } {
  const { waitMs = CHANGE_WAIT_MS, applied } = readPreference(request);
  const deadlineMs = parseTimeout(request.headers.get('grpc-timeout') ?? '');
  return { waitMs: deadlineMs === null ? waitMs : Math.min(waitMs, deadlineMs * DEADLINE_PART), applied };
}

type Send = CoreRequest & { op: 'send' };

/** The caller's preference for the waiting time (RFC 7240 §4.1, §4.3). */
interface Preference {
  waitMs?: number;
  async: boolean;
  /** `Preference-Applied` (RFC 7240 §3); absent if none applies. */
  applied?: Record<string, string>;
}

/** Reads `Prefer: respond-async` and `Prefer: wait=n`. Ignores other and malformed preferences (RFC 7240 §2). */
export function readPreference(request: HttpRequest): Preference {
  const header = request.headers.get('prefer');
  if (header === null) return { async: false };
  const preferences = header.split(/[,;]/).map((preference) => preference.trim().toLowerCase());
  const async = preferences.includes('respond-async');
  const seconds = preferences
    .map((preference) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(preference)?.[1])
    .find((found) => found !== undefined);
  const waitMs = seconds === undefined ? undefined : Number(seconds) * 1_000;
  const appliedTokens = [
    ...(async ? ['respond-async'] : []),
    ...(seconds === undefined ? [] : [`wait=${Number(seconds)}`]),
  ];
  return {
    async,
    waitMs,
    applied: appliedTokens.length > 0 ? { 'preference-applied': appliedTokens.join(', ') } : undefined,
  };
}

/** Returns the send with the caller's preference, to return the task immediately, or after at most `wait` seconds. */
export function applyPreference(request: Send, { async, waitMs }: Preference): Send {
  if (!async && waitMs === undefined) return request;
  const { configuration } = request;
  const isImmediate = configuration.returnImmediately || (async && waitMs === undefined);
  return { ...request, configuration: { ...configuration, waitMs, returnImmediately: isImmediate } };
}

/** Returns the non-blocking send with a short wait, to return the finished turn if the agent finishes quickly. */
export function withShortWait(request: Send): Send {
  const { configuration } = request;
  if (!configuration.returnImmediately) return request;
  return { ...request, configuration: { ...configuration, returnImmediately: false, waitMs: SHORT_WAIT_MS } };
}

/** Returns the A2A version that a caller requests, by header or query parameter; empty if none is specified. */
export function a2aVersionOf({ headers }: HttpRequest, query: URLSearchParams): string {
  return headers.get('a2a-version') ?? query.get('A2A-Version') ?? '';
}

const extensionHeaders = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

/**
 * Returns the extensions that a caller requests: `A2A-Extensions` (A2A 1.0) and `X-A2A-Extensions` (0.3), both in every
 * version.
 * @throws {ParleyError} `invalid_params` for values other than a list of URIs, and for too many
 */
export function extensionsOf({ headers }: HttpRequest): ExtensionUse | undefined {
  const current = headers.get('a2a-extensions');
  const legacy = headers.get('x-a2a-extensions');
  if (current === null && legacy === null) return undefined;
  const requested = new Set([...listOf(extensionHeaders[0], current), ...listOf(extensionHeaders[1], legacy)]);
  return requested.size === 0 ? undefined : { requested: [...requested], activated: [] };
}

function listOf(name: string, header: string | null): string[] {
  const read = readExtensionList(header ?? '');
  if ('uris' in read) return read.uris;
  throw new ParleyError('invalid_params', `${name}: ${read.fault}.`);
}

/**
 * Returns response headers that list the extensions that the agent activated, under the header names that the caller
 * used; undefined if there are none.
 */
export function activatedHeaders(
  { headers }: HttpRequest,
  extensions: ExtensionUse | undefined,
): Record<string, string> | undefined {
  if (!extensions || extensions.activated.length === 0) return undefined;
  const value = extensions.activated.join(', ');
  const usedNames = extensionHeaders.filter((name) => headers.get(name.toLowerCase()) !== null);
  return Object.fromEntries(usedNames.map((name) => [name.toLowerCase(), value]));
}
