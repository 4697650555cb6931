import { z } from 'zod';
import {
  MAX_EMAIL_LENGTH,
  MAX_LINK_TOKEN_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PASSKEY_ID_LENGTH,
  MAX_PASSKEY_MEMBER_LENGTH,
  MAX_PASSKEY_TRANSPORT_LENGTH,
  MAX_PASSKEY_TRANSPORTS,
  MAX_PASSWORD_INPUT_LENGTH,
} from './limits';
import { NOTIFICATION_KINDS, passwordError } from './schema';
import { assertionMember } from './schema-views';

/** An email address, normalized as it is stored. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email('expected an email address such as name@example.org'));

const password = z
  .string()
  .min(1, 'expected a password')
  .max(MAX_PASSWORD_INPUT_LENGTH, `expected at most ${MAX_PASSWORD_INPUT_LENGTH} characters`);

const optionalPassword = z.string().max(MAX_PASSWORD_INPUT_LENGTH).default('');

const linkToken = z.string().min(1).max(MAX_LINK_TOKEN_LENGTH);

const name = z
  .string()
  .max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`)
  .transform(cleanName)
  .pipe(z.string().min(1, 'expected a name'));

export const signInInput = z.object({ email, password });

export const signUpInput = z
  .object({ email, name, password: z.string(), next: z.string().optional() })
  .superRefine((input, context) => {
    const message = passwordError(input.password, input.email);
    if (message) context.addIssue({ code: 'custom', path: ['password'], message });
  });

export const confirmInput = z.object({ token: linkToken, password });

/** Requests a magic link. */
export const magicLinkInput = z.object({ email, next: z.string().optional() });

/** Redeems the link in an email. */
export const linkTokenInput = z.object({ token: linkToken });

/** A form posted without JavaScript omits unchecked boxes. */
const checkbox = z.union([z.boolean(), z.literal('on').transform(() => true)]).default(false);

/**
 * The link's token and the new password of a reset. The password's strength is checked later, when the email address is
 * known.
 */
export const resetInput = z.object({ token: linkToken, password, endTokens: checkbox });

/** A change of the password. `current` is omitted when the account has no password yet. */
export const passwordInput = z.object({
  current: optionalPassword,
  password,
  endTokens: checkbox,
  ...assertionMember,
});

/** The deletion of an account. `password` is omitted when the account has none. */
export const deletionInput = z.object({ email, password: optionalPassword, ...assertionMember });

/** The body of a guarded change that has no other members. */
export const assertionInput = z.object(assertionMember);

export const passkeyNameInput = z.object({ name });

const base64url = z
  .string()
  .max(MAX_PASSKEY_MEMBER_LENGTH)
  .regex(/^[\w-]*$/, 'expected base64url');

/** The members of WebAuthn's RegistrationResponseJSON that are read. */
export const passkeyInput = z.object({
  name,
  credential: z.object({
    id: base64url.min(1).max(MAX_PASSKEY_ID_LENGTH),
    rawId: base64url.max(MAX_PASSKEY_ID_LENGTH),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(MAX_PASSKEY_TRANSPORT_LENGTH)).max(MAX_PASSKEY_TRANSPORTS).optional(),
    }),
    clientExtensionResults: z.object({}),
  }),
  ...assertionMember,
});

export const profileInput = z.object({ name });

/** The kinds of email to enable or disable. Omitted kinds stay unchanged. */
export const notificationPreferencesInput = z.partialRecord(z.enum(NOTIFICATION_KINDS), z.boolean());

/**
 * Returns a display name without control, zero-width and bidirectional characters, with which one name could imitate
 * another. Empty if nothing remains.
 */
export function cleanName(text: string): string {
  const visible = text.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return [...visible.replace(/\s+/g, ' ').trim()].slice(0, MAX_NAME_LENGTH).join('');
}
