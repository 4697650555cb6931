import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { anyObject, listOf } from '../../platform/schema';
import {
  assertionInput,
  createRegistrationOptions,
  listPasskeys,
  passkeyInput,
  passkeyNameInput,
  removePasskey,
  renamePasskey,
  verifyRegistration,
} from '..';
import { passkeyViewSchema } from '../schema-views';

export const getPasskeys = endpoint({
  method: 'GET',
  path: '/api/auth/passkeys',
  auth: 'session',
  response: listOf(passkeyViewSchema),
  docs: { tag: 'Account', summary: 'List your passkeys' },
  handle: async ({ ctx }) => ({ items: await listPasskeys({ ctx }) }),
});

export const postPasskeyOptions = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/options',
  auth: 'session',
  response: anyObject,
  errors: ['sign_in_again'],
  docs: {
    tag: 'Account',
    summary: 'Start adding a passkey',
    description: 'Returns PublicKeyCredentialCreationOptionsJSON (WebAuthn).',
  },
  handle: createRegistrationOptions,
});

export const postPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys',
  auth: 'session',
  body: passkeyInput,
  response: passkeyViewSchema,
  status: 201,
  errors: ['sign_in_again', 'passkey_required', 'passkey_refused', 'conflict'],
  docs: { tag: 'Account', summary: 'Add a passkey' },
  handle: async ({ ctx, input }) => jsonResponse(await verifyRegistration({ ctx, input }), { status: 201 }),
});

export const patchPasskey = endpoint({
  method: 'PATCH',
  path: '/api/auth/passkeys/:id',
  auth: 'session',
  body: passkeyNameInput,
  docs: { tag: 'Account', summary: 'Rename a passkey' },
  handle: async ({ ctx, input, params: { id = '' } }) => {
    await renamePasskey({ ctx, input: { ...input, id } });
    return undefined;
  },
});

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  auth: 'session',
  body: assertionInput,
  allowsEmptyBody: true,
  errors: ['sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Account', summary: 'Remove a passkey' },
  handle: async ({ ctx, input, params: { id = '' } }) => {
    await removePasskey({ ctx, input: { ...input, id } });
    return undefined;
  },
});
