import { countAttempt } from '../limits';
import { networkOf } from '../platform/address';
import { USER_CODE_ADDRESS_LIMIT, USER_CODE_LIMIT } from './rate-limits';

/**
 * Counts a typed code before it is looked up, for the person and for where they are: nobody tries many codes, be it with
 * many accounts or from many addresses (RFC 8628 §5.1, TOK-5). Call the result when it was right, so that only slips count.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitUserCodeAttempts(person: { userId: string; address: string }): Promise<() => Promise<void>> {
  // The person first: whoever has to wait adds nothing to what others at their address may still try.
  const refundPerson = await countAttempt(USER_CODE_LIMIT, person.userId);
  const refundAddress = await countAttempt(USER_CODE_ADDRESS_LIMIT, networkOf(person.address));
  return async () => {
    await Promise.all([refundPerson(), refundAddress()]);
  };
}
