import { csvRows, fileResponse } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import { getStatement, listStatements, statementPdf } from '..';
import { type StatementBalance, statementSchema, statementsSchema } from '../schema-payouts';
import { documentResponse } from './document-response';

export const getStatements = endpoint({
  method: 'GET',
  path: '/api/statements',
  auth: { scope: 'agents:read' },
  response: statementsSchema,
  docs: { tag: 'Payments', summary: 'List the periods of your statements' },
  handle: listStatements,
});

export const getStatementPdf = endpoint({
  method: 'GET',
  path: '/api/statements/:period.pdf',
  auth: { scope: 'agents:read' },
  mediaType: 'application/pdf',
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Get a statement as PDF' },
  handle: async ({ ctx, params: { period = '' } }) =>
    documentResponse({ ...(await statementPdf({ ctx, input: { period } })), mediaType: 'application/pdf' }),
});

export const getStatementCsv = endpoint({
  method: 'GET',
  path: '/api/statements/:period.csv',
  auth: { scope: 'agents:read' },
  mediaType: 'text/csv',
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Get a statement as CSV', description: 'Amounts are in minor units.' },
  handle: async ({ ctx, params: { period = '' } }) => {
    const { balances } = await getStatement({ ctx, input: { period } });
    return fileResponse(
      csvRows(each(balances), { period: () => period, ...columns }),
      `parley-statement-${period}.csv`,
    );
  },
});

export const getOneStatement = endpoint({
  method: 'GET',
  path: '/api/statements/:period',
  auth: { scope: 'agents:read' },
  response: statementSchema,
  errors: ['not_found'],
  docs: {
    tag: 'Payments',
    summary: 'Get a statement of a month or year',
    description: 'By currency: opening + sales + fees + tax + refunds + payouts + corrections = closing.',
  },
  handle: ({ ctx, params: { period = '' } }) => getStatement({ ctx, input: { period } }),
});

/** Columns of the CSV file. Amounts are in minor units. */
const columns: Record<string, (balance: StatementBalance) => string | number | boolean> = {
  currency: ({ currency }) => currency,
  test: ({ test }) => test,
  sale_count: ({ saleCount }) => saleCount,
  opening: ({ opening }) => opening,
  sales: ({ sales }) => sales,
  fees: ({ fees }) => fees,
  tax: ({ tax }) => tax,
  refunds: ({ refunds }) => refunds,
  payouts: ({ payouts }) => payouts,
  corrections: ({ corrections }) => corrections,
  closing: ({ closing }) => closing,
};

async function* each<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}
