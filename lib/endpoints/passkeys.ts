import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import {
  createRegistrationOptions,
  listPasskeys,
  passkeyInput,
  passkeyNameInput,
  removePasskey,
  renamePasskey,
  verifyRegistration,
} from '../identity';

/** `GET /api/auth/passkeys`: the person's passkeys. */
export const getPasskeys: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listPasskeys({ ctx }) }),
});

/** `POST /api/auth/passkeys/options`: what the browser makes a new passkey with. */
export const postPasskeyOptions: Endpoint = jsonRoute({ auth: 'session', handle: createRegistrationOptions });

/** `POST /api/auth/passkeys`: keeps what the browser made; 201. */
export const postPasskey: Endpoint = jsonRoute({
  auth: 'session',
  body: passkeyInput,
  handle: async ({ ctx, input }) => Response.json(await verifyRegistration({ ctx, input }), { status: 201 }),
});

/** `PATCH /api/auth/passkeys/{id}`: renames one; 204. */
export const patchPasskey: Endpoint = jsonRoute({
  auth: 'session',
  body: passkeyNameInput,
  handle: async ({ ctx, input, params: { id = '' } }) => {
    await renamePasskey({ ctx, input: { ...input, id } });
    return undefined;
  },
});

/** `DELETE /api/auth/passkeys/{id}`: forgets one; 204. */
export const deletePasskey: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' } }) => {
    await removePasskey({ ctx, input: { id } });
    return undefined;
  },
});
