import { endpoint } from '../../http/endpoint';
import { ParleyError } from '../../platform/errors';
import { getBilling, getPaper, listPapers, paperFile, setBilling } from '..';
import {
  billingRole,
  billingSchema,
  paperContentSchema,
  paperFilterSchema,
  paperPageSchema,
  partyDetailsSchema,
} from '../schema-income';
import { documentResponse } from './document-response';

export const getPapers = endpoint({
  method: 'GET',
  path: '/api/papers',
  auth: 'user',
  query: paperFilterSchema,
  response: paperPageSchema,
  docs: {
    tag: 'Payments',
    summary: 'List your invoices and credit notes',
    description:
      'Newest first: of what you bought (scope `pay`), or with `as=seller` of what you sold (`agents:read`).',
  },
  handle: ({ ctx, query }) => listPapers({ ctx, input: query }),
});

export const getPaperPdf = endpoint({
  method: 'GET',
  path: '/api/papers/:id.pdf',
  auth: 'user',
  mediaType: 'application/pdf',
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Get an invoice or credit note as PDF' },
  handle: async ({ ctx, params: { id = '' } }) =>
    documentResponse(await paperFile({ ctx, input: { id, format: 'pdf' } })),
});

export const getPaperXml = endpoint({
  method: 'GET',
  path: '/api/papers/:id.xml',
  auth: 'user',
  mediaType: 'application/xml',
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Get an invoice or credit note as UBL 2.1' },
  handle: async ({ ctx, params: { id = '' } }) =>
    documentResponse(await paperFile({ ctx, input: { id, format: 'xml' } })),
});

export const getOnePaper = endpoint({
  method: 'GET',
  path: '/api/papers/:id',
  auth: 'user',
  response: paperContentSchema,
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Get the content of an invoice or credit note' },
  handle: ({ ctx, params: { id = '' } }) => getPaper({ ctx, input: { id } }),
});

export const getBillingDetails = endpoint({
  method: 'GET',
  path: '/api/billing',
  auth: 'session',
  response: billingSchema,
  docs: { tag: 'Payments', summary: 'Get your details on invoices' },
  handle: getBilling,
});

export const putBillingDetails = endpoint({
  method: 'PUT',
  path: '/api/billing/:role',
  auth: 'session',
  body: partyDetailsSchema,
  response: billingSchema,
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Set your details on later invoices, as buyer or as seller' },
  handle: ({ ctx, input, params: { role = '' } }) => setBilling({ ctx, input: { role: roleOf(role), details: input } }),
});

export const deleteBillingDetails = endpoint({
  method: 'DELETE',
  path: '/api/billing/:role',
  auth: 'session',
  response: billingSchema,
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Remove your details from later invoices' },
  handle: ({ ctx, params: { role = '' } }) => setBilling({ ctx, input: { role: roleOf(role), details: null } }),
});

function roleOf(text: string): 'buyer' | 'seller' {
  const { data } = billingRole.safeParse(text);
  if (!data) throw new ParleyError('not_found', 'There are the roles "buyer" and "seller".');
  return data;
}
