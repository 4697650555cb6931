import { canonicalizeAgentCard, AgentCard as SdkCard } from '@a2a-js/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifySignatures } from '@/lib/catalog/cards/check-card';
import type { SignatureVerdict } from '@/lib/catalog/schema-cards';
import { allowOrigin } from '@/lib/platform/http-client/external-urls';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import { CardServer } from '../../fakes/card-server';
import { encode, newCardKey, serveKeys, signatureOf, signed } from '../../fakes/card-signer';
import { cardV10 } from '../../fakes/cards';

let server: CardServer;
let elsewhere: CardServer;
const key = newCardKey('card-1');

beforeAll(async () => {
  [server, elsewhere] = [await CardServer.start(), await CardServer.start()];
  for (const { url } of [server, elsewhere]) allowOrigin(url);
});

afterAll(async () => {
  await server.stop();
  await elsewhere.stop();
});

beforeEach(() => {
  serveKeys(server, [key.jwk]);
  elsewhere.requests.length = 0;
});

function card(change: object = {}): JsonObject {
  return cardV10(server.base('agent'), change) as JsonObject;
}

function verdictOn(of: object, now = new Date()): Promise<SignatureVerdict> {
  const cardUrl = `${server.base('agent')}/.well-known/agent-card.json`;
  const read = JSON.parse(JSON.stringify(of)) as JsonObject;
  return verifySignatures({ card: read, cardUrl }, { signal: AbortSignal.timeout(10_000), now });
}

const because = (reason: string): object => ({ state: 'unverified', reason });

describe('a signature is valid', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('with %s, over the card as it was served', async (kind) => {
    const own = newCardKey(`key-${kind}`, kind);
    serveKeys(server, [key.jwk, own.jwk]);
    expect(await verdictOn(signed(card(), own))).toMatchObject({ state: 'verified', alg: kind, kid: own.kid });
  });

  test('KEY-8: whatever the member order, spaces and escapes', async () => {
    const { signatures, ...bare } = signed(card({ description: 'Übersetzt alles.' }), key);
    const turned = Object.fromEntries(Object.entries(bare).reverse());
    const text = JSON.stringify({ signatures, ...turned }, null, 3).replace('Ü', '\\u00dc');
    expect(await verdictOn(JSON.parse(text) as object)).toMatchObject({ state: 'verified' });
  });

  test('over the form of A2A 1.0 §8.4.1, which omits default values', async () => {
    const bare = card();
    const [first] = bare.supportedInterfaces as JsonObject[];
    const [skill] = bare.skills as JsonObject[];
    const served = {
      ...bare,
      supportedInterfaces: [{ ...first, tenant: '' }],
      capabilities: { streaming: false, extensions: [] },
      skills: [{ ...skill, examples: [], description: '' }],
    };
    const payload = canonicalJson({
      ...bare,
      capabilities: { streaming: false },
      securityRequirements: [{ schemes: { bearer: {} } }],
      skills: [{ ...withoutExamples(skill), description: '' }],
    });
    expect(await verdictOn(signed(served, key, { payload }))).toMatchObject({ state: 'verified' });
  });

  test('over the SDK’s form, which omits all empty members', async () => {
    const served = card({ description: '', documentationUrl: '', skills: [] });
    const payload = canonicalizeAgentCard({ ...SdkCard.fromJSON(served), ...served });
    expect(payload).not.toContain('"description":""');
    expect(await verdictOn(signed(served, key, { payload }))).toMatchObject({ state: 'verified' });
  });

  test('with the keys it names, on the card’s own origin', async () => {
    const own = newCardKey('other-place');
    serveKeys(server, [own.jwk], '/keys/cards.json');
    const header = { jku: `${server.url}/keys/cards.json` };
    expect(await verdictOn(signed(card(), own, { header }))).toMatchObject({ state: 'verified' });
  });

  test('even if another signature is invalid', async () => {
    const old = newCardKey('gone');
    const bare = card();
    const both = { ...bare, signatures: [signatureOf(bare, old), signatureOf(bare, key)] };
    expect(await verdictOn(both)).toMatchObject({ state: 'verified', kid: 'card-1' });
  });
});

function withoutExamples(skill: JsonObject | undefined): JsonObject {
  const { examples: _, ...rest } = skill ?? {};
  return rest;
}

