import type { PaymentPorts } from '../payments';

/** What payments need of the gateway and of the mail. */
export const paymentPorts: PaymentPorts = {
  deliver: async () => ({ kind: 'unreachable' }),
  announce: async () => {},
};
