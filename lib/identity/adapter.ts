import type { Adapter } from 'next-auth/adapters';
import type { Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { expiryOf } from './policy';
import { findSessionByHash, findUser } from './session-cache';
import { startSession } from './start-session';
import type { ClientInfo } from './store/sessions';
import { selectUserByAccount, type User } from './store/users';

/**
 * What next-auth needs of our tables to sign a person in at a provider, for one request. People are made by
 * `resolveProviderAccount` before next-auth looks for them, so it never creates or links any; provider tokens are not kept.
 */
export function sessionAdapter({ ctx, place }: { ctx: Ctx; place: ClientInfo }): Adapter {
  let way = '';
  return {
    async getUserByAccount({ provider, providerAccountId }) {
      way = provider;
      const user = await selectUserByAccount({ provider, providerAccountId });
      return user && toAdapterUser(user);
    },
    // next-auth's own token and times are replaced by ours, so that every session is alike.
    async createSession({ userId }) {
      const { token, expires } = await startSession({ ctx, input: { userId, method: way, client: place } });
      return { sessionToken: token, userId, expires };
    },
    async getSessionAndUser(token) {
      const session = await findSessionByHash(sha256(token), ctx.now);
      const user = session && (await findUser(session.userId));
      if (!session || !user || user.suspended) return null;
      return {
        session: { sessionToken: token, userId: user.id, expires: expiryOf(session) },
        user: toAdapterUser(user),
      };
    },
  };
}

function toAdapterUser({ id, email, name }: User): { id: string; email: string; name: string; emailVerified: null } {
  return { id, email, name, emailVerified: null };
}
