import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StandingReview } from '@/lib/payments/schema-standing';
import { ACCESS_SCOPES } from '@/lib/platform/scopes';
import { Authenticator } from '../fakes/authenticator';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person, send, testPassword } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { addPasskey, ask, askWithPasskey, buy, offerOf, type PaymentsFixture } from './payments-fixture';
import { requestStanding, termsFor } from './standing-fixture';
import { postForm } from './tokens-fixture';

/** A user with a passkey, and a token with every scope from before they had it. */
export interface Guarded {
  client: ChatClient;
  person: Person;
  key: Authenticator;
  token: string;
}

export async function newGuarded(fixture: Pick<PaymentsFixture, 'url'>): Promise<Guarded> {
  const person = await createPerson(fixture.url, 'Gwen');
  const client = new ChatClient(fixture.url, person);
  const body = { name: 'all', scopes: ACCESS_SCOPES };
  const { token } = (await ask<{ token: string }>(client, '/api/auth/access-tokens', { body })).body;
  // A synced passkey has no counter that would reveal a replay.
  const key = await addPasskey(client, fixture.url, { counter: 0 });
  return { client, person, key, token };
}

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

export type Answer = { code: string; title: string; passkey?: { challenge: string } };

export function make<Body = Answer>(
  { client }: Pick<Guarded, 'client'>,
  call: Call,
  assertion?: object,
): ReturnType<typeof ask<Body>> {
  const body = { ...call.body, ...(assertion && { assertion }) };
  return ask<Body>(client, call.path, { method: call.method, body });
}

/** The challenge of a guarded change, which its refusal contains. */
export async function challengeFor(guarded: Pick<Guarded, 'client'>, call: Call): Promise<string> {
  const { body } = await make(guarded, call);
  if (!body.passkey) throw new Error(`expected a challenge, found ${JSON.stringify(body)}`);
  return body.passkey.challenge;
}

/** Makes a guarded change with the user's passkey. */
export function makeWithPasskey<Body = Answer>(guarded: Guarded, call: Call): ReturnType<typeof ask<Body>> {
  return askWithPasskey<Body>(guarded.client, guarded.key, { ...call, flaws: { counter: 0 } });
}

/** A guarded change on an account that is prepared for it. */
export interface Case {
  call: Call;
  /** The same kind of change with other contents. */
  other?: Call;
  /** Makes the change necessary again. */
  again?: () => Promise<unknown>;
  /** The source of the challenge, if it is not in the refusal. */
  challenge?: () => Promise<string>;
}

const put = (path: string, body: Call['body']): Call => ({ method: 'PUT', path, body });
const post = (path: string, body: Call['body'] = {}): Call => ({ method: 'POST', path, body });

const monthly = { scope: 'account', subject: '', period: 'month', currency: 'EUR' };

/** The call that adds a passkey, with the response of its authenticator. */
export async function enrollment(
  { client }: Pick<Guarded, 'client'>,
  key = new Authenticator(client.url),
): Promise<Call> {
  const options = await ask<{ challenge: string }>(client, '/api/auth/passkeys/options', { method: 'POST' });
  return post('/api/auth/passkeys', { name: 'Second', credential: key.register(options.body) });
}

