import { decideX402Payment, listX402Duties, recordX402Payout, recordX402Refund } from '@/lib/payments';
import { ParleyError } from '@/lib/platform/errors';
import { isAsset, toMoneyText } from '@/lib/protocol/ap2/money';
import { CliError } from './cli-output.mjs';

/**
 * Prints what the operator owes by x402, after recording what the arguments say: `[]`, `['refund', payment, amount,
 * transaction]`, `['payout', seller, asset, amount, transaction]`, `['taken', payment, transaction]` or `['not-taken',
 * payment]`. The database URL and the secrets must be in the environment.
 * @throws {CliError}
 */
export async function runX402([action, ...words]: string[]): Promise<void> {
  try {
    if (action !== undefined) await recordAction(action, words);
  } catch (error) {
    if (error instanceof ParleyError) throw new CliError(error.message);
    throw error;
  }
  await printDuties();
}

async function recordAction(
  action: string,
  [first = '', second = '', third = '', fourth = '']: string[],
): Promise<void> {
  const now = new Date();
  switch (action) {
    case 'refund':
      return recordX402Refund({ paymentId: first, amount: amountIn(second), transaction: transactionIn(third) }, now);
    case 'payout': {
      if (!isAsset(second)) throw usageError(`found ${JSON.stringify(second)}; expected an asset such as USDC`);
      const transfer = { amount: amountIn(third), transaction: transactionIn(fourth) };
      return recordX402Payout({ sellerId: first, currency: second, ...transfer }, now);
    }
    case 'taken':
      return decideX402Payment({ paymentId: first, transaction: transactionIn(second) }, now);
    default:
      return decideX402Payment({ paymentId: first, transaction: null }, now);
  }
}

function amountIn(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw usageError(
    `found ${JSON.stringify(text)} for the amount; expected a whole number of minor units such as cents`,
  );
}

function transactionIn(text: string): string {
  if (/^[\x21-\x7e]{1,300}$/.test(text)) return text;
  throw usageError(`found ${JSON.stringify(text)} for the transaction; expected its id`);
}

function usageError(message: string): CliError {
  return Object.assign(new CliError(message), { exitCode: 2 });
}

async function printDuties(): Promise<void> {
  const { refunds, payouts, unclear } = await listX402Duties();
  const moneyOf = ({ currency, amount, test }: { currency: string; amount: number; test: boolean }): string =>
    `${toMoneyText({ currency, minor: amount })}${test ? ' (test)' : ''}`;
  console.log(`Owed to payers: ${refunds.length}`);
  for (const refund of refunds) {
    const { paymentId, payer, network, usableUntil } = refund;
    const usable = usableUntil ? `; the payer can use it until ${usableUntil.toISOString()}` : '';
    console.log(`  ${paymentId}  ${moneyOf(refund)} to ${payer} on ${network}${usable}`);
  }
  console.log(`Owed to sellers: ${payouts.length}`);
  for (const payout of payouts) console.log(`  ${payout.sellerId}  ${moneyOf(payout)} to ${payout.email ?? 'unknown'}`);
  console.log(`Unclear: ${unclear.length}`);
  for (const payment of unclear) {
    const { id, payer, network, reason, createdAt } = payment;
    console.log(
      `  ${id}  ${moneyOf(payment)} from ${payer} on ${network}, ${createdAt.toISOString()}: ${reason ?? ''}`,
    );
  }
}
