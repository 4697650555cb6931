import type { CoreRequest } from '../protocol/a2a/core/requests';
import type { PlainRequest } from './plain';

type Send = CoreRequest & { op: 'send' };

/** How long a caller wants to wait (RFC 7240 §4.1, §4.3). */
interface Preference {
  waitMs?: number;
  async: boolean;
  /** `Preference-Applied` (RFC 7240 §3), when there is something to say. */
  applied?: Record<string, string>;
}

/** Reads `Prefer: respond-async` and `Prefer: wait=n`; what else it says, or says wrong, is ignored as RFC 7240 §2 has it. */
export function preferenceOf(request: PlainRequest): Preference {
  const preferred = request.headers.get('prefer');
  if (preferred === null) return { async: false };
  const wishes = preferred.split(/[,;]/).map((wish) => wish.trim().toLowerCase());
  const async = wishes.includes('respond-async');
  const seconds = wishes
    .map((wish) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(wish)?.[1])
    .find((found) => found !== undefined);
  const waitMs = seconds === undefined ? undefined : Number(seconds) * 1_000;
  const said = [...(async ? ['respond-async'] : []), ...(seconds === undefined ? [] : [`wait=${Number(seconds)}`])];
  return { async, waitMs, applied: said.length > 0 ? { 'preference-applied': said.join(', ') } : undefined };
}

/** The send as its caller prefers it: after `wait` seconds at the latest, or at once, the task is answered as it stands. */
export function prefer(request: Send, { async, waitMs }: Preference): Send {
  if (!async && waitMs === undefined) return request;
  const { configuration } = request;
  const atOnce = configuration.returnImmediately || (async && waitMs === undefined);
  return { ...request, configuration: { ...configuration, waitMs, returnImmediately: atOnce } };
}

/** How long a send that does not block waits for an agent that answers quickly, milliseconds. */
const quickAnswerMs = 100;

/** The send that is answered at once, or with the end of the turn when that comes quickly: it saves the caller a read. */
export function withQuickAnswer(request: Send): Send {
  const { configuration } = request;
  if (!configuration.returnImmediately) return request;
  return { ...request, configuration: { ...configuration, returnImmediately: false, waitMs: quickAnswerMs } };
}
