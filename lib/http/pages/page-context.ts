import { cookies, headers } from 'next/headers';
import { findSessionActor } from '../../identity';
import type { Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import { sessionCookieName } from '../credentials';

/** The context of a page: the user of the session cookie, or anonymous. Pages only read; writes use the API. */
export async function pageContext(): Promise<Ctx> {
  const now = new Date();
  const cookie = (await cookies()).get(sessionCookieName())?.value;
  const actor = cookie ? await findSessionActor(cookie, now) : null;
  return {
    actor: actor ?? { kind: 'anonymous' },
    requestId: (await headers()).get('x-request-id') ?? newId('req'),
    signal: new AbortController().signal,
    now,
  };
}