/** One change per guard. */
export const cases = {
  'passkey.add': async (guarded: Guarded): Promise<Case> => {
    // The challenge of the later one is valid.
    const other = await enrollment(guarded);
    return { call: await enrollment(guarded), other };
  },
  'passkey.remove': async ({ key }: Guarded): Promise<Case> => ({
    call: { method: 'DELETE', path: `/api/auth/passkeys/${key.id}`, body: {} },
  }),
  'password.change': async (_guarded: Guarded): Promise<Case> => ({
    call: put('/api/auth/password', { current: testPassword, password: 'an entirely new sentence' }),
    other: put('/api/auth/password', { current: testPassword, password: 'another entirely new sentence' }),
  }),
  'token.create': async (_guarded: Guarded): Promise<Case> => ({
    call: post('/api/auth/access-tokens', { name: 'CI', scopes: ['pay'] }),
    other: post('/api/auth/access-tokens', { name: 'CI', scopes: ['pay', 'guards:write'] }),
    again: async () => undefined,
  }),
  'device.allow': async ({ client }: Guarded): Promise<Case> => {
    const started = await postForm(`${client.url}/api/auth/device`, { client_id: 'parley-cli', scope: 'pay' });
    const { user_code: userCode } = (await started.json()) as { user_code: string };
    return { call: post('/api/auth/device/decide', { userCode, allow: true }) };
  },
  'payment.threshold': async (guarded: Guarded): Promise<Case> => {
    const set = (passkeyAbove: number | null): Call => put('/api/payments/settings', { passkeyAbove });
    const again = () => make(guarded, set(1_000));
    await again();
    return { call: set(null), other: set(2_000), again };
  },
  'spending.limit': async (guarded: Guarded): Promise<Case> => {
    const set = (amount: number | null): Call => put('/api/spending/limits', { ...monthly, amount });
    const again = () => make(guarded, set(2_000));
    await again();
    return { call: set(5_000), other: set(null), again };
  },
  'spending.time-zone': async (_guarded: Guarded): Promise<Case> => ({
    call: put('/api/spending/time-zone', { timeZone: 'Asia/Tokyo' }),
    other: put('/api/spending/time-zone', { timeZone: 'Asia/Seoul' }),
  }),
  'standing.create': async (guarded: Guarded, fixture: PaymentsFixture): Promise<Case> => {
    const { client } = guarded;
    const first = await buy(client, await offerOf(fixture, { client }), 'captured');
    const review = (maxTotal: number) =>
      ask<StandingReview>(client, '/api/standing-approvals/review', { body: termsFor({ first }, { maxTotal }) });
    const [reviewed, wider] = [await review(10_000), await review(90_000)];
    return {
      call: post('/api/standing-approvals', { id: reviewed.body.id }),
      other: post('/api/standing-approvals', { id: wider.body.id }),
      challenge: async () => String(reviewed.body.passkey.challenge),
    };
  },
  'standing.resume': async (guarded: Guarded, fixture: PaymentsFixture): Promise<Case> => {
    const { client } = guarded;
    const first = await buy(client, await offerOf(fixture, { client }), 'captured');
    const created = await requestStanding({ ...guarded, first }, {}, { counter: 0 });
    const id = created.body.items[0]?.id;
    const again = () => make(guarded, put(`/api/standing-approvals/${id}/paused`, { paused: true }));
    await again();
    return { call: put(`/api/standing-approvals/${id}/paused`, { paused: false }), again };
  },
  'standing.allow': async (guarded: Guarded): Promise<Case> => {
    const again = () => make(guarded, put('/api/spending/automatic-payments', { stopped: true }));
    await again();
    return { call: put('/api/spending/automatic-payments', { stopped: false }), again };
  },
  'recovery.cancel': async (guarded: Guarded): Promise<Case> => {
    await make(guarded, post('/api/auth/recovery'));
    return { call: { method: 'DELETE', path: '/api/auth/recovery', body: {} } };
  },
  'account.export': async (_guarded: Guarded): Promise<Case> => ({
    call: post('/api/account/export'),
    again: async () => undefined,
  }),
  'account.delete': async ({ person }: Guarded): Promise<Case> => ({
    call: post('/api/account/deletion', { email: person.email, password: testPassword }),
  }),
};

/** The change by an access token. */
export function makeWithToken({ client, token }: Guarded, { method, path, body }: Call): ReturnType<typeof send> {
  return send(`${client.url}${path}`, { method, body, bearer: token });
}

/** The emails to a user, oldest first. */
export function mailsTo(dataDir: string, email: string): string[] {
  const outbox = join(dataDir, 'outbox');
  const mails = existsSync(outbox) ? readdirSync(outbox).sort() : [];
  return mails
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
    .filter((text) => text.includes(`To: ${email}\r\n`));
}

/** The latest email to a user that matches, once it is sent; not one of the first `known`. */
export function mailedTo(
  dataDir: string,
  { person, known = 0 }: Pick<Guarded, 'person'> & { known?: number },
  pattern: RegExp,
): Promise<string> {
  const find = (): string | null =>
    mailsTo(dataDir, person.email)
      .slice(known)
      .findLast((text) => pattern.test(text)) ?? null;
  return waitFor(find, { what: `an email ${pattern}` });
}

/** The token of the link in an email that undoes a change; empty without one. */
export function undoTokenIn(mail: string): string {
  return /\/undo\?token=([\w-]+)/.exec(mail)?.[1] ?? '';
}

export function undo({ client }: Pick<Guarded, 'client'>, token: string): ReturnType<typeof send> {
  return send(`${client.url}/api/account/undo`, { body: { token } });
}
