import { countAttempt, type FixedWindowRule } from '../limits';
import { hasCode } from '../platform/errors';
import { networkOf } from '../platform/http-client/client-address';

/** Maximum failed sign-ins per account (ASVS 6.3.1). */
const FAILURES_PER_ACCOUNT: FixedWindowRule = { name: 'sign-ins to this account', max: 10, windowSeconds: 600 };

/** Maximum failed sign-ins per network address. Higher, because many users may share an address. */
const FAILURES_PER_ADDRESS: FixedWindowRule = { name: 'sign-ins from this address', max: 30, windowSeconds: 180 };

/** Maximum emails to one address: sufficient to replace a lost email, but too few to be a nuisance. */
const MAILS_PER_ACCOUNT: FixedWindowRule = { name: 'emails to this address', max: 3, windowSeconds: 1_800 };

const SIGN_UPS_PER_ADDRESS: FixedWindowRule = { name: 'sign-ups from this address', max: 40, windowSeconds: 1_200 };

/** Maximum magic links requested from one network address, for any account. */
const LINKS_PER_ADDRESS: FixedWindowRule = { name: 'link requests from this address', max: 20, windowSeconds: 1_200 };

/** Maximum sign-ins started with a provider, each of which causes a call to that provider. */
const PROVIDER_SIGN_INS_PER_ADDRESS: FixedWindowRule = {
  name: 'provider sign-ins from this address',
  max: 60,
  windowSeconds: 60,
};

/** Maximum new guests from one network without a proof of work. */
const GUESTS_WITHOUT_PROOF: FixedWindowRule = {
  name: 'visitors from this network without a proof of work',
  max: 5,
  windowSeconds: 3_600,
};

/** Maximum new guests from one network. */
const GUESTS_PER_NETWORK: FixedWindowRule = {
  name: 'visitors without an account from this network',
  max: 200,
  windowSeconds: 86_400,
};

/**
 * Counts one attempt to authenticate. The returned function must be called on success, so that only failures count.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitPasswordAttempts(account: string, address: string): Promise<() => Promise<void>> {
  const refundAddress = await countAttempt(FAILURES_PER_ADDRESS, networkOf(address));
  const refundAccount = await countAttempt(FAILURES_PER_ACCOUNT, account);
  return async () => {
    await Promise.all([refundAddress(), refundAccount()]);
  };
}

/**
 * Counts a sign-up.
 * @throws {ParleyError} `rate_limited`, regardless of whether the address has an account
 */
export async function limitSignUps(email: string, address: string): Promise<void> {
  await countAttempt(SIGN_UPS_PER_ADDRESS, networkOf(address));
  await countAttempt(MAILS_PER_ACCOUNT, email);
}

/**
 * Counts the request of a magic link.
 * @throws {ParleyError} `rate_limited`, regardless of whether the address has an account
 */
export async function limitMagicLinks(email: string, address: string): Promise<void> {
  await countAttempt(LINKS_PER_ADDRESS, networkOf(address));
  await countAttempt(MAILS_PER_ACCOUNT, email);
}

/**
 * Counts a sign-in with a provider.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitProviderSignIns(address: string): Promise<void> {
  await countAttempt(PROVIDER_SIGN_INS_PER_ADDRESS, networkOf(address));
}

/** Counts a visitor who has sent no proof of work. Returns false if the network has too many of them. */
export async function admitGuestWithoutProof(network: string): Promise<boolean> {
  try {
    await countAttempt(GUESTS_WITHOUT_PROOF, network);
    return true;
  } catch (error) {
    if (hasCode(error, 'rate_limited')) return false;
    throw error;
  }
}

/**
 * Counts a new guest from a network.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitGuests(network: string): Promise<void> {
  await countAttempt(GUESTS_PER_NETWORK, network);
}
