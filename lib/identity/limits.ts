import { type BucketRule, consume, giveBack } from '../limits';

/** Sign-ins that failed, for one account: some ten guesses at once, then one a minute (ASVS 6.3.1). */
const failuresPerAccount: BucketRule = { name: 'sign-ins to this account', burst: 10, perMinute: 1 };

/** Sign-ins that failed, from one address; higher, since many people may share one. */
const failuresPerAddress: BucketRule = { name: 'sign-ins from this address', burst: 30, perMinute: 10 };

/** Mails to one address: enough for a lost one, too few to be a nuisance. */
const mailsPerAccount: BucketRule = { name: 'mails to this address', burst: 3, perMinute: 0.1 };

const signUpsPerAddress: BucketRule = { name: 'sign-ups from this address', burst: 20, perMinute: 2 };

/** Starts of a sign-in at a provider: each makes us call that provider. */
const providerStarts: BucketRule = { name: 'sign-ins at providers from this address', burst: 60, perMinute: 60 };

/**
 * Lets one attempt to prove a password pass; call the result when it succeeded, so that only failures count.
 * @throws {ParleyError} `rate_limited`
 */
export function admitAttempt(account: string, address: string, now: Date): () => void {
  consume(failuresPerAddress, address, now);
  consume(failuresPerAccount, account, now);
  return () => {
    giveBack(failuresPerAddress, address);
    giveBack(failuresPerAccount, account);
  };
}

/** @throws {ParleyError} `rate_limited`, alike whether or not the address has an account */
export function admitSignUp(email: string, address: string, now: Date): void {
  consume(signUpsPerAddress, address, now);
  consume(mailsPerAccount, email, now);
}

/** @throws {ParleyError} `rate_limited` */
export function admitProviderStart(address: string, now: Date): void {
  consume(providerStarts, address, now);
}
