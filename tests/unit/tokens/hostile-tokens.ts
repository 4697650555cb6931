import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Data available to an attacker and, for the claims, data that a bug in Parley could sign. */
export interface Forge {
  kid: string;
  /** The real signing key: everything in `signedByUs` is refused although its signature is valid. */
  privateKey: KeyObject;
  /** Claims of a valid token, issued now. */
  claims: Record<string, unknown>;
  /** An address that must never be fetched. */
  canary: string;
}

export interface HostileToken {
  name: string;
  token: string;
}

type Signer = (input: string) => Buffer;
type Tokens = Record<string, string>;

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function forge(header: unknown, claims: unknown, signer: Signer): string {
  const input = `${segment(header)}.${segment(claims)}`;
  return `${input}.${signer(input).toString('base64url')}`;
}

function rs256(key: KeyObject): Signer {
  return (input) => sign('sha256', Buffer.from(input), key);
}

/** The valid token, as a control: a verifier must accept it for the other results to be meaningful. */
export function goodToken({ kid, privateKey, claims }: Forge): string {
  return forge({ alg: 'RS256', typ: 'at+jwt', kid }, claims, rs256(privateKey));
}

/** More than a hundred tokens that must never be accepted. */
export function hostileTokens(from: Forge): HostileToken[] {
  const groups: Record<string, Tokens> = {
    none: noneAlgorithms(from),
    confusion: hmacConfusions(from),
    algorithm: otherAlgorithms(from),
    header: headerInjections(from),
    claims: badClaims(from),
    json: strangeJson(from),
    shape: strangeShapes(from),
    signature: badSignatures(from),
  };
  return Object.entries(groups).flatMap(([group, tokens]) =>
    Object.entries(tokens).map(([name, token]) => ({ name: `${group}: ${name}`, token })),
  );
}

function noneAlgorithms({ kid, claims, privateKey }: Forge): Tokens {
  const unsigned = (alg: unknown) => forge({ alg, typ: 'at+jwt', kid }, claims, () => Buffer.alloc(0));
  const signature = rs256(privateKey);
  return {
    none: unsigned('none'),
    None: unsigned('None'),
    NONE: unsigned('NONE'),
    nOnE: unsigned('nOnE'),
    'none with a space': unsigned(' none'),
    'empty algorithm': unsigned(''),
    'null algorithm': unsigned(null),
    'no algorithm': forge({ typ: 'at+jwt', kid }, claims, () => Buffer.alloc(0)),
    'none with a real signature': forge({ alg: 'none', typ: 'at+jwt', kid }, claims, signature),
    'none without the last dot': unsigned('none').slice(0, -1),
    'no algorithm with a real signature': forge({ typ: 'at+jwt', kid }, claims, signature),
  };
}

function hmacConfusions({ kid, claims, privateKey }: Forge): Tokens {
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' });
  const secrets: Record<string, string | Buffer> = {
    'SPKI PEM': publicKey.export({ format: 'pem', type: 'spki' }),
    'PKCS1 PEM': publicKey.export({ format: 'pem', type: 'pkcs1' }),
    'SPKI DER': publicKey.export({ format: 'der', type: 'spki' }),
    JWK: JSON.stringify(jwk),
    modulus: Buffer.from(jwk.n ?? '', 'base64url'),
    'empty secret': '',
  };
  const tokens: Tokens = {};
  for (const alg of ['HS256', 'HS384', 'HS512']) {
    for (const [name, secret] of Object.entries(secrets)) {
      const signer: Signer = (input) =>
        createHmac(`sha${alg.slice(2)}`, secret)
          .update(input)
          .digest();
      tokens[`${alg} with ${name}`] = forge({ alg, typ: 'at+jwt', kid }, claims, signer);
    }
  }
  return tokens;
}

