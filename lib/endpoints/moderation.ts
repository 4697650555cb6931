import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { appealCase, decideCases, getCase, getReceipt, listCases, reportTarget } from '../moderation';
import { appealInputSchema, decisionInputSchema, queueQuerySchema, reportInputSchema } from '../moderation/schema';

/** `POST /api/reports`: 201 and the receipt. Illegal content can be reported without signing in. */
export const postReport: Endpoint = jsonRoute({
  auth: 'anyone',
  body: reportInputSchema,
  handle: async ({ ctx, input, address }) => {
    const receipt = await reportTarget({ ctx, input: { ...input, address } });
    return Response.json(receipt, { status: 201, headers: { location: `/api/reports/${receipt.id}` } });
  },
});

/** `GET /api/reports/{id}`: what came of a report, for whoever has its number. */
export const getReport: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ params }) => getReceipt({ input: { id: params.id ?? '' } }),
});

/** `GET /api/moderation/cases`: the queue; there is none for all but moderators. */
export const getCases: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ ctx, url }) => {
    const input = parseBody(queueQuerySchema, Object.fromEntries(url.searchParams));
    return listCases({ ctx, input });
  },
});

/** `GET /api/moderation/cases/{id}`. */
export const getOneCase: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ ctx, params }) => getCase({ ctx, input: { id: params.id ?? '' } }),
});

/** `POST /api/moderation/decisions`: one decision for up to 50 cases. */
export const postDecisions: Endpoint = jsonRoute({
  auth: 'anyone',
  body: decisionInputSchema,
  handle: decideCases,
});

/** `POST /api/moderation/cases/{id}/appeal`: by who answers for what was taken down, once. */
export const postAppeal: Endpoint = jsonRoute({
  auth: 'session',
  body: appealInputSchema,
  handle: ({ ctx, input, params }) => appealCase({ ctx, input: { ...input, caseId: params.id ?? '' } }),
});
