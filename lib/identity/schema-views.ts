import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_ASSERTION_MEMBER_LENGTH, PROOF_COUNTER_MAX, PROOF_KEY_ITERATIONS } from './limits';
import { NOTIFICATION_KINDS } from './schema';

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

const hex = z
  .string()
  .max(MAX_ASSERTION_MEMBER_LENGTH)
  .regex(/^[0-9a-f]*$/, 'expected hexadecimal digits');

/** A solved ALTCHA challenge (version 2). Only our parameters are accepted, so that verifying one is cheap. */
export const guestProofSchema = z.strictObject({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      cost: z.literal(PROOF_KEY_ITERATIONS),
      keyLength: z.literal(32),
      keyPrefix: hex,
      keySignature: hex,
      nonce: hex,
      salt: hex,
      expiresAt: z.number(),
    }),
    signature: hex,
  }),
  solution: z.strictObject({
    counter: z.int().min(0).max(PROOF_COUNTER_MAX),
    derivedKey: hex,
    time: z.number().optional(),
  }),
});
export type GuestProof = z.infer<typeof guestProofSchema>;

/** A session, for its user. */
export const sessionViewSchema = z.object({
  id: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
  /** Browser and operating system in words, such as "Firefox on Windows". */
  device: z.string(),
  address: z.string(),
  signedInAt: time,
  lastSeenAt: time,
  expiresAt: time,
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** A passkey, for its owner. */
export const passkeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type PasskeyView = z.infer<typeof passkeyViewSchema>;

/** A requested removal of all passkeys; the response of `POST /api/auth/recovery`. */
export const recoverySchema = z.object({ dueAt: time.describe('When all passkeys are removed') });
export type RecoveryView = z.infer<typeof recoverySchema>;

/** The user of a credential; the response of `GET /api/auth/profile`. `scopes` is null for a session. */
export const profileSchema = z.object({
  email: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).nullable(),
});
export type Profile = z.infer<typeof profileSchema>;

/** The state of a kind of email. `fixed` kinds are always enabled. */
export const notificationPreferenceSchema = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  wanted: z.boolean(),
  fixed: z.boolean(),
});
export type NotificationPreference = z.infer<typeof notificationPreferenceSchema>;
