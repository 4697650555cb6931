import { toDecimalText } from '../../protocol/ap2/money';
import type { PaperContent, Party } from '../schema-income';

/** An element: its name with prefix, attributes, and children or text. */
type Node = [name: string, content: string | Node[], attributes?: Record<string, string>];

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/** Why no tax is charged, by category; texts of EN 16931 for the categories that require a reason. */
const exemptions = { AE: 'Reverse charge', O: 'Not subject to VAT' } as const;

/**
 * Returns a paper as UBL 2.1 in the elements of Peppol BIS Billing 3.0. The same content gives the same bytes. Parties
 * without a registered electronic address have none, so the file is data for the receiver's software, not a message for
 * the network.
 */
export function toUbl(paper: PaperContent): string {
  const isInvoice = paper.kind === 'invoice';
  const name = isInvoice ? 'Invoice' : 'CreditNote';
  const root: Node = [
    name,
    [
      ['cbc:CustomizationID', CUSTOMIZATION],
      ['cbc:ProfileID', PROFILE],
      ['cbc:ID', paper.number],
      ['cbc:IssueDate', paper.issuedOn],
      // A paid invoice is due on its day. UBL has no due date of a credit note.
      ...((isInvoice ? [['cbc:DueDate', paper.issuedOn]] : []) as Node[]),
      [`cbc:${name}TypeCode`, isInvoice ? '380' : '381'],
      ...((paper.test ? [['cbc:Note', 'Test credits. Not an invoice for real money.']] : []) as Node[]),
      ['cbc:DocumentCurrencyCode', paper.currency],
      ['cbc:BuyerReference', paper.saleId],
      ...referenceOf(paper),
      ['cac:AccountingSupplierParty', [partyOf(paper.issuer, paper)]],
      ['cac:AccountingCustomerParty', [partyOf(paper.buyer ?? unnamed, paper)]],
      ['cac:Delivery', [['cbc:ActualDeliveryDate', paper.suppliedOn]]],
      ['cac:PaymentMeans', [['cbc:PaymentMeansCode', '68', { name: 'Online payment service' }]]],
      taxOf(paper),
      totalsOf(paper),
      ...paper.lines.map((line, index) => lineOf(paper, { line, index })),
    ],
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
      'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    },
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root, '')}`;
}

const unnamed: Party = { name: 'Customer', street: '', postalCode: '', city: '', country: null, vatId: null };

function referenceOf({ reference }: PaperContent): Node[] {
  if (!reference) return [];
  const document: Node[] = [
    ['cbc:ID', reference.number],
    ['cbc:IssueDate', reference.issuedOn],
  ];
  return [['cac:BillingReference', [['cac:InvoiceDocumentReference', document]]]];
}

function partyOf({ name, street, postalCode, city, country, vatId }: Party, { category }: PaperContent): Node {
  const address: Node[] = [
    ...filled('cbc:StreetName', street),
    ...filled('cbc:CityName', city),
    ...filled('cbc:PostalZone', postalCode),
    ...((country ? [['cac:Country', [['cbc:IdentificationCode', country]]]] : []) as Node[]),
  ];
  // A document that is not subject to tax must not state VAT ids (BR-O-02).
  const isTaxed = vatId !== null && category !== 'O';
  const scheme: Node[] = [
    ['cbc:CompanyID', vatId ?? ''],
    ['cac:TaxScheme', [['cbc:ID', 'VAT']]],
  ];
  return [
    'cac:Party',
    [
      ['cac:PartyName', [['cbc:Name', name]]],
      ['cac:PostalAddress', address],
      ...((isTaxed ? [['cac:PartyTaxScheme', scheme]] : []) as Node[]),
      ['cac:PartyLegalEntity', [['cbc:RegistrationName', name]]],
    ],
  ];
}

function filled(name: string, text: string): Node[] {
  return text === '' ? [] : [[name, text]];
}

function amount(name: string, minor: number, { currency }: PaperContent): Node {
  return [name, toDecimalText({ currency, minor }), { currencyID: currency }];
}

function taxOf(paper: PaperContent): Node {
  const { category } = paper;
  const reason = category === 'AE' || category === 'O' ? exemptions[category] : '';
  const subtotal: Node[] = [
    amount('cbc:TaxableAmount', paper.net, paper),
    amount('cbc:TaxAmount', paper.tax, paper),
    ['cac:TaxCategory', categoryOf(paper, reason)],
  ];
  return ['cac:TaxTotal', [amount('cbc:TaxAmount', paper.tax, paper), ['cac:TaxSubtotal', subtotal]]];
}

function categoryOf({ category, basisPoints }: PaperContent, reason = ''): Node[] {
  return [
    ['cbc:ID', category],
    ...((category === 'O' ? [] : [['cbc:Percent', percentText(basisPoints)]]) as Node[]),
    ...filled('cbc:TaxExemptionReason', reason),
    ['cac:TaxScheme', [['cbc:ID', 'VAT']]],
  ];
}

/** Returns a rate in percent: 1900 is `19`, 770 is `7.7`. */
export function percentText(basisPoints: number): string {
  return String(basisPoints / 100);
}

function totalsOf(paper: PaperContent): Node {
  return [
    'cac:LegalMonetaryTotal',
    [
      amount('cbc:LineExtensionAmount', paper.net, paper),
      amount('cbc:TaxExclusiveAmount', paper.net, paper),
      amount('cbc:TaxInclusiveAmount', paper.gross, paper),
      amount('cbc:PrepaidAmount', paper.gross, paper),
      amount('cbc:PayableAmount', 0, paper),
    ],
  ];
}

function lineOf(
  paper: PaperContent,
  { line: { text, net }, index }: { line: PaperContent['lines'][number]; index: number },
): Node {
  const isInvoice = paper.kind === 'invoice';
  const item: Node[] = [
    ['cbc:Name', text || paper.saleId],
    ['cac:ClassifiedTaxCategory', categoryOf(paper)],
  ];
  return [
    isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine',
    [
      ['cbc:ID', String(index + 1)],
      [isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', '1', { unitCode: 'C62' }],
      amount('cbc:LineExtensionAmount', net, paper),
      ['cac:Item', item],
      ['cac:Price', [amount('cbc:PriceAmount', net, paper)]],
    ],
  ];
}

function render([name, content, attributes = {}]: Node, indent: string): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`);
  const open = `${indent}<${name}${start.join('')}>`;
  if (typeof content === 'string') return `${open}${escapeText(content)}</${name}>\n`;
  return `${open}\n${content.map((child) => render(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/** Escapes text, and removes the characters that XML 1.0 cannot contain. */
function escapeText(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => names[character] ?? '');
}
