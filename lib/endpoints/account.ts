import { deleteAccount, exportAccount, listActivity } from '../account';
import { jsonRoute } from '../http/routes/json-route';
import { textStream } from '../http/text-stream';
import { deletionInput } from '../identity';
import { signedOutResponse } from './auth-session';

/** `GET /api/account/activity`: what the audit log tells of the person; `?cursor=` goes on. */
export const getActivity = jsonRoute({
  auth: 'session',
  handle: ({ ctx, url }) => listActivity({ ctx, input: { cursor: url.searchParams.get('cursor') } }),
});

/** `POST /api/account/export`: everything that is kept about the person, as a file. POST, so that no other site can ask. */
export const postExport = jsonRoute({
  auth: 'session',
  async handle({ ctx }) {
    const day = ctx.now.toISOString().slice(0, 10);
    return new Response(textStream(await exportAccount({ ctx })), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="parley-account-${day}.json"`,
      },
    });
  },
});

/** `POST /api/account/deletion`: deletes the account for good; 204, and the browser forgets its session. */
export const postDeletion = jsonRoute({
  auth: 'session',
  body: deletionInput,
  async handle({ ctx, input, address }) {
    await deleteAccount({ ctx, input: { ...input, address } });
    return signedOutResponse();
  },
});
