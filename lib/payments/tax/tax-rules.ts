import type { SaleKind, TaxRateRecord } from '../record';
import type { Party, TaxCategory } from '../schema-income';

/** How tax applies to a sale; the rate is in hundredths of a percent of the amount without tax. */
export interface TaxTerms {
  category: TaxCategory;
  basisPoints: number;
}

/** A sale whose tax is computed. `rates` are all rates, past and future. */
interface TaxedSale {
  issuer: Pick<Party, 'country' | 'vatId'>;
  /** True if the platform issues the invoice. A seller without a VAT id states no tax. */
  isPlatform: boolean;
  buyer: Pick<Party, 'country' | 'vatId'> | null;
  saleKind: SaleKind;
  at: Date;
  rates: TaxRateRecord[];
}

/**
 * Returns the tax part of an amount that includes tax, minor units, rounded half up. For amounts that grow, the result
 * never decreases, so the tax of partial refunds adds up to the tax of the sale.
 */
export function taxIn(gross: number, basisPoints: number): number {
  const whole = 10_000n + BigInt(basisPoints);
  return Number((2n * BigInt(gross) * BigInt(basisPoints) + whole) / (2n * whole));
}

/**
 * Returns how tax applies to a sale. Tax is due in the buyer's country, or without one in the issuer's. A buyer with a
 * VAT id of another country than the issuer's owes it (reverse charge).
 */
export function taxTermsOf({ issuer, isPlatform, buyer, saleKind, at, rates }: TaxedSale): TaxTerms {
  if (issuer.country === null || (!isPlatform && issuer.vatId === null)) return { category: 'O', basisPoints: 0 };
  if (buyer?.vatId && buyer.country !== issuer.country) return { category: 'AE', basisPoints: 0 };
  const rate = rateAt(rates, { country: buyer?.country ?? issuer.country, saleKind, at });
  if (rate === null) return { category: 'O', basisPoints: 0 };
  return { category: rate === 0 ? 'Z' : 'S', basisPoints: rate };
}

/** Returns the rate in force in a country for a kind of sale at a time; null without one. */
export function rateAt(
  rates: TaxRateRecord[],
  { country, saleKind, at }: { country: string; saleKind: SaleKind; at: Date },
): number | null {
  const begun = rates.filter(
    (rate) => rate.country === country && rate.saleKind === saleKind && rate.effectiveFrom <= at,
  );
  return begun.sort(byTime).at(-1)?.basisPoints ?? null;
}

function byTime(a: TaxRateRecord, b: TaxRateRecord): number {
  return a.effectiveFrom.getTime() - b.effectiveFrom.getTime() || a.createdAt.getTime() - b.createdAt.getTime();
}
