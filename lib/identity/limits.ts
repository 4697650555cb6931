import { type AttemptRule, takeAttempt } from '../limits';
import { networkOf } from '../platform/address';

/** Sign-ins that failed, for one account (ASVS 6.3.1). */
const failuresPerAccount: AttemptRule = { name: 'sign-ins to this account', most: 10, seconds: 600 };

/** Sign-ins that failed, from one address; higher, since many people may share one. */
const failuresPerAddress: AttemptRule = { name: 'sign-ins from this address', most: 30, seconds: 180 };

/** Mails to one address: enough for a lost one, too few to be a nuisance. */
const mailsPerAccount: AttemptRule = { name: 'mails to this address', most: 3, seconds: 1_800 };

const signUpsPerAddress: AttemptRule = { name: 'sign-ups from this address', most: 40, seconds: 1_200 };

/** Links asked for from one address, to any account. */
const linksPerAddress: AttemptRule = { name: 'links asked for from this address', most: 20, seconds: 1_200 };

/** Starts of a sign-in at a provider: each makes us call that provider. */
const providerStarts: AttemptRule = { name: 'sign-ins at providers from this address', most: 60, seconds: 60 };

/**
 * Lets one attempt to prove a password pass; call the result when it succeeded, so that only failures count.
 * @throws {ParleyError} `rate_limited`
 */
export async function admitAttempt(account: string, address: string): Promise<() => Promise<void>> {
  const uncountAddress = await takeAttempt(failuresPerAddress, networkOf(address));
  const uncountAccount = await takeAttempt(failuresPerAccount, account);
  return async () => {
    await Promise.all([uncountAddress(), uncountAccount()]);
  };
}

/** @throws {ParleyError} `rate_limited`, alike whether or not the address has an account */
export async function admitSignUp(email: string, address: string): Promise<void> {
  await takeAttempt(signUpsPerAddress, networkOf(address));
  await takeAttempt(mailsPerAccount, email);
}

/** @throws {ParleyError} `rate_limited`, alike whether or not the address has an account */
export async function admitLinkMail(email: string, address: string): Promise<void> {
  await takeAttempt(linksPerAddress, networkOf(address));
  await takeAttempt(mailsPerAccount, email);
}

/** @throws {ParleyError} `rate_limited` */
export async function admitProviderStart(address: string): Promise<void> {
  await takeAttempt(providerStarts, networkOf(address));
}
