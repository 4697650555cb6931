import type Stripe from 'stripe';
import { isActive } from './accounts';
import { balanceOf, moveBalance, PLATFORM, requireBalance } from './balances';
import { ApiError, amountOf, invalid, metadataOf, type Params, textOf } from './params';
import { found, newStripeId, type State, sample } from './state';

/** Moves money from the platform to a connected account. */
export function createTransfer(state: State, params: Params): Stripe.Transfer {
  const destination = textOf(params, 'destination') ?? '';
  const account = found(state.accounts, destination, 'account');
  const amount = amountOf(params, 'amount');
  const currency = textOf(params, 'currency') ?? 'usd';
  const source = textOf(params, 'source_transaction');
  if (source === null) {
    if (!isActive(account)) {
      const code = 'insufficient_capabilities_for_transfer';
      throw invalid('Your destination account needs the capability stripe_transfers.', code, 'destination');
    }
    requireBalance(state, PLATFORM, { currency, amount });
  }
  const transfer: Stripe.Transfer = Object.assign(sample('transfer'), {
    id: newStripeId('tr'),
    amount,
    currency,
    destination,
    source_transaction: source,
    transfer_group: textOf(params, 'transfer_group'),
    metadata: metadataOf(params),
    created: state.now(),
    amount_reversed: 0,
    reversed: false,
    destination_payment: newStripeId('py'),
  });
  transfer.balance_transaction = moveBalance(state, {
    ...{ owner: PLATFORM, currency, amount: -amount, type: 'transfer', source: transfer },
  });
  moveBalance(state, { owner: destination, currency, amount, type: 'payment', source: transfer });
  state.transfers.set(transfer.id, transfer);
  state.emit('transfer.created', transfer);
  return transfer;
}

/** Takes money of a transfer back. The connected account must have it. */
export function reverseTransfer(state: State, transfer: Stripe.Transfer, params: Params): Stripe.TransferReversal {
  const remaining = transfer.amount - transfer.amount_reversed;
  if (remaining === 0) throw invalid('The transfer is already fully reversed.', 'transfer_already_reversed');
  const amount = amountOf(params, 'amount', remaining);
  if (amount > remaining)
    throw invalid('The reversal is more than is left of the transfer.', 'amount_too_large', 'amount');
  const owner = String(transfer.destination);
  const { currency } = transfer;
  if (balanceOf(state, owner, currency) < amount) {
    const message = 'The connected account has an insufficient balance for this reversal.';
    throw new ApiError(400, { type: 'invalid_request_error', code: 'insufficient_funds', message });
  }
  const reversal: Stripe.TransferReversal = Object.assign(sample('transfer_reversal'), {
    id: newStripeId('trr'),
    amount,
    currency,
    transfer: transfer.id,
    metadata: metadataOf(params),
    created: state.now(),
  });
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  transfer.reversals.data.unshift(reversal);
  moveBalance(state, { owner, currency, amount: -amount, type: 'payment_refund', source: reversal });
  moveBalance(state, { owner: PLATFORM, currency, amount, type: 'transfer_refund', source: reversal });
  state.emit('transfer.reversed', transfer);
  return reversal;
}

/** Reverses the transfers of a charge that is refunded. */
export function reverseTransfersOf(state: State, chargeId: string, amount: number): void {
  const transfer = [...state.transfers.values()].find(({ source_transaction: source }) => source === chargeId);
  if (!transfer) return;
  const remaining = transfer.amount - transfer.amount_reversed;
  reverseTransfer(state, transfer, { amount: String(Math.min(amount, remaining)) });
}
