import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { newId } from '../platform/ids';
import { email as address, cleanName } from './inputs';
import type { ProviderProblem } from './schema';
import { insertUserWithAccount, type ProviderAccount, selectUserByAccount } from './store/users';

/** What a provider says of a person. */
export interface ProviderIdentity {
  account: ProviderAccount;
  email: string | null;
  /** Null when the provider does not say whether it checked the address. */
  emailVerified: boolean | null;
  name: string | null;
}

/**
 * Finds or makes the person behind an account at a provider; answers why not when they may not come in. An e-mail address
 * never joins two accounts: whoever can claim an address at some provider would get the account. A moderator's address must
 * be one that the provider has checked. Open to all.
 */
export async function resolveProviderAccount({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ProviderIdentity;
}): Promise<ProviderProblem | null> {
  const known = await selectUserByAccount(input.account);
  if (known) return known.suspended ? 'suspended' : null;
  const { data: email } = address.safeParse(input.email);
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
  // They may have come in by another window in this very moment.
  return (await selectUserByAccount(input.account)) ? null : 'account_exists';
}
