import { replayPaymentEvents, sendOnBehalfOf } from '../gateway';
import { deliverMandates, notifyParties, type PaymentPorts } from '../payments';

/** What payments need of the gateway and of the mail. */
export const paymentPorts: PaymentPorts = {
  deliver: (order, { now, signal }) =>
    deliverMandates(order, {
      now,
      signal,
      send: sendOnBehalfOf,
      replayPaymentEvents: ({ userId, contextId }) => replayPaymentEvents({ userId, contextId }),
    }),
  notify: (order, announcement, { now, signal }) =>
    notifyParties(order, announcement, { now, signal, send: sendOnBehalfOf }),
};
