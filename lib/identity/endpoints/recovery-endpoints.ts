import { endpoint } from '../../http/endpoint';
import { assertionInput, cancelRecovery, requestRecovery } from '..';
import { recoverySchema } from '../schema-views';

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
