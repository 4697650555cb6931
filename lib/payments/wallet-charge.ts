import { captureMovement, heldOf, orderMovement, refundMovement, walletOf } from './ledger-movements';
import type { Charge } from './ports';

/** Pays from the wallet: all that happens, happens in the ledger, in the transaction that moves the order. */
export const walletCharge: Charge = {
  authorize: async ({ amount }) => ({ kind: 'held', amount }),
  retrieve: async () => ({ kind: 'pending' }),
  capture: async () => ({ kind: 'done' }),
  release: async () => {},
  refund: async () => ({ kind: 'done' }),
  movements: {
    hold: (order) => orderMovement(order, 'hold', { from: walletOf(order.userId), to: heldOf(order.userId) }),
    capture: (order) => captureMovement(order, heldOf(order.userId)),
    release: (order) => orderMovement(order, 'release', { from: heldOf(order.userId), to: walletOf(order.userId) }),
    refund: (order, refund) => refundMovement(order, refund, walletOf(order.userId)),
  },
};
