import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { toPaperPdf } from '@/lib/payments/documents/paper-pdf';
import { toUbl } from '@/lib/payments/documents/ubl';
import { plainText } from '@/lib/payments/papers/paper-content';
import type { PaperContent } from '@/lib/payments/schema-income';
import { buyerDetails, sellerDetails, textOfPdf } from './paper-fixture';

const invoice: PaperContent = {
  kind: 'invoice',
  number: 'INV-2026-000001',
  issuedOn: '2026-11-30',
  suppliedOn: '2026-11-29',
  test: false,
  issuer: sellerDetails,
  buyer: buyerDetails,
  seller: null,
  agent: 'Pizzeria',
  saleKind: 'order',
  saleId: 'ord_1',
  currency: 'EUR',
  lines: [
    { text: 'Margherita & <Cola>', net: 1_000, gross: 1_190 },
    { text: 'Delivery', net: 595, gross: 708 },
  ],
  category: 'S',
  basisPoints: 1_900,
  net: 1_595,
  tax: 303,
  gross: 1_898,
  reference: null,
};
const creditNote: PaperContent = {
  ...invoice,
  kind: 'credit_note',
  number: 'CN-2026-000001',
  reference: { number: invoice.number, issuedOn: invoice.issuedOn },
};

/** The texts of a document by the path of their element, read by a parser that rejects what is not well-formed. */
function read(xml: string): Map<string, string[]> {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const texts = new Map<string, string[]>();
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    text = '';
  });
  parser.on('text', (some) => {
    text += some;
  });
  parser.on('closetag', ({ isSelfClosing }) => {
    const key = path.join('/');
    if (!isSelfClosing && text.trim() !== '') texts.set(key, [...(texts.get(key) ?? []), text]);
    text = '';
    path.pop();
  });
  parser.write(xml).close();
  return texts;
}

describe('UBL', () => {
  test('states parties, lines, tax and totals that add up', () => {
    const xml = read(toUbl(invoice));
    const at = (path: string): string[] => xml.get(`Invoice/${path}`) ?? [];
    expect(at('cbc:ID')).toEqual(['INV-2026-000001']);
    expect(at('cbc:InvoiceTypeCode')).toEqual(['380']);
    expect(at('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID')).toEqual(['DE136695976']);
    expect(at('cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName')).toEqual([
      'Αθηνά Жуковська 🍕',
    ]);
    expect(at('cac:InvoiceLine/cac:Item/cbc:Name')).toEqual(['Margherita & <Cola>', 'Delivery']);
    expect(at('cac:InvoiceLine/cbc:LineExtensionAmount')).toEqual(['10.00', '5.95']);
    expect(at('cac:TaxTotal/cbc:TaxAmount')).toEqual(['3.03']);
    expect(at('cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent')).toEqual(['19']);
    expect(at('cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount')).toEqual(['15.95']);
    expect(at('cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount')).toEqual(['18.98']);
    expect(at('cac:LegalMonetaryTotal/cbc:PayableAmount')).toEqual(['0.00']);
  });

  test('a credit note names its invoice, and has the elements of its own schema', () => {
    const xml = read(toUbl(creditNote));
    const reference = 'CreditNote/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID';
    expect(xml.get(reference)).toEqual(['INV-2026-000001']);
    expect(xml.get('CreditNote/cbc:CreditNoteTypeCode')).toEqual(['381']);
    expect(xml.has('CreditNote/cbc:DueDate')).toBe(false);
    expect(xml.get('CreditNote/cac:CreditNoteLine/cbc:CreditedQuantity')).toEqual(['1', '1']);
  });

  test('without tax states a reason, and no VAT id where that is forbidden', () => {
    const none = read(toUbl({ ...invoice, category: 'O', basisPoints: 0, tax: 0, net: 1_898 }));
    expect([...none.keys()].filter((key) => /PartyTaxScheme|Percent/.test(key))).toEqual([]);
    const reverse = read(toUbl({ ...invoice, category: 'AE', basisPoints: 0, tax: 0, net: 1_898 }));
    const reason = 'Invoice/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason';
    expect(reverse.get(reason)).toEqual(['Reverse charge']);
  });

  test('is well-formed and keeps the text, whatever others wrote', () => {
    const check = fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const shown = plainText(text);
      const xml = read(toUbl({ ...invoice, lines: [{ text: shown, net: 1_595, gross: 1_898 }] }));
      const [name] = xml.get('Invoice/cac:InvoiceLine/cac:Item/cbc:Name') ?? [];
      if (shown !== '') expect(name?.trim()).toBe(shown);
    });
    fc.assert(check, { numRuns: 2_000 });
    expect(() =>
      read(toUbl({ ...invoice, agent: '\u0000\ud800]]>', lines: [{ text: '\u0000\ud800]]>', net: 1, gross: 1 }] })),
    ).not.toThrow();
  });
});

describe('PDF', () => {
  test('has the text of the paper, embedded fonts, and the same totals', async () => {
    const pdf = await toPaperPdf(invoice);
    const text = textOfPdf(pdf);
    for (const part of [
      'Invoice INV-2026-000001',
      'Sella Verde GmbH',
      'DE136695976',
      'Margherita & <Cola>',
      'Tax 19 %',
    ])
      expect(text).toContain(part);
    for (const amount of ['15.95', '3.03', '18.98']) expect(text).toContain(amount);
    expect(pdf.toString('latin1')).toMatch(/\/FontFile2 /);
    expect(pdf.toString('latin1')).not.toMatch(/\/BaseFont \/Helvetica/);
  });

  test('shows Greek and Cyrillic, and a replacement for what the font lacks', async () => {
    const text = textOfPdf(await toPaperPdf(invoice));
    expect(text).toContain('Αθηνά Жуковська \ufffd');
  });

  test('is the same for the same paper, and of any number of lines', async () => {
    expect((await toPaperPdf(invoice)).equals(await toPaperPdf(structuredClone(invoice)))).toBe(true);
    const lines = Array.from({ length: 50 }, (_, index) => ({
      text: `Line ${index} ${'x'.repeat(180)}`,
      net: 1,
      gross: 1,
    }));
    const text = textOfPdf(await toPaperPdf({ ...invoice, lines }));
    expect(text).toContain('Line 49');
    expect(text).toContain('Total paid');
  });

  test('of test credits says that it is no invoice', async () => {
    expect(textOfPdf(await toPaperPdf({ ...creditNote, test: true }))).toContain('not an invoice for real money');
  });
});
