import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** A certificate for `localhost` that is its own authority, in PEM. */
export interface LoopbackCertificate {
  key: string;
  cert: string;
}

/**
 * Creates a certificate for `localhost` (X.509 v3, ECDSA P-256, valid for a year around today). With a `caFile`, writes
 * it there, for `NODE_EXTRA_CA_CERTS`.
 */
export function createLoopbackCertificate(caFile: string): LoopbackCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('550403'), utf8('localhost'))));
  const halfYear = 182 * 86_400_000;
  const [from, until] = [-halfYear, halfYear].map((offset) => time(new Date(Date.now() + offset)));
  const signed = sequence(
    tag(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(from ?? empty, until ?? empty),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(isAuthority, forLocalhost)),
  );
  const signature = sign('sha256', signed, privateKey);
  const cert = toPem(sequence(signed, ecdsaWithSha256, tag(0x03, Buffer.concat([Buffer.of(0), signature]))));
  writeFileSync(caFile, cert);
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

const empty = Buffer.alloc(0);

/** An ASN.1 value in DER. */
function tag(type: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(type, ...size), content]);
}

function sequence(...members: Buffer[]): Buffer {
  return tag(0x30, ...members);
}

function set(...members: Buffer[]): Buffer {
  return tag(0x31, ...members);
}

function integer(value: number): Buffer {
  return tag(0x02, Buffer.of(value));
}

function utf8(text: string): Buffer {
  return tag(0x0c, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return tag(0x06, Buffer.from(hex, 'hex'));
}

/** UTCTime: `yymmddhhmmssZ`. */
function time(date: Date): Buffer {
  return tag(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const isTrue = tag(0x01, Buffer.of(0xff));
/** Basic constraints: an authority. */
const isAuthority = sequence(oid('551d13'), isTrue, tag(0x04, sequence(isTrue)));
/** Subject alternative name: the DNS name `localhost`. */
const forLocalhost = sequence(oid('551d11'), tag(0x04, sequence(tag(0x82, Buffer.from('localhost')))));

function toPem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}
