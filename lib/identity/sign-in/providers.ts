import type { Adapter } from 'next-auth/adapters';
import type { Call, Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import { cleanName, email as emailSchema } from '../inputs';
import type { ProviderProblem, SignInProvider } from '../schema';
import { expiryOf, findSessionByHash, findUser } from '../sessions/session-cache';
import { startSession } from '../sessions/sessions';
import type { ClientInfo } from '../store/session-rows';
import { insertUserWithAccount, type ProviderAccount, selectUserByAccount, type User } from '../store/users';

/** Lists the sign-in providers that are configured. */
export function listProviders(): SignInProvider[] {
  const { OIDC_ISSUER, GITHUB_ID, GOOGLE_ID } = env();
  const providers: SignInProvider[] = [];
  if (OIDC_ISSUER) providers.push({ id: 'oidc', name: new URL(OIDC_ISSUER).host });
  if (GITHUB_ID) providers.push({ id: 'github', name: 'GitHub' });
  if (GOOGLE_ID) providers.push({ id: 'google', name: 'Google' });
  return providers;
}

/** The user data that a provider returned. */
export interface ProviderIdentity {
  account: ProviderAccount;
  email: string | null;
  /** True if the provider verified the address; null if the provider does not state it. */
  emailVerified: boolean | null;
  name: string | null;
}

/**
 * Finds or creates the user of a provider account. Returns the reason for a rejected sign-in, or null. Accounts are
 * never linked by email address; otherwise, anyone who claims the address at some provider could take over the account.
 * The address of a moderator must be verified.
 */
export async function resolveProviderAccount({ ctx, input }: Call<ProviderIdentity>): Promise<ProviderProblem | null> {
  const known = await selectUserByAccount(input.account);
  if (known) return known.suspended ? 'suspended' : null;
  const { data: email } = emailSchema.safeParse(input.email);
  if (!email) return 'email_missing';
  const isVerificationRequired = env().ADMIN_EMAILS.includes(email);
  if (isVerificationRequired ? !input.emailVerified : input.emailVerified === false) return 'email_unverified';
  const user = {
    id: newId('usr'),
    email,
    emailVerified: input.emailVerified ? ctx.now : null,
    name: cleanName(input.name ?? '') || email.slice(0, email.indexOf('@')),
  };
  if (await insertUserWithAccount(user, { ...input.account, id: newId('acc') })) return null;
  // A concurrent sign-in may have created the same account.
  return (await selectUserByAccount(input.account)) ? null : 'account_exists';
}

/**
 * Returns the next-auth adapter for one request. `resolveProviderAccount` creates users before next-auth looks them up,
 * so that the adapter never creates or links users. Provider tokens are not stored.
 */
export function sessionAdapter({ ctx, client }: { ctx: Ctx; client: ClientInfo }): Adapter {
  let method = '';
  return {
    async getUserByAccount({ provider, providerAccountId }) {
      method = provider;
      const user = await selectUserByAccount({ provider, providerAccountId });
      return user && toAdapterUser(user);
    },
    // Our own token and expiry replace those of next-auth, so that all sessions have the same format.
    async createSession({ userId }) {
      const { token, expires } = await startSession({ ctx, input: { userId, method, client } });
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
