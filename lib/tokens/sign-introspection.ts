import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import type { Introspection } from '../protocol/oauth/introspection';
import { requireApp } from './policy';
import { signJwt } from './sign-jwt';

/**
 * An answer of introspection as a JWT for the app that asked (RFC 9701 §5). What it says stands in one member alone and its
 * type is its own, so that it is no token (§8.1).
 * @throws {OAuthError} `unauthorized_client`
 */
export function signIntrospection({ ctx, input }: { ctx: Ctx; input: { answer: Introspection } }): Promise<string> {
  const { clientId } = requireApp(ctx.actor);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims = { iss: env().APP_URL, aud: clientId, iat, token_introspection: input.answer };
  return signJwt('token-introspection+jwt', claims, ctx.now);
}
