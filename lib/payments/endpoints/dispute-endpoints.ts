import { endpoint } from '../../http/endpoint';
import { jsonResponse, respond } from '../../http/respond';
import {
  changeDispute,
  decideDispute,
  getDispute,
  getDisputeEvidence,
  getDisputeFile,
  listDisputes,
  openDispute,
} from '..';
import {
  disputeActionSchema,
  disputeDecisionSchema,
  disputeEvidenceSchema,
  disputeFilterSchema,
  disputePageSchema,
  disputeSchema,
  openDisputeSchema,
} from '../schema-disputes';

const forBoth = 'Buyers need the scope `pay`, sellers `agents:read`. Moderators read every dispute.';

export const postDispute = endpoint({
  method: 'POST',
  path: '/api/disputes',
  auth: { scope: 'pay' },
  body: openDisputeSchema,
  response: disputeSchema,
  status: 201,
  errors: ['not_found', 'conflict', 'rate_limited'],
  docs: {
    tag: 'Payments',
    summary: 'Dispute what you paid',
    description:
      'Within 14 days of the payment, once for each order or charge. The seller’s money of it is held until the dispute ends. The seller has 7 days to answer; without an answer or an agreement, a moderator decides.',
  },
  handle: async ({ ctx, input }) => {
    const dispute = await openDispute({ ctx, input });
    return jsonResponse(dispute, { status: 201, headers: { location: `/api/disputes/${dispute.id}` } });
  },
});

export const getDisputes = endpoint({
  method: 'GET',
  path: '/api/disputes',
  auth: 'user',
  query: disputeFilterSchema,
  response: disputePageSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Payments', summary: 'List disputes', description: `Newest first. ${forBoth}` },
  handle: ({ ctx, query }) => listDisputes({ ctx, input: query }),
});

export const getOneDispute = endpoint({
  method: 'GET',
  path: '/api/disputes/:id',
  auth: 'user',
  response: disputeSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Payments', summary: 'Get a dispute', description: forBoth },
  handle: ({ ctx, params: { id = '' } }) => getDispute({ ctx, input: { id } }),
});

export const getEvidence = endpoint({
  method: 'GET',
  path: '/api/disputes/:id/evidence',
  auth: 'user',
  response: disputeEvidenceSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: {
    tag: 'Payments',
    summary: 'Get the receipt and the transcript of a disputed sale',
    description: forBoth,
  },
  handle: ({ ctx, params: { id = '' } }) => getDisputeEvidence({ ctx, input: { id } }),
});

/** Files are downloads, so that no browser runs them. */
export const getFileOfDispute = endpoint({
  method: 'GET',
  path: '/api/disputes/:id/files/:fileId',
  auth: 'user',
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Payments', summary: 'Download a file of a dispute', description: forBoth },
  handle: async ({ ctx, params: { id = '', fileId = '' } }) => {
    const { name, bytes } = await getDisputeFile({ ctx, input: { id, fileId } });
    return respond(200, Buffer.from(bytes), {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
  },
});

export const postDisputeAction = endpoint({
  method: 'POST',
  path: '/api/disputes/:id/actions',
  auth: 'user',
  body: disputeActionSchema,
  response: disputeSchema,
  errors: ['not_found', 'conflict', 'rate_limited'],
  docs: {
    tag: 'Payments',
    summary: 'Answer, propose, agree or withdraw in a dispute',
    description:
      'Buyers need the scope `pay`, sellers `agents:write`. `actions` of the dispute lists what is possible.',
  },
  handle: ({ ctx, input, params: { id = '' } }) => changeDispute({ ctx, input: { ...input, id } }),
});

export const postDisputeDecision = endpoint({
  method: 'POST',
  path: '/api/disputes/:id/decision',
  auth: 'anyone',
  body: disputeDecisionSchema,
  response: disputeSchema,
  errors: ['not_found', 'conflict', 'sign_in_again'],
  docs: {
    tag: 'Moderation',
    summary: 'Decide a dispute',
    description: 'Only for moderators who signed in within the last 15 minutes; returns 404 for everyone else.',
  },
  handle: ({ ctx, input, params: { id = '' } }) => decideDispute({ ctx, input: { ...input, id } }),
});
