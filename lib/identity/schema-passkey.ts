import { z } from 'zod';
import { MAX_ASSERTION_MEMBER_LENGTH } from './limits';

const base64url = z
  .string()
  .max(MAX_ASSERTION_MEMBER_LENGTH)
  .regex(/^[\w-]*$/, 'expected base64url');

/** The members of WebAuthn's AuthenticationResponseJSON that Parley reads. */
export const passkeyResponseSchema = z.object({
  id: base64url.min(1),
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
  clientExtensionResults: z.object({}),
});
export type PasskeyResponse = z.infer<typeof passkeyResponseSchema>;

/** A member of the body of guarded changes. */
export const assertionMember = {
  assertion: passkeyResponseSchema
    .optional()
    .describe('The passkey’s response to the options in the error `passkey_required`'),
};
