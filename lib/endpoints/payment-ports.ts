import { hearAgain, sendForPerson } from '../gateway';
import { announceOutcome, deliverMandates, type PaymentPorts } from '../payments';

/** What payments need of the gateway and of the mail. */
export const paymentPorts: PaymentPorts = {
  deliver: (order, { now, signal }) =>
    deliverMandates(order, {
      now,
      signal,
      send: sendForPerson,
      hearAgain: ({ userId, contextId }) => hearAgain({ userId, contextId }),
    }),
  announce: (order, announcement, { now, signal }) =>
    announceOutcome(order, announcement, { now, signal, send: sendForPerson }),
};
