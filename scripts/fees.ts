import { listFees, setFee } from '@/lib/payments';
import type { FeeTerms } from '@/lib/payments/schema-income';
import { ParleyError } from '@/lib/platform/errors';
import { CliError } from './cli-output.mjs';

/** A command line: `[]`, or `['set', currency, basisPoints, fixed?]` with the day from which the fee applies. */
interface FeesInput {
  args: string[];
  from: string | undefined;
}

/**
 * Prints the fees of sales, after setting one. The database URL and the secrets must be in the environment.
 * @throws {CliError}
 */
export async function runFees({ args: [action, ...words], from }: FeesInput): Promise<void> {
  const now = new Date();
  if (action === 'set') await set(words, { from, now });
  await printFees(now);
}

async function set(
  [currency = '', basisPoints = '', fixed = '0']: string[],
  { from, now }: { from: string | undefined; now: Date },
): Promise<void> {
  const day = from === undefined ? undefined : new Date(`${from}T00:00:00Z`);
  if (day && (Number.isNaN(day.getTime()) || !/^\d{4}-\d\d-\d\d$/.test(from ?? '')))
    throw usageError(`--from: found ${JSON.stringify(from)}; expected a day such as 2027-01-31`);
  try {
    const terms = { basisPoints: numberIn('basis points', basisPoints), fixed: numberIn('the fixed part', fixed) };
    await setFee({ currency, ...terms, from: day }, now);
  } catch (error) {
    if (error instanceof ParleyError) throw new CliError(error.message);
    throw error;
  }
}

function numberIn(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`found ${JSON.stringify(text)} for ${name}; expected a whole number`);
}

function usageError(message: string): CliError {
  return Object.assign(new CliError(message), { exitCode: 2 });
}

async function printFees(now: Date): Promise<void> {
  const { items, others } = await listFees({ ctx: { now } });
  for (const { currency, fee, since, next } of items) {
    const change = next ? `; from ${next.from}: ${textOf(next)}` : '';
    console.log(`${currency}  ${textOf(fee)}${since ? ` since ${since}` : ''}${change}`);
  }
  console.log(`other currencies  ${textOf(others)}`);
}

function textOf({ basisPoints, fixed }: FeeTerms): string {
  return `${basisPoints / 100} % + ${fixed} minor units`;
}
