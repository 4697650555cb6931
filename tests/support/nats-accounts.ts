import { nkeys } from '@nats-io/transport-node';

interface Permissions {
  pub?: { deny: string[] };
  sub?: { deny: string[] };
}

export interface NatsAccounts {
  /** Lines of a server's configuration that trust the operator and have its one account. */
  config: string;
  /** The text of a credentials file for a new user of the account. */
  credentials(permissions?: Permissions): string;
}

type KeyPair = ReturnType<typeof nkeys.createUser>;

const limits = { subs: -1, data: -1, payload: -1 };
const accountLimits = { ...limits, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };

/** Creates an operator with an account, as `nsc` does. */
export function createNatsAccounts(): NatsAccounts {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  const operatorToken = tokenOf(operator, operator, { type: 'operator' });
  const accountToken = tokenOf(account, operator, { type: 'account', limits: accountLimits });
  return {
    config: `operator: ${operatorToken}\nresolver: MEMORY\nresolver_preload: { ${account.getPublicKey()}: ${accountToken} }`,
    credentials(permissions = {}) {
      const user = nkeys.createUser();
      const token = tokenOf(user, account, { type: 'user', pub: {}, sub: {}, ...limits, ...permissions });
      const seed = Buffer.from(user.getSeed()).toString();
      return `${block('NATS USER JWT', token)}\n${block('USER NKEY SEED', seed)}`;
    },
  };
}

function block(name: string, content: string): string {
  return `-----BEGIN ${name}-----\n${content}\n------END ${name}------\n`;
}

/** A signed token about `subject`. */
function tokenOf(subject: KeyPair, issuer: KeyPair, claims: object): string {
  const sub = subject.getPublicKey();
  const payload = {
    jti: sub,
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub,
    nats: { ...claims, version: 2 },
  };
  const signed = [{ typ: 'JWT', alg: 'ed25519-nkey' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