function otherAlgorithms({ kid, claims, privateKey }: Forge): Tokens {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const ed = generateKeyPairSync('ed25519').privateKey;
  const real = rs256(privateKey);
  const header = (alg: unknown) => ({ alg, typ: 'at+jwt', kid });
  const pss: Signer = (input) => sign('sha256', Buffer.from(input), { key: privateKey, padding: 6, saltLength: 32 });
  return {
    PS256: forge(header('PS256'), claims, pss),
    'PS256 called RS256': forge(header('RS256'), claims, pss),
    RS384: forge(header('RS384'), claims, (input) => sign('sha384', Buffer.from(input), privateKey)),
    RS512: forge(header('RS512'), claims, (input) => sign('sha512', Buffer.from(input), privateKey)),
    'RS384 called RS256': forge(header('RS256'), claims, (input) => sign('sha384', Buffer.from(input), privateKey)),
    RS1: forge(header('RS1'), claims, (input) => sign('sha1', Buffer.from(input), privateKey)),
    ES256: forge(header('ES256'), claims, (input) =>
      sign('sha256', Buffer.from(input), { key: ec, dsaEncoding: 'ieee-p1363' }),
    ),
    EdDSA: forge(header('EdDSA'), claims, (input) => sign(null, Buffer.from(input), ed)),
    'lower case': forge(header('rs256'), claims, real),
    'as an array': forge(header(['RS256']), claims, real),
    'with a space': forge(header('RS256 '), claims, real),
    'with a NUL': forge(header('RS256\0'), claims, real),
    'as an object': forge(header({ RS256: true }), claims, real),
    RSA1_5: forge(header('RSA1_5'), claims, real),
  };
}

