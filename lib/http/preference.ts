import type { CoreRequest } from '../protocol/a2a/core/requests';
import type { HttpRequest } from './http-message';

type Send = CoreRequest & { op: 'send' };

/** How long a caller wants to wait (RFC 7240 §4.1, §4.3). */
interface Preference {
  waitMs?: number;
  async: boolean;
  /** `Preference-Applied` (RFC 7240 §3), when there is something to say. */
  applied?: Record<string, string>;
}

/** Reads `Prefer: respond-async` and `Prefer: wait=n`; what else it says, or says wrong, is ignored as RFC 7240 §2 has it. */
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

/** The send as its caller prefers it: after `wait` seconds at the latest, or at once, the task is answered as it stands. */
export function applyPreference(request: Send, { async, waitMs }: Preference): Send {
  if (!async && waitMs === undefined) return request;
  const { configuration } = request;
  const isImmediate = configuration.returnImmediately || (async && waitMs === undefined);
  return { ...request, configuration: { ...configuration, waitMs, returnImmediately: isImmediate } };
}

/** How long a send that does not block waits for an agent that answers quickly, milliseconds. */
const shortWaitMs = 100;

/** The send that is answered at once, or with the end of the turn when that comes quickly: it saves the caller a read. */
export function withShortWait(request: Send): Send {
  const { configuration } = request;
  if (!configuration.returnImmediately) return request;
  return { ...request, configuration: { ...configuration, returnImmediately: false, waitMs: shortWaitMs } };
}
