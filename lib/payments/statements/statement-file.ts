import type { Call } from '../../platform/context';
import { toDecimalText } from '../../protocol/ap2/money';
import { PdfPage } from '../documents/pdf-page';
import type { Statement, StatementBalance } from '../schema-payouts';
import { getStatement } from './read-statements';

const lines = ['opening', 'sales', 'fees', 'tax', 'refunds', 'payouts', 'corrections', 'closing'] as const;

const names = {
  opening: 'Opening balance',
  sales: 'Sales',
  fees: 'Fees',
  tax: 'Tax kept by the platform',
  refunds: 'Refunds',
  payouts: 'Payouts',
  corrections: 'Corrections',
  closing: 'Closing balance',
} satisfies Record<(typeof lines)[number], string>;

/** Returns the user's statement as PDF. @throws {ParleyError} as {@link getStatement} */
export async function statementPdf({ ctx, input }: Call<{ period: string }>): Promise<{ name: string; body: Buffer }> {
  const statement = await getStatement({ ctx, input });
  return { name: `parley-statement-${statement.period}.pdf`, body: await toStatementPdf(statement) };
}

/** Returns a statement as PDF. The same statement gives the same bytes. */
export async function toStatementPdf(statement: Statement): Promise<Buffer> {
  const { period, from, to, isComplete, reconciled, balances } = statement;
  const title = `Statement ${period}`;
  const page = await PdfPage.create({ title, at: new Date(to), language: 'en' });
  page.title(title, isComplete ? null : 'The period has not ended: amounts will change');
  page.paragraph(`From ${from.slice(0, 10)} to ${new Date(Date.parse(to) - 1).toISOString().slice(0, 10)} (UTC).`);
  if (balances.length === 0) page.paragraph('Nothing changed in this period, and nothing was left from before.');
  for (const balance of balances) addBalance(page, balance);
  page.paragraph(
    'Balances include money that is pending, available, kept for disputes, and on its way to the bank.',
    'muted',
  );
  const agrees = 'The ledger, the sales and the payouts agree to the cent.';
  page.paragraph(reconciled ? agrees : 'The ledger and the sales differ. Parley was notified.', 'muted');
  return page.finish();
}

function addBalance(page: PdfPage, balance: StatementBalance): void {
  const { currency, test, saleCount } = balance;
  page.heading(test ? `${currency}, test credits` : currency);
  page.table(
    [{ width: 7 }, { width: 3, align: 'right' }],
    [
      { cells: [`${saleCount} ${saleCount === 1 ? 'sale' : 'sales'}`, `Amount (${currency})`] },
      ...lines.map((line) => ({
        cells: [names[line], toDecimalText({ currency, minor: balance[line] })],
        bold: line === 'opening' || line === 'closing',
      })),
    ],
  );
}
