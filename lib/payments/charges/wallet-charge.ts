import type { Charge } from '../ports';
import {
  captureTransaction,
  heldAccountOf,
  orderTransaction,
  refundTransaction,
  walletAccountOf,
} from './ledger-transactions';

/** Pays from the wallet: all that happens, happens in the ledger, in the transaction that moves the order. */
export const walletCharge: Charge = {
  authorize: async ({ amount }) => ({ kind: 'held', amount }),
  retrieve: async () => ({ kind: 'pending' }),
  capture: async () => ({ kind: 'done' }),
  release: async () => {},
  refund: async () => ({ kind: 'done' }),
  transactions: {
    hold: (order) =>
      orderTransaction(order, 'hold', { from: walletAccountOf(order.userId), to: heldAccountOf(order.userId) }),
    capture: (order) => captureTransaction(order, heldAccountOf(order.userId)),
    release: (order) =>
      orderTransaction(order, 'release', { from: heldAccountOf(order.userId), to: walletAccountOf(order.userId) }),
    refund: (order, refund) => refundTransaction(order, refund, walletAccountOf(order.userId)),
  },
};
