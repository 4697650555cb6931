import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { createLocalJWKSet, createRemoteJWKSet, flattenedVerify, type JSONWebKeySet, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import { CardServer } from '../fakes/card-server';
import { newCardKey, serveKeys, signed } from '../fakes/card-signer';
import { cardV10 } from '../fakes/cards';
import { createPerson, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

let parley: Parley;
let cards: CardServer;
let ada: Person;

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(async () => {
  await parley?.stop();
  await cards?.stop();
});

async function register(url: string): Promise<string> {
  const response = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
  const body = (await response.json()) as { slug: string };
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.slug;
}

interface SignedCard extends JsonObject {
  signatures: { protected: string; signature: string }[];
}

async function pureCard(slug: string): Promise<SignedCard> {
  const at = `${parley.url}/agents/${slug}/.well-known/agent-card.json`;
  return (await (await fetch(at, { headers: { 'a2a-version': '1.0' } })).json()) as SignedCard;
}

async function keySet(): Promise<JSONWebKeySet> {
  return (await (await fetch(`${parley.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
}

/** Fetches as the SDK does: by key id, at the address in the signature. */
async function keyOf(kid: string, jku?: string): Promise<JWK> {
  const keys = ((await (await fetch(jku ?? '')).json()) as JSONWebKeySet).keys;
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key) throw new Error(`no key ${kid}`);
  return key;
}

/** A card whose upstream has everything that canonicalizations treat differently: empty texts, lists and objects. */
const awkward = {
  name: 'Awkward — Ünïcode 😀',
  documentationUrl: '',
  capabilities: {
    streaming: false,
    extensions: [
      {
        uri: 'https://e.example/ext',
        description: '',
        params: { empty: '', none: null, list: [[], ''], n: 1e21, keep: [0] },
      },
    ],
  },
};

describe('CARD-SIGN a card that Parley issues for A2A 1.0 (§8.4)', () => {
  test('is verified by the SDK', async () => {
    const slug = await register(cards.serve('sdk', cardV10(cards.base('sdk'), awkward)));
    const card = await pureCard(slug);
    const verify = verifyAgentCardSignature(keyOf);
    // As JSON: from its own object the SDK loses the security schemes (a2a-js #663).
    const asSdkCard = { ...AgentCard.fromJSON(card), ...card };
    await verify(asSdkCard as AgentCard);
    const altered = { ...asSdkCard, description: 'Something else' } as AgentCard;
    await expect(verify(altered)).rejects.toThrow('No valid signatures');
  });

  test('can be verified with only JCS, JOSE and a key that signs nothing but cards', async () => {
    const slug = await register(cards.serve('jose', cardV10(cards.base('jose'), { ...awkward, name: 'Jose' })));
    const { signatures, ...card } = await pureCard(slug);
    expect(signatures).toHaveLength(1);
    const payload = Buffer.from(canonicalJson(card)).toString('base64url');
    const [signature] = signatures;
    const { protectedHeader } = await flattenedVerify(
      { payload, protected: signature?.protected ?? '', signature: signature?.signature ?? '' },
      createRemoteJWKSet(new URL(`${parley.url}/.well-known/jwks.json`)),
    );
    const jku = `${parley.url}/.well-known/jwks.json`;
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: expect.stringMatching(/^card-/), typ: 'JOSE', jku });
    const { keys } = await keySet();
    expect(keys.find(({ kid }) => kid === protectedHeader?.kid)).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' });
    expect(keys.filter(({ kid }) => kid?.startsWith('tok-')).map(({ alg }) => alg)).toEqual(['RS256']);
    expect(keys.every((key) => key.d === undefined)).toBe(true);
  });

  test('has identical bytes in every response, even after a restart, and a new ETag after a change', async () => {
    const url = cards.serve('same', cardV10(cards.base('same'), { name: 'Same' }));
    const slug = await register(url);
    const at = `${parley.url}/agents/${slug}/.well-known/agent-card.json`;
    const headers = { 'a2a-version': '1.0' };
    const before = await fetch(at, { headers });
    const etag = before.headers.get('etag') ?? '';
    const bytes = await before.text();
    await parley.restart();
    expect(await (await fetch(at, { headers })).text()).toBe(bytes);
    expect((await fetch(at, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304);
    cards.serve('same', cardV10(cards.base('same'), { name: 'Same', description: 'But different.' }));
    await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
    expect((await fetch(at, { headers })).headers.get('etag')).not.toBe(etag);
  });

  test('is signed only in the 1.0 shape, and the signature covers that shape', async () => {
    const slug = await register(cards.serve('shapes', cardV10(cards.base('shapes'), { name: 'Shapes' })));
    for (const file of ['agent-card.json', 'agent.json']) {
      const card = await (await fetch(`${parley.url}/agents/${slug}/.well-known/${file}`)).json();
      expect(card).not.toHaveProperty('signatures');
    }
  });

  test('fails verification if it is altered', async () => {
    const slug = await register(cards.serve('altered', cardV10(cards.base('altered'), { name: 'Altered' })));
    const { signatures, ...card } = await pureCard(slug);
    const payload = Buffer.from(canonicalJson({ ...card, name: 'Another' })).toString('base64url');
    const [signature] = signatures;
    const jws = { payload, protected: signature?.protected ?? '', signature: signature?.signature ?? '' };
    await expect(flattenedVerify(jws, createLocalJWKSet(await keySet()))).rejects.toThrow(
      'signature verification failed',
    );
  });
});

describe('the signature of an agent’s own card', () => {
  const key = newCardKey('card-1');

  async function viewOf(slug: string): Promise<{ signature: object; badges: string[]; card?: object }> {
    return (await (await fetch(`${parley.url}/api/agents/${slug}`)).json()) as { signature: object; badges: string[] };
  }

  test('is shown to everyone as a badge if it is valid', async () => {
    serveKeys(cards, [key.jwk]);
    const slug = await register(
      cards.serve('good', signed(cardV10(cards.base('good'), { name: 'Good signature' }), key)),
    );
    const view = await viewOf(slug);
    expect(view.signature).toMatchObject({ state: 'verified', kid: 'card-1', alg: 'ES256' });
    expect(view.badges).toContain('signed');
    expect(view).not.toHaveProperty('card');
    const found = await (await fetch(`${parley.url}/api/agents?capability=signed`)).json();
    expect((found as { items: { slug: string }[] }).items.map((item) => item.slug)).toEqual([slug]);
  });

  test('is shown without a badge, but with the reason, if it is invalid (KEY-8)', async () => {
    serveKeys(cards, [key.jwk]);
    const broken = { ...signed(cardV10(cards.base('bad')), key), name: 'Bad signature' };
    const view = await viewOf(await register(cards.serve('bad', broken)));
    expect(view.signature).toEqual({ state: 'unverified', reason: 'mismatch' });
    expect(view.badges).not.toContain('signed');
  });

  test('is optional', async () => {
    const view = await viewOf(await register(cards.serve('none', cardV10(cards.base('none'), { name: 'None' }))));
    expect(view.signature).toEqual({ state: 'unsigned' });
  });
});
