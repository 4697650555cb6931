import { currencyOfAsset } from '../../protocol/ap2/money';
import { MAX_PAPER_LINE_LENGTH, MAX_PAPER_LINES } from '../limits';
import type { PaperRecord } from '../record';
import type { PaperContent, PaperKind, Party } from '../schema-income';
import type { PaperSource } from '../store/papers/paper-sources';
import { type TaxTerms, taxIn } from '../tax/tax-rules';

/** The parties and the tax of a new invoice. */
export interface InvoiceTerms {
  issuer: Party;
  buyer: Party | null;
  seller: string | null;
  agent: string;
  terms: TaxTerms;
}

/** A paper without its number. */
export type Draft = Omit<PaperContent, 'number'>;

/** Returns the number of a paper as it is printed. Test credits have their own series. */
export function numberText({
  kind,
  test,
  year,
  number,
}: Pick<PaperRecord, 'kind' | 'test' | 'year' | 'number'>): string {
  const name = kind === 'invoice' ? 'INV' : 'CN';
  return `${test ? 'TEST-' : ''}${name}-${year}-${String(number).padStart(6, '0')}`;
}

/** Returns the invoice of a captured sale. */
export function draftInvoice(source: PaperSource, invoice: InvoiceTerms, now: Date): Draft {
  const { terms, ...parties } = invoice;
  const { saleKind, saleId, currency, test, amount: gross, capturedAt } = source;
  const tax = taxIn(gross, terms.basisPoints);
  return {
    kind: 'invoice',
    issuedOn: dayOf(now),
    suppliedOn: dayOf(capturedAt),
    test,
    ...parties,
    saleKind,
    saleId,
    // A paper has a currency of ISO 4217.
    currency: currencyOfAsset(currency),
    lines: withNet(linesOf(source, parties.agent), terms.basisPoints),
    ...terms,
    net: gross - tax,
    tax,
    gross,
    reference: null,
  };
}

/**
 * Returns the paper of a refund, or of one that the bank returned: it has the parties and the rate of the invoice. The
 * tax is the difference between the taxes of what was refunded before and afterwards, so that a sale that is refunded
 * in parts returns exactly its tax.
 */
export function draftCorrection(
  source: PaperSource,
  { sale, now }: { sale: Pick<PaperContent, 'kind' | 'gross'>[] & { 0: PaperContent }; now: Date },
): Draft {
  const [invoice] = sale;
  const kind: PaperKind = source.kind === 'refund' ? 'credit_note' : 'invoice';
  const before = sale.slice(1).reduce((sum, { kind: of, gross }) => sum + (of === 'credit_note' ? gross : -gross), 0);
  const gross = source.amount;
  const after = kind === 'credit_note' ? before + gross : before - gross;
  const tax = Math.abs(taxIn(after, invoice.basisPoints) - taxIn(before, invoice.basisPoints));
  const { number, issuedOn, reference: _, ...rest } = invoice;
  const text = kind === 'credit_note' ? `Refund of invoice ${number}` : `Refund of invoice ${number} that was returned`;
  return {
    ...rest,
    kind,
    issuedOn: dayOf(now),
    lines: [{ text, net: gross - tax, gross }],
    net: gross - tax,
    tax,
    gross,
    reference: { number, issuedOn },
  };
}

interface GrossLine {
  text: string;
  gross: number;
}

/** Divides the tax among lines, so that their sum is the tax of the whole. */
function withNet(lines: GrossLine[], basisPoints: number): PaperContent['lines'] {
  let before = 0;
  return lines.map(({ text, gross }) => {
    const tax = taxIn(before + gross, basisPoints) - taxIn(before, basisPoints);
    before += gross;
    return { text, net: gross - tax, gross };
  });
}

/** Returns what was sold. A cart with discounts, taxes or too many lines is one line. */
function linesOf({ offer, plan, units, amount }: PaperSource, agent: string): GrossLine[] {
  if (!offer) return [{ text: plainText(`${agent}: ${workText(plan, units)}`), gross: amount }];
  const { lines } = offer;
  const isPlain = lines.length > 0 && lines.length <= MAX_PAPER_LINES && lines.every(isPlainLine);
  const sum = lines.reduce((total, { minor }) => total + minor, 0);
  if (isPlain && sum === amount) return lines.map(({ label, minor }) => ({ text: plainText(label), gross: minor }));
  const items = lines.filter(({ kind }) => kind === 'item').map(({ label }) => label);
  return [{ text: plainText(items.join(', ') || agent), gross: amount }];
}

function isPlainLine({ kind, minor }: { kind: string; minor: number }): boolean {
  return minor >= 0 && kind !== 'tax' && kind !== 'discount';
}

function workText(plan: PaperSource['plan'], units: number | null): string {
  if (plan?.kind === 'unit') return `${units ?? 0} × ${plan.unit}`;
  return plan?.kind === 'message' ? 'message' : 'task';
}

/** Returns text of others without characters that a document cannot show or that change the order of text. */
export function plainText(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Co}\p{Cs}\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu, ' ').trim();
  return [...visible].slice(0, MAX_PAPER_LINE_LENGTH).join('');
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
