import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_SCOPE_LENGTH, MAX_SECRET_LENGTH, MAX_URL_LENGTH } from './limits';

const secret = z
  .string()
  .max(MAX_SECRET_LENGTH, `expected at most ${MAX_SECRET_LENGTH} characters`)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'expected printable ASCII without spaces around it');
/** Headers that HTTP, A2A or Parley uses. */
const reservedHeaders =
  /^(host|connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-.*|accept.*|cookie|via|user-agent|forwarded|x-forwarded-.*|proxy-.*|a2a-.*|x-a2a-.*|parley-.*|trace(parent|state)|idempotency-key)$/i;

/** Body of `PUT /api/agents/{slug}/credentials`: the credential with which Parley authenticates to an agent. */
export const credentialInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bearer'), token: secret }),
  z
    .strictObject({
      kind: z.literal('api-key'),
      in: z.enum(['header', 'query']),
      name: z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, 'expected 1 to 80 letters, digits, "-", "_" or "."'),
      value: secret,
    })
    .refine((key) => key.in === 'query' || !reservedHeaders.test(key.name), {
      path: ['name'],
      message: 'expected a header that HTTP and A2A do not use otherwise, such as X-API-Key',
    }),
  z.strictObject({
    kind: z.literal('oauth-client-credentials'),
    tokenUrl: z.url('expected an absolute https URL').max(MAX_URL_LENGTH),
    clientId: secret,
    clientSecret: secret,
    scope: z
      .string()
      .max(MAX_SCOPE_LENGTH)
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'expected scopes separated by single spaces')
      .optional(),
    /** The transmission of client id and secret: HTTP Basic (default), or in the form (RFC 6749 §2.3.1). */
    clientAuth: z.enum(['basic', 'body']).optional(),
  }),
]);
export type CredentialInput = z.infer<typeof credentialInputSchema>;

/** A stored credential without its secret. */
export const credentialSchema = z.object({
  kind: z.enum(['bearer', 'api-key', 'oauth-client-credentials']),
  setAt: time,
});
export type CredentialView = z.infer<typeof credentialSchema>;
