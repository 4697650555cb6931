import { EXTERNAL_ACCOUNT } from '@/lib/payments/charges/ledger-transactions';
import { availableAccountOf } from '@/lib/payments/earnings/earning-accounts';
import type { PayoutAccountView, PayoutPage, PayoutView } from '@/lib/payments/schema-payouts';
import { postTransaction } from '@/lib/payments/store/ledger';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { type Person, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';

/** Adds what a seller earned to the available balance. Negative for refunds after a payout. */
export async function earn({ userId }: Pick<Person, 'userId'>, amount: number, currency = 'EUR'): Promise<void> {
  const entries = [
    { account: EXTERNAL_ACCOUNT, amount: -amount },
    { account: availableAccountOf(userId), amount },
  ];
  const header = { key: `test:${newId('ltx')}`, kind: 'earning' as const, orderId: null, currency, test: true };
  await inTransaction((tx) => postTransaction(tx, { ...header, entries }, new Date()));
}

export const details = { legalName: 'Sella Verde', country: 'DE', bank: '0001 2345 6789' };

/** Calls of one seller's session or token. */
export function callsOf(url: string, person: Person) {
  const bearer = person.accessToken;
  const { cookie } = person;
  return {
    account: async (): Promise<PayoutAccountView> =>
      (await (await send(`${url}/api/payouts/account`, { bearer })).json()) as PayoutAccountView,
    list: async (): Promise<PayoutView[]> =>
      ((await (await send(`${url}/api/payouts`, { bearer })).json()) as PayoutPage).items,
    onboard: (body: object = { details }): Promise<Response> =>
      send(`${url}/api/payouts/onboarding`, { method: 'POST', cookie, origin: url, body }),
    request: (currency = 'EUR'): Promise<Response> =>
      send(`${url}/api/payouts`, { method: 'POST', bearer, body: { currency } }),
    cancel: (id: string): Promise<Response> =>
      send(`${url}/api/payouts/${id}/cancel`, { method: 'POST', bearer, body: {} }),
    schedule: (body: object): Promise<Response> => send(`${url}/api/payouts/schedule`, { method: 'PUT', bearer, body }),
    leave: (leaving: boolean): Promise<Response> =>
      send(`${url}/api/payouts/leaving`, { method: 'PUT', bearer, body: { leaving } }),
    /** Waits until the newest payout is in a state. */
    async reaches(state: PayoutView['state']): Promise<PayoutView> {
      let found: PayoutView | undefined;
      const isThere = async (): Promise<boolean> => {
        [found] = await this.list();
        return found?.state === state;
      };
      await waitFor(isThere, { what: `the payout to be ${state}` });
      if (!found) throw new Error('no payout');
      return found;
    },
  };
}
