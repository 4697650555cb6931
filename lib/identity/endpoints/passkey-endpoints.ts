import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { anyObject, listOf } from '../../platform/schema';
import {
  assertionInput,
  cancelRecovery,
  createRegistrationOptions,
  listPasskeys,
  passkeyInput,
  passkeyNameInput,
  removePasskey,
  renamePasskey,
  requestRecovery,
  verifyRegistration,
} from '..';
import { passkeyViewSchema, recoverySchema } from '../schema-views';

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

export const postRecovery = endpoint({
  method: 'POST',
  path: '/api/auth/recovery',
  auth: 'session',
  response: recoverySchema,
  errors: ['sign_in_again', 'conflict'],
  docs: {
    tag: 'Account',
    summary: 'Request the removal of lost passkeys',
    description:
      'Takes effect after 24 hours. A notice on every page and an email announce it; a passkey or the link of the email cancels it.',
  },
  handle: requestRecovery,
});

export const deleteRecovery = endpoint({
  method: 'DELETE',
  path: '/api/auth/recovery',
  auth: 'session',
  body: assertionInput,
  allowsEmptyBody: true,
  errors: ['not_found', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Account', summary: 'Cancel a recovery with a passkey' },
  async handle({ ctx, input }) {
    await cancelRecovery({ ctx, input });
  },
});
