import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import type { SaleKind, TaxRateRecord } from '../record';
import { findTaxRates, insertTaxRate } from '../store/papers/tax-rows';

/** A new rate; `from` is the time at which it begins, by default now. */
interface NewTaxRate {
  country: string;
  saleKinds: SaleKind[];
  basisPoints: number;
  from?: Date | undefined;
}

/** Returns all rates of tax, past and future, by country and begin. For the operator. */
export function listTaxRates(): Promise<TaxRateRecord[]> {
  return findTaxRates();
}

/**
 * Sets the rate of tax in a country from a time, also from one in the past. For the operator. Papers that were issued
 * before keep their tax.
 * @throws {ParleyError} `invalid_request` for another country or rate
 */
export async function setTaxRate({ country, saleKinds, basisPoints, from }: NewTaxRate, now: Date): Promise<void> {
  if (!/^[A-Z]{2}$/.test(country))
    throw new ParleyError('invalid_request', `found the country "${country}"; expected an ISO 3166 code such as DE`);
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > 10_000)
    throw new ParleyError('invalid_request', `found ${basisPoints} basis points; expected an integer from 0 to 10000`);
  await inTransaction(async (tx) => {
    for (const saleKind of saleKinds)
      await insertTaxRate(tx, { country, saleKind, basisPoints, effectiveFrom: from ?? now, createdAt: now });
  });
}
