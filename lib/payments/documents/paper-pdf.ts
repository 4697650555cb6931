import { toDecimalText, toMoneyText } from '../../protocol/ap2/money';
import type { PaperContent, Party } from '../schema-income';
import { PdfPage } from './pdf-page';
import { percentText } from './ubl';

/** Returns a paper as PDF. The same content gives the same bytes. */
export async function toPaperPdf(paper: PaperContent): Promise<Buffer> {
  const { kind, number, currency, issuedOn, suppliedOn, saleKind, saleId, reference, lines } = paper;
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const page = await PdfPage.create({
    title: `${name} ${number}`,
    at: new Date(`${issuedOn}T00:00:00Z`),
    language: 'en',
  });
  page.title(`${name} ${number}`, paper.test ? 'TEST CREDITS – not an invoice for real money' : null);
  page.columns([
    ['Issued by', ...addressOf(paper.issuer)],
    ['Issued to', ...(paper.buyer ? addressOf(paper.buyer) : ['The buyer gave no details.'])],
  ]);
  page.columns([
    ['Date of issue', issuedOn],
    ['Date of supply', suppliedOn],
    [saleKind === 'order' ? 'Order' : 'Charge', saleId],
  ]);
  if (reference) page.paragraph(`Corrects invoice ${reference.number} of ${reference.issuedOn}.`);
  page.table(
    [{ width: 6 }, { width: 2, align: 'right' }, { width: 2, align: 'right' }],
    [
      { cells: ['Description', `Net (${currency})`, `With tax (${currency})`] },
      ...lines.map(({ text, net, gross }) => ({ cells: [text, decimal(paper, net), decimal(paper, gross)] })),
      { cells: ['Total without tax', decimal(paper, paper.net), ''] },
      { cells: [`Tax ${rateOf(paper)}`, decimal(paper, paper.tax), ''] },
      { cells: [kind === 'invoice' ? 'Total paid' : 'Total refunded', '', decimal(paper, paper.gross)], bold: true },
    ],
  );
  for (const note of notesOf(paper)) page.paragraph(note, 'muted');
  return page.finish();
}

function decimal({ currency }: PaperContent, minor: number): string {
  return toDecimalText({ currency, minor });
}

function addressOf({ name, street, postalCode, city, country, vatId }: Party): string[] {
  const town = [postalCode, city].filter(Boolean).join(' ');
  const lines = [name, street, town, country ?? ''].filter((line) => line !== '');
  return vatId === null ? lines : [...lines, `VAT id ${vatId}`];
}

function rateOf({ category, basisPoints }: PaperContent): string {
  return category === 'S' ? `${percentText(basisPoints)} %` : '0 %';
}

function notesOf(paper: PaperContent): string[] {
  const { kind, seller, agent, gross, currency, category } = paper;
  const amount = toMoneyText({ currency, minor: gross });
  const done = kind === 'invoice' ? `${amount} was paid. Nothing is due.` : `${amount} was refunded.`;
  const reasons = {
    S: 'Prices include tax.',
    Z: 'Taxed at zero percent.',
    AE: 'Reverse charge: the buyer owes the tax.',
    O: 'No tax is stated.',
  };
  const sold = seller === null ? `Agent: ${agent}.` : `Agent: ${agent}, sold by ${seller}.`;
  return [done, reasons[category], sold];
}
