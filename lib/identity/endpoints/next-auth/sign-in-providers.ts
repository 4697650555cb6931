import type { Profile } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { env } from '../../../platform/runtime/env';
import { PROVIDER_TIMEOUT_MS } from '../../limits';

const claimsShape = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
});
const githubUser = z.object({ id: z.number(), login: z.string(), name: z.string().nullable() });
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Returns next-auth's configuration of every provider in the environment. */
export function providerConfigs(): OAuthConfig<Profile>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET } = env();
  const configs: OAuthConfig<Profile>[] = [];
  if (OIDC_ISSUER) configs.push(openIdConnect('oidc', OIDC_ISSUER, { id: OIDC_CLIENT_ID, secret: OIDC_CLIENT_SECRET }));
  if (GITHUB_ID) configs.push(github({ id: GITHUB_ID, secret: GITHUB_SECRET }));
  if (GOOGLE_ID) {
    configs.push(openIdConnect('google', 'https://accounts.google.com', { id: GOOGLE_ID, secret: GOOGLE_SECRET }));
  }
  return configs;
}

interface Client {
  id: string | undefined;
  secret: string | undefined;
}

/**
 * Returns a provider of OpenID Connect with discovery. The email address may be only in the userinfo response (OIDC
 * Core §5.4), so both that and the ID token are read. Users are identified by issuer and `sub`, because `sub` is unique
 * only per issuer.
 */
function openIdConnect(id: string, issuer: string, client: Client): OAuthConfig<Profile> {
  return {
    id,
    name: id,
    type: 'oauth',
    wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId: client.id,
    clientSecret: client.secret,
    authorization: { params: { scope: 'openid email profile' } },
    userinfo: {
      async request({ client: openid, tokens }) {
        // The ID token's claims; next-auth has verified its signature, issuer, audience and nonce.
        const claims = claimsShape.parse(typeof tokens.claims === 'function' ? tokens.claims() : undefined);
        if (!openid.issuer.metadata.userinfo_endpoint) return claims;
        const userinfo = claimsShape.parse(await openid.userinfo(tokens.access_token ?? ''));
        if (userinfo.sub !== claims.sub) throw new Error('userinfo is about another subject than the ID token');
        return { ...claims, ...userinfo };
      },
    },
    profile: (claims) => ({ id: `${issuer} ${claims.sub}`, email: claims.email, name: claims.name }),
    httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
  };
}

/** Returns the configuration of GitHub, which supports only OAuth. Its API lists the verified email addresses. */
function github(client: Client): OAuthConfig<Profile> {
  return {
    id: 'github',
    name: 'github',
    type: 'oauth',
    checks: ['pkce', 'state'],
    clientId: client.id,
    clientSecret: client.secret,
    issuer: 'https://github.com/login/oauth',
    authorization: { url: 'https://github.com/login/oauth/authorize', params: { scope: 'read:user user:email' } },
    token: { url: 'https://github.com/login/oauth/access_token' },
    userinfo: {
      url: 'https://api.github.com/user',
      async request({ client: oauth, tokens }) {
        const token = tokens.access_token ?? '';
        const user = githubUser.parse(await oauth.userinfo(token));
        const response = await oauth.requestResource('https://api.github.com/user/emails', token);
        const emails = githubEmails.parse(JSON.parse(String(response.body)));
        const primary = emails.find((email) => email.primary);
        return {
          sub: String(user.id),
          name: user.name ?? user.login,
          email: primary?.email,
          email_verified: primary?.verified ?? false,
        };
      },
    },
    profile: (user) => ({ id: user.sub ?? '', email: user.email, name: user.name }),
    httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
  };
}