function headerInjections({ kid, claims, privateKey, canary }: Forge): Tokens {
  const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ours = { alg: 'RS256', typ: 'at+jwt', kid };
  const jwk = { ...attacker.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  const certificate = attacker.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const extras: Record<string, object> = {
    jku: { jku: `${canary}/jwks.json` },
    'jku of ours with userinfo': { jku: `${canary.replace('//', '//parley@')}/.well-known/jwks.json` },
    x5u: { x5u: `${canary}/cert.pem` },
    jwk: { jwk },
    x5c: { x5c: [certificate] },
    x5t: { x5t: 'AAAA' },
    'empty crit': { crit: [] },
    'crit exp': { crit: ['exp'] },
    'crit of something new': { crit: ['future'], future: true },
    'b64 false': { b64: false, crit: ['b64'] },
    'b64 false without crit': { b64: false },
    zip: { zip: 'DEF' },
    cty: { cty: 'JWT' },
    enc: { enc: 'A256GCM' },
    url: { url: canary },
  };
  const tokens: Tokens = {};
  for (const [name, extra] of Object.entries(extras)) {
    tokens[`${name}, attacker's key`] = forge({ ...ours, ...extra }, claims, rs256(attacker.privateKey));
    tokens[`${name}, our key`] = forge({ ...ours, ...extra }, claims, rs256(privateKey));
  }
  const kids: Record<string, unknown> = {
    path: '../../../../dev/null',
    SQL: "' OR '1'='1",
    URL: `${canary}/key.pem`,
    prototype: '__proto__',
    constructor: 'constructor',
    'with a NUL': `${kid}\0`,
    'other case': kid.toUpperCase(),
    empty: '',
    number: 1,
    array: [kid],
    null: null,
    unknown: 'tok-000000000000000000000000',
  };
  for (const [name, value] of Object.entries(kids)) {
    tokens[`kid ${name}`] = forge({ ...ours, kid: value }, claims, rs256(privateKey));
  }
  for (const typ of [
    'JWT',
    'AT+JWT',
    'application/at+jwt',
    'at+jwt ',
    'dpop+jwt',
    'token-introspection+jwt',
    '',
    null,
  ]) {
    tokens[`typ ${JSON.stringify(typ)}`] = forge({ ...ours, typ }, claims, rs256(privateKey));
  }
  tokens['no kid'] = forge({ alg: 'RS256', typ: 'at+jwt' }, claims, rs256(privateKey));
  tokens['no typ'] = forge({ alg: 'RS256', kid }, claims, rs256(privateKey));
  return tokens;
}

function badClaims({ kid, claims, privateKey }: Forge): Tokens {
  const now = Number(claims.iat);
  const aud = String(claims.aud);
  const iss = String(claims.iss);
  const changes: Record<string, object> = {
    'exp a second ago': { exp: now - 1 },
    'exp now': { exp: now },
    'exp in the year 5138': { exp: 99_999_999_999 },
    'exp a day ahead': { exp: now + 86_400 },
    'exp as text': { exp: String(now + 600) },
    'exp with a fraction': { exp: now + 600.5 },
    'exp 0': { exp: 0 },
    'exp negative': { exp: -1 },
    'exp null': { exp: null },
    'exp as an array': { exp: [now + 600] },
    'exp absent': { exp: undefined },
    'exp beyond whole numbers': { exp: 2 ** 60 },
    'iat in an hour': { iat: now + 3_600 },
    'iat as text': { iat: String(now) },
    'iat absent': { iat: undefined },
    'nbf in an hour': { nbf: now + 3_600 },
    'nbf as text': { nbf: String(now) },
    'sub empty': { sub: '' },
    'sub absent': { sub: undefined },
    'sub as an object': { sub: { id: 'usr_1' } },
    'sub as a number': { sub: 7 },
    'sub as an array': { sub: ['usr_1'] },
    'aud as an array of one': { aud: [aud] },
    'aud as an array of two': { aud: [aud, 'https://evil.example'] },
    'aud absent': { aud: undefined },
    'aud of another agent': { aud: `${aud}-2` },
    'aud with a slash': { aud: `${aud}/` },
    'aud in upper case': { aud: aud.toUpperCase() },
    'aud with a fragment': { aud: `${aud}#a` },
    'aud is the issuer': { aud: iss },
    'iss absent': { iss: undefined },
    'iss of somebody else': { iss: 'https://evil.example' },
    'iss with a slash': { iss: `${iss}/` },
    'iss as an array': { iss: [iss] },
    'iss with user information': { iss: iss.replace('//', '//user@') },
    'jti absent': { jti: undefined },
    'jti empty': { jti: '' },
    'jti as a number': { jti: 1 },
    'jti of nobody': { jti: Buffer.alloc(40, 7).toString('base64url') },
    'jti too short': { jti: 'AAAA' },
    'token_use unknown': { token_use: 'id' },
    'token_use null': { token_use: null },
    'agent_id absent': { agent_id: undefined },
    'agent_id of nobody': { agent_id: 'agt_00000000000000000000' },
    'client_id absent': { client_id: undefined },
    'scope as an array': { scope: ['agent:call'] },
  };
  const header = { alg: 'RS256', typ: 'at+jwt', kid };
  const tokens: Tokens = {};
  for (const [name, change] of Object.entries(changes)) {
    tokens[name] = forge(header, { ...claims, ...change }, rs256(privateKey));
  }
  return tokens;
}

/** Signed by the real key, but not in our JSON serialization. */
function strangeJson({ kid, claims, privateKey }: Forge): Tokens {
  const header = JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid });
  const text = JSON.stringify(claims);
  const later = Number(claims.iat) + 800;
  const write = (headerText: string, claimsText: string) => forge(headerText, claimsText, rs256(privateKey));
  const bytes = (body: Buffer) => {
    const input = `${segment(header)}.${body.toString('base64url')}`;
    return `${input}.${rs256(privateKey)(input).toString('base64url')}`;
  };
  return {
    'exp 1e999': write(header, text.replace(/"exp":\d+/, '"exp":1e999')),
    'exp with an exponent': write(header, text.replace(/"exp":(\d+)/, '"exp":$1e0')),
    'exp twice': write(header, text.replace(/^\{/, `{"exp":1,`).replace(/\}$/, `,"exp":${later}}`)),
    'aud twice': write(header, text.replace(/^\{/, `{"aud":"https://evil.example",`)),
    'sub twice': write(header, text.replace(/\}$/, `,"sub":"usr_admin"}`)),
    'iss twice': write(header, text.replace(/^\{/, `{"iss":"https://evil.example",`)),
    'sub twice, once escaped': write(header, text.replace(/\}$/, `,"\\u0073ub":"usr_admin"}`)),
    'alg twice': write(header.replace(/^\{/, '{"alg":"none",'), text),
    'kid twice': write(header.replace(/^\{/, '{"kid":"tok-other",'), text),
    'white space in claims': write(header, `${text} `),
    'white space in the header': write(header.replace(':', ': '), text),
    'escaped letters': write(header.replace('RS256', '\\u0052S256'), text),
    'prototype in claims': write(
      header,
      text.replace(/^\{/, '{"__proto__":{"active":true},').replace('"sub"', '"sub2"'),
    ),
    'prototype in the header': write(header.replace(/^\{/, '{"__proto__":{"alg":"none"},'), text),
    'claims as an array': write(header, `[${text}]`),
    'claims as a string': write(header, JSON.stringify(text)),
    'claims as a number': write(header, '1'),
    'claims as null': write(header, 'null'),
    'claims empty': write(header, '{}'),
    'header as an array': write(`[${header}]`, text),
    'header as null': write('null', text),
    'header empty': write('{}', text),
    'byte order mark': write(header, `\ufeff${text}`),
    'bytes that are no UTF-8': bytes(
      Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"x":"\xff\xfe"}', 'latin1')]),
    ),
    'UTF-16': bytes(Buffer.from(text, 'utf16le')),
    'deep arrays': write(header, `${'['.repeat(1_000)}${']'.repeat(1_000)}`),
    'no JSON': write(header, 'sub=usr_1'),
    'comment in JSON': write(header, text.replace('{', '{/**/')),
  };
}

function strangeShapes(from: Forge): Tokens {
  const good = goodToken(from);
  const [header = '', claims = '', signature = ''] = good.split('.');
  return {
    empty: ' ',
    dots: '..',
    'two dots more': '....',
    'two segments': `${header}.${claims}`,
    'four segments': `${good}.${signature}`,
    'five segments like a JWE': `${header}..${claims}.${signature}.${signature}`,
    'no header': `.${claims}.${signature}`,
    'no claims': `${header}..${signature}`,
    'no signature': `${header}.${claims}.`,
    'space before': ` ${good}`,
    'space behind': `${good} `,
    'line break behind': `${good}\n`,
    'line break inside': `${header}.\r\n${claims}.${signature}`,
    'padding behind the signature': `${good}=`,
    'two paddings': `${good}==`,
    'padding behind the header': `${header}=.${claims}.${signature}`,
    'other alphabet': `${header}.${claims}.${signature.replace(/-/g, '+').replace(/_/g, '/')}${/[-_]/.test(signature) ? '' : '+'}`,
    'trailing bits': twin(good),
    'letters that base64 ignores': `${header}.${claims}.${signature.slice(0, 9)}!${signature.slice(9)}`,
    NUL: `${good}\0`,
    'full-width dots': good.replaceAll('.', '．'),
    'flattened JSON': JSON.stringify({ protected: header, payload: claims, signature }),
    'in quotes': `"${good}"`,
    'with its scheme': `Bearer ${good}`,
    'one megabyte': `${header}.${'A'.repeat(1_000_000)}.${signature}`,
    'a million dots': '.'.repeat(1_000_000),
    garbage: 'garbage',
    'a UUID': '6f1c1c1e-3f0b-4d8a-9d53-1a0e8c1f7a10',
    'a JWE': `${segment({ alg: 'dir', enc: 'A256GCM' })}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`,
  };
}

/** The same token with different padding bits in its signature: equal when decoded, different as text. */
export function twin(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  return token.slice(0, -1) + alphabet[last ^ 1];
}

function badSignatures(from: Forge): Tokens {
  const { kid, claims } = from;
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const good = goodToken(from);
  const [header = '', body = '', signature = ''] = good.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const withBytes = (changed: Buffer) => `${header}.${body}.${changed.toString('base64url')}`;
  const flipped = Buffer.from(bytes);
  flipped[100] = (flipped[100] ?? 0) ^ 1;
  const changed = segment({ ...claims, sub: 'somebody-else' });
  return {
    "somebody's key under our kid": forge({ alg: 'RS256', typ: 'at+jwt', kid }, claims, rs256(other)),
    'a small key under our kid': forge({ alg: 'RS256', typ: 'at+jwt', kid }, claims, rs256(small)),
    'one bit changed': withBytes(flipped),
    'a byte short': withBytes(bytes.subarray(0, -1)),
    'a byte long': withBytes(Buffer.concat([bytes, Buffer.from([0])])),
    'a zero byte before': withBytes(Buffer.concat([Buffer.from([0]), bytes])),
    zeros: withBytes(Buffer.alloc(256)),
    ones: withBytes(Buffer.alloc(256, 255)),
    'one byte': withBytes(Buffer.from([1])),
    'other claims under it': `${header}.${changed}.${signature}`,
    'reversed bytes': withBytes(Buffer.from(bytes).reverse()),
  };
}
