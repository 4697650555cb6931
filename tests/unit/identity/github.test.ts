import { beforeAll, describe, expect, test } from 'vitest';
import { providerConfigs } from '@/lib/identity/endpoints/next-auth/sign-in-providers';

type Config = ReturnType<typeof providerConfigs>[number];
let github: Config;

beforeAll(() => {
  process.env.GITHUB_ID = 'an-id';
  process.env.GITHUB_SECRET = 'a-secret';
  const found = providerConfigs().find(({ id }) => id === 'github');
  if (!found) throw new Error('GitHub is configured and not among the providers');
  github = found;
});

/** The result our settings produce from GitHub's two responses: the user and the list of their addresses. */
async function read(user: object, emails: object[]): Promise<object> {
  const asked: string[] = [];
  const client = {
    userinfo: async () => user,
    requestResource: async (url: string) => {
      asked.push(url);
      return { body: Buffer.from(JSON.stringify(emails)) };
    },
  };
  const { userinfo } = github;
  if (typeof userinfo !== 'object' || !userinfo.request) throw new Error('GitHub needs an own userinfo request');
  const profile = await userinfo.request({ client, tokens: { access_token: 'x' }, provider: github } as never);
  expect(asked).toEqual(['https://api.github.com/user/emails']);
  return profile;
}

const user = { id: 7, login: 'ada', name: null, email: 'public@example.test' };

describe('a GitHub profile', () => {
  test('yields the primary email address and whether it is verified, not the public one', async () => {
    const emails = [
      { email: 'public@example.test', primary: false, verified: false },
      { email: 'ada@example.test', primary: true, verified: true },
    ];
    expect(await read(user, emails)).toEqual({
      sub: '7',
      name: 'ada',
      email: 'ada@example.test',
      email_verified: true,
    });
  });

  test('never marks an unverified email address as verified', async () => {
    expect(await read(user, [{ email: 'ada@example.test', primary: true, verified: false }])).toMatchObject({
      email_verified: false,
    });
  });

  test('yields no email address if none is primary', async () => {
    const profile = await read(user, [{ email: 'ada@example.test', primary: false, verified: true }]);
    expect(profile).toMatchObject({ email: undefined, email_verified: false });
  });

  test('is rejected if it has an unexpected shape', async () => {
    await expect(read({ ...user, id: '7' }, [])).rejects.toThrow();
    await expect(read(user, [{ email: 'ada@example.test' }])).rejects.toThrow();
  });
});
