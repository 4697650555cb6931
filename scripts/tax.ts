import { listTaxRates, setTaxRate } from '@/lib/payments';
import { ParleyError } from '@/lib/platform/errors';
import { CliError } from './cli-output.mjs';

/** A command line: `[]`, or `['set', country, kind, basisPoints]` with the day from which the rate applies. */
interface TaxInput {
  args: string[];
  from: string | undefined;
}

const kindsOf = { order: ['order'], charge: ['charge'], all: ['order', 'charge'] } as const;

/**
 * Prints the rates of tax, after setting one. The database URL and the secrets must be in the environment.
 * @throws {CliError}
 */
export async function runTax({ args: [action, ...words], from }: TaxInput): Promise<void> {
  if (action === 'set') await set(words, from);
  const rates = await listTaxRates();
  for (const { country, saleKind, basisPoints, effectiveFrom } of rates)
    console.log(`${country}  ${saleKind}  ${basisPoints / 100} % since ${effectiveFrom.toISOString()}`);
  if (rates.length === 0) console.log('no rates: invoices state no tax');
}

async function set([country = '', kind = '', basisPoints = '']: string[], from: string | undefined): Promise<void> {
  const day = from === undefined ? undefined : new Date(`${from}T00:00:00Z`);
  if (day && (Number.isNaN(day.getTime()) || !/^\d{4}-\d\d-\d\d$/.test(from ?? '')))
    throw usageError(`--from: found ${JSON.stringify(from)}; expected a day such as 2027-01-31`);
  if (kind !== 'order' && kind !== 'charge' && kind !== 'all')
    throw usageError(`found ${JSON.stringify(kind)} for the kind of sale; expected order, charge or all`);
  if (!/^\d{1,9}$/.test(basisPoints))
    throw usageError(`found ${JSON.stringify(basisPoints)} for basis points; expected a whole number`);
  try {
    const rate = { country, saleKinds: [...kindsOf[kind]], basisPoints: Number(basisPoints), from: day };
    await setTaxRate(rate, new Date());
  } catch (error) {
    if (error instanceof ParleyError) throw new CliError(error.message);
    throw error;
  }
}

function usageError(message: string): CliError {
  return Object.assign(new CliError(message), { exitCode: 2 });
}
