import { z } from 'zod';
import { rejectCrossOrigin } from '../http/credentials';
import { fileResponse } from '../http/download';
import { type Endpoint, endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { assertionInput, deletionInput, linkTokenInput } from '../identity';
import { signedOutResponse } from '../identity/endpoints/session-endpoints';
import { withFormFallback } from '../identity/endpoints/sign-in-forms';
import { agentName, anyObject, pageOf, time } from '../platform/schema';
import { deleteAccount, exportAccount, listActivity, undoChange } from '.';
import { activityTopics } from './schema';

const activityView = z.object({
  id: z.int().describe('Number of the entry in the audit log'),
  at: time,
  event: z.string().describe('The event, such as session.started'),
  object: z.string().describe('The ID of the affected object; empty if it is implied'),
  agent: agentName.nullable(),
  detail: z.string(),
  by: z.string().describe('The session, token or app that was used; empty for a sign-in'),
  place: z.object({ device: z.string(), address: z.string() }).nullable(),
});

const getActivity = endpoint({
  method: 'GET',
  path: '/api/account/activity',
  auth: 'session',
  query: z.object({ cursor: z.string().optional(), topic: z.enum(activityTopics).optional() }),
  response: pageOf(activityView),
  docs: { tag: 'Account', summary: 'List your account activity' },
  handle: ({ ctx, query }) => listActivity({ ctx, input: query }),
});

/** A POST, so that a link on another site cannot trigger it. */
const postExport = endpoint({
  method: 'POST',
  path: '/api/account/export',
  auth: 'session',
  body: assertionInput,
  allowsEmptyBody: true,
  response: anyObject,
  errors: ['passkey_required', 'passkey_refused'],
  docs: { tag: 'Account', summary: 'Download all data stored about you' },
  async handle({ ctx, input }) {
    const day = ctx.now.toISOString().slice(0, 10);
    return fileResponse(await exportAccount({ ctx, input }), `parley-account-${day}.json`);
  },
});

const postDeletion = endpoint({
  method: 'POST',
  path: '/api/account/deletion',
  auth: 'session',
  body: deletionInput,
  errors: ['sign_in_again', 'passkey_required', 'passkey_refused', 'conflict'],
  docs: { tag: 'Account', summary: 'Delete your account' },
  async handle({ ctx, input, address }) {
    await deleteAccount({ ctx, input: { ...input, address } });
    return signedOutResponse();
  },
});

const postUndo = endpoint({
  method: 'POST',
  path: '/api/account/undo',
  errors: ['not_found', 'rate_limited'],
  docs: {
    tag: 'Account',
    summary: 'Undo a change with the link in an email',
    description: 'Restores the state before the change of a sign-in method or payment limit, once, within 7 days.',
  },
  serve: withFormFallback(
    jsonRoute({
      auth: 'anyone',
      body: linkTokenInput,
      async handle({ ctx, input, request, address }) {
        rejectCrossOrigin(request);
        await undoChange({ ctx, input: { ...input, address } });
      },
    }),
    { page: '/undo', successPage: '/undo/done' },
  ),
});

export const accountEndpoints: Endpoint[] = [getActivity, postExport, postDeletion, postUndo];
