import { z } from 'zod';
import { MAX_NAME_LENGTH, NOTIFICATION_KINDS, passwordFault } from './schema';

/** An e-mail address as it is kept. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('expected an e-mail address such as name@example.org'));

/** Longer than any password that sign-up takes: what is longer cannot be right and is not worth hashing. */
const givenPassword = z.string().min(1, 'expected a password').max(1_000, 'expected at most 1000 characters');

const name = z
  .string()
  .max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`)
  .transform(cleanName)
  .pipe(z.string().min(1, 'expected a name'));

export const signInInput = z.object({ email, password: givenPassword });

export const signUpInput = z
  .object({ email, name, password: z.string(), next: z.string().optional() })
  .superRefine(({ password, email: address }, context) => {
    const fault = passwordFault(password, address);
    if (fault) context.addIssue({ code: 'custom', path: ['password'], message: fault });
  });

export const confirmInput = z.object({ token: z.string().min(1).max(100), password: givenPassword });

/** A link by mail is asked for. */
export const magicLinkInput = z.object({ email, next: z.string().optional() });

export const signInLinkInput = z.object({ token: z.string().min(1).max(100) });

/** From a form without script, a box that is not checked is absent. */
const checkbox = z.union([z.boolean(), z.literal('on').transform(() => true)]).default(false);

/** Its strength is held against the address once that is known. */
export const resetInput = z.object({
  token: z.string().min(1).max(100),
  password: givenPassword,
  endTokens: checkbox,
});

/** `current` is left out where the account has no password yet. */
export const passwordInput = z.object({
  current: z.string().max(1_000).default(''),
  password: givenPassword,
  endTokens: checkbox,
});

/** An account that signs in elsewhere has no password to prove. */
export const deletionInput = z.object({ email, password: z.string().max(1_000).default('') });

export const passkeyNameInput = z.object({ name });

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, 'expected base64url');

/** RegistrationResponseJSON of WebAuthn, as far as it is read. */
export const passkeyInput = z.object({
  name,
  credential: z.object({
    id: base64url.min(1).max(1_400),
    rawId: base64url.max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(30)).max(10).optional(),
    }),
    clientExtensionResults: z.object({}),
  }),
});

export const profileInput = z.object({ name });

/** Kinds that are left out stay as they are. */
export const notificationPreferencesInput = z.partialRecord(z.enum(NOTIFICATION_KINDS), z.boolean());

/**
 * A person's name fit to be shown: no controls, no zero-width characters and no marks that turn the direction of text, with
 * which one name could pose as another (XSS-3). Empty when nothing is left.
 */
export function cleanName(given: string): string {
  const visible = given.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return [...visible.replace(/\s+/g, ' ').trim()].slice(0, MAX_NAME_LENGTH).join('');
}
