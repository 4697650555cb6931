import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOAuthClient } from '@/lib/tokens';
import type { AppView, NewClientSecret } from '@/lib/tokens/schema';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { createApp } from './tokens-fixture';

let parley: SharedParley;
let ada: Person;
let app: NewClientSecret;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  app = await createApp(parley.url, ada, 'Weather\u202E');
});

afterAll(async () => {
  await query('test-reinstate', 'UPDATE "user" SET suspended_at = NULL WHERE id = $1', [ada.userId]);
});

const redirectUris = ['https://app.example/callback', 'http://127.0.0.1/callback', 'com.example.app:/callback'];

function setUris(body: object, { id = app.id, person = ada } = {}): Promise<Response> {
  const session = { cookie: person.cookie, origin: parley.url };
  return send(`${parley.url}/api/apps/${id}/redirect-uris`, { method: 'PUT', body, ...session });
}

function find(clientId: string): Promise<unknown> {
  return findOAuthClient({ clientId, ctx: { actor: { kind: 'anonymous' }, now: new Date() } });
}

describe('a developer app’s redirect URIs', () => {
  test('are set by the owner, listed, and make the app a client that users can connect', async () => {
    const response = await setUris({ redirectUris: [...redirectUris, redirectUris[0]] });
    expect(response.status).toBe(200);
    const { clientSecret: _, ...view } = app;
    expect(await response.json()).toEqual({ ...view, redirectUris });
    const listed = await send(`${parley.url}/api/apps`, { bearer: ada.accessToken });
    expect(((await listed.json()) as { items: AppView[] }).items).toContainEqual({ ...view, redirectUris });
    expect(await find(app.clientId)).toEqual({
      clientId: app.clientId,
      kind: 'app',
      name: 'Weather',
      host: null,
      redirectUris,
      grantTypes: ['authorization_code', 'refresh_token'],
    });
  });

  test.each(['http://app.example/', 'javascript:alert(1)', 'https://app.example/#x', 'https://u@app.example/', ''])(
    'REDIR-1 %s is rejected, with the reason at its position',
    async (uri) => {
      const response = await setUris({ redirectUris: [redirectUris[0], uri] });
      expect(response.status).toBe(400);
      const { faults } = (await response.json()) as { faults: { pointer: string; message: string }[] };
      expect(faults).toEqual([{ pointer: '/redirectUris/1', message: expect.stringMatching(/\.$/) }]);
    },
  );

  test('AUZ-1 can be read and changed only by the app’s owner', async () => {
    const eve = await createPerson(parley.url, 'Eve');
    const answers = new Set<string>();
    for (const id of [app.id, 'app_00000000000000000000', 'x']) {
      const response = await setUris({ redirectUris: ['https://evil.example/'] }, { id, person: eve });
      const { requestId: _, ...body } = (await response.json()) as { requestId: string };
      answers.add(JSON.stringify({ status: response.status, body }));
    }
    expect([...answers]).toEqual([expect.stringContaining('"not_found"')]);
  });

  test('AUD-1 are logged in the audit log when they change, but without the URIs', async () => {
    const session = { cookie: ada.cookie, origin: parley.url };
    const response = await send(`${parley.url}/api/account/activity`, session);
    const { items } = (await response.json()) as { items: { event: string; object: string }[] };
    expect(items.find(({ event }) => event === 'app.changed')).toMatchObject({ object: app.id });
    expect(JSON.stringify(items)).not.toContain('app.example');
  });

  test('belong to no client if the app’s owner is suspended', async () => {
    await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [ada.userId]);
    await expect(find(app.clientId)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  test.each(['app_00000000000000000000', 'app_00000000000000000000.AAAAAAAAAAA', 'parley-web'])(
    'belong to no client for the invalid id %s',
    async (clientId) => {
      await expect(find(clientId)).rejects.toMatchObject({ code: 'invalid_client' });
    },
  );
});
