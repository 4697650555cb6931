import { countAttempt, type FixedWindowRule } from '../limits';
import { networkOf } from '../platform/address';

/** Sign-ins that failed, for one account (ASVS 6.3.1). */
const failuresPerAccount: FixedWindowRule = { name: 'sign-ins to this account', max: 10, windowSeconds: 600 };

/** Sign-ins that failed, from one address; higher, since many people may share one. */
const failuresPerAddress: FixedWindowRule = { name: 'sign-ins from this address', max: 30, windowSeconds: 180 };

/** Mails to one address: enough for a lost one, too few to be a nuisance. */
const mailsPerAccount: FixedWindowRule = { name: 'mails to this address', max: 3, windowSeconds: 1_800 };

const signUpsPerAddress: FixedWindowRule = { name: 'sign-ups from this address', max: 40, windowSeconds: 1_200 };

/** Links asked for from one address, to any account. */
const linksPerAddress: FixedWindowRule = { name: 'links asked for from this address', max: 20, windowSeconds: 1_200 };

/** Starts of a sign-in at a provider: each makes us call that provider. */
const providerSignInsPerAddress: FixedWindowRule = {
  name: 'sign-ins at providers from this address',
  max: 60,
  windowSeconds: 60,
};

/**
 * Lets one attempt to prove a password pass; call the result when it succeeded, so that only failures count.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitPasswordAttempts(account: string, address: string): Promise<() => Promise<void>> {
  const refundAddress = await countAttempt(failuresPerAddress, networkOf(address));
  const refundAccount = await countAttempt(failuresPerAccount, account);
  return async () => {
    await Promise.all([refundAddress(), refundAccount()]);
  };
}

/** @throws {ParleyError} `rate_limited`, alike whether or not the address has an account */
export async function limitSignUps(email: string, address: string): Promise<void> {
  await countAttempt(signUpsPerAddress, networkOf(address));
  await countAttempt(mailsPerAccount, email);
}

/** @throws {ParleyError} `rate_limited`, alike whether or not the address has an account */
export async function limitMagicLinks(email: string, address: string): Promise<void> {
  await countAttempt(linksPerAddress, networkOf(address));
  await countAttempt(mailsPerAccount, email);
}

/** @throws {ParleyError} `rate_limited` */
export async function limitProviderSignIns(address: string): Promise<void> {
  await countAttempt(providerSignInsPerAddress, networkOf(address));
}