describe('a card is not verified', () => {
  test('and is not penalized if it has no signatures', async () => {
    expect(await verdictOn(card())).toEqual({ state: 'unsigned' });
    expect(await verdictOn(card({ signatures: [] }))).toEqual({ state: 'unsigned' });
  });

  test.each([
    ['a text was changed', { description: 'Now it says something else.' }],
    ['a member unknown to the protocol was added', { note: 'hello' }],
    [
      'the address of calls was changed',
      { supportedInterfaces: [{ url: 'https://e.example/a2a', protocolBinding: 'JSONRPC' }] },
    ],
    ['the security schemes were changed', { securitySchemes: {} }],
  ])('KEY-8: if %s after signing', async (_title, change) => {
    expect(await verdictOn({ ...signed(card(), key), ...change })).toEqual(because('mismatch'));
  });

  test('if the SDK’s form omits a member of the card', async () => {
    const served = card({ note: 'not signed' });
    const payload = canonicalizeAgentCard({ ...SdkCard.fromJSON(served), ...served });
    expect(payload).not.toContain('not signed');
    expect(await verdictOn(signed(served, key, { payload }))).toEqual(because('mismatch'));
  });

  test('if another key with the same key id signed it', async () => {
    expect(await verdictOn(signed(card(), newCardKey('card-1')))).toEqual(because('mismatch'));
  });

  test('if its key is missing or duplicated', async () => {
    expect(await verdictOn(signed(card(), newCardKey('nobody')))).toEqual(because('key_unknown'));
    serveKeys(server, [key.jwk, newCardKey('card-1').jwk]);
    expect(await verdictOn(signed(card(), key))).toEqual(because('key_unknown'));
  });

  test('if its keys are on another host, which is never requested', async () => {
    serveKeys(elsewhere, [key.jwk]);
    const header = { jku: `${elsewhere.url}/.well-known/jwks.json` };
    expect(await verdictOn(signed(card(), key, { header }))).toEqual(because('jku_elsewhere'));
    expect(elsewhere.requests).toEqual([]);
  });

  test.each(['none', 'None', 'HS256', 'ES256K', ''])('if the algorithm is "%s"', async (alg) => {
    expect(await verdictOn(signed(card(), key, { header: { alg } }))).toEqual(because('algorithm_refused'));
  });

  test.each([
    ['contains its key', { jwk: key.jwk }],
    ['references a certificate', { x5u: 'https://e.example/cert' }],
    ['requires an extension', { crit: ['b64'], b64: false }],
    ['is of another type', { typ: 'JWT' }],
    ['has an address that is not a string', { jku: 7 }],
  ])('if its header %s', async (_title, header) => {
    expect(await verdictOn(signed(card(), key, { header: header as JsonObject }))).toEqual(because('header_refused'));
  });

  test('if its header names no key', async () => {
    expect(await verdictOn(signed(card(), key, { header: { kid: '' } }))).toEqual(because('kid_missing'));
  });

  test('if the unprotected header has a member that must be protected', async () => {
    const [signature] = signed(card(), key).signatures;
    for (const header of [{ alg: 'none' }, { kid: 'card-2' }, { jku: elsewhere.url }]) {
      expect(await verdictOn(card({ signatures: [{ ...signature, header }] }))).toEqual(because('header_refused'));
    }
    expect(await verdictOn(card({ signatures: [{ ...signature, header: { x: 1 } }] }))).toMatchObject({
      state: 'verified',
    });
  });

  test.each([
    ['is not an object', 'text'],
    ['has no header', { signature: 'AA' }],
    ['has a header that is not JSON', { protected: encode('{'), signature: 'AA' }],
    ['has a duplicate member', { protected: encode('{"alg":"none","alg":"ES256","kid":"card-1"}'), signature: 'AA' }],
    ['has padding', { protected: encode('{}'), signature: 'AA==' }],
    ['is too long', { protected: 'A'.repeat(5_000), signature: 'AA' }],
  ])('if a signature %s', async (_title, signature) => {
    expect(await verdictOn(card({ signatures: [signature] }))).toEqual(because('malformed'));
  });

  test('if there are too many signatures', async () => {
    const bare = card();
    const signatures = Array.from({ length: 9 }, () => signatureOf(bare, key));
    expect(await verdictOn({ ...bare, signatures })).toEqual(because('too_many'));
  });

  test('if it names more key URLs than are fetched', async () => {
    const bare = card();
    const places = ['/keys/1', '/keys/2', '/keys/3'];
    serveKeys(server, [key.jwk], '/keys/3');
    const signatures = places.map((place) => signatureOf(bare, key, { header: { jku: server.url + place } }));
    expect(await verdictOn({ ...bare, signatures })).toEqual(because('keys_unreachable'));
    expect(await verdictOn({ ...bare, signatures: signatures.slice(1) })).toMatchObject({ state: 'verified' });
  });

  test.each<[string, JsonObject]>([
    ['is for encryption', { use: 'enc' }],
    ['is for another algorithm', { alg: 'ES384' }],
    ['was revoked', { revoked: { revoked_at: 1 } }],
    ['has expired', { exp: 1_700_000_000 }],
    ['contains a private part', { d: 'AAAA' }],
  ])('if its key %s', async (_title, change) => {
    serveKeys(server, [{ ...key.jwk, ...change }]);
    expect(await verdictOn(signed(card(), key))).toEqual(because('key_refused'));
  });

  test('if its key is too short', async () => {
    const weak = newCardKey('weak', 'weak RS256');
    serveKeys(server, [weak.jwk]);
    expect(await verdictOn(signed(card(), weak))).toEqual(because('key_refused'));
  });

  test.each([
    ['are not found', 'keys_unreachable', { status: 404, body: '' }],
    ['redirect to another address', 'keys_unreachable', { status: 302, body: '' }],
    ['are not JSON', 'keys_invalid', { status: 200, body: '<html>' }],
    ['are not a key set', 'keys_invalid', { status: 200, body: '{"keys":{}}' }],
    [
      'are too many',
      'keys_invalid',
      { status: 200, body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }) },
    ],
    ['are too large', 'keys_unreachable', { status: 200, body: ' '.repeat(70_000) }],
  ])('if the keys %s', async (_title, reason, { status, body }) => {
    server.on('GET', '/.well-known/jwks.json', (_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/keys` }).end(body);
    });
    expect(await verdictOn(signed(card(), key))).toEqual(because(reason));
    expect(elsewhere.requests).toEqual([]);
  });
});
