import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** How a response of the authenticator is corrupted. */
export interface Flaws {
  origin?: string;
  rpId?: string;
  /** Without it, user presence is asserted but not user verification. */
  verified?: boolean;
  challenge?: string;
  /** Does not increment the counter. */
  counter?: number;
}

/** A software passkey: creates one credential and signs with it (WebAuthn Level 3). */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private counter = 0;

  constructor(private readonly origin: string) {}

  /** RegistrationResponseJSON for the server's options. */
  register({ challenge }: { challenge: string }, flaws: Flaws = {}): object {
    const clientDataJSON = this.clientData('webauthn.create', challenge, flaws);
    const credential = Buffer.concat([Buffer.alloc(16), uint16(16), Buffer.from(this.id, 'base64url'), this.coseKey()]);
    const authData = this.authData(flaws, 0x40, credential);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return this.answer({
      clientDataJSON,
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** AuthenticationResponseJSON for the server's options. */
  assert({ challenge }: { challenge: string }, flaws: Flaws = {}): object {
    const clientDataJSON = this.clientData('webauthn.get', challenge, flaws);
    const authData = this.authData(flaws);
    const clientHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authData, clientHash]), this.keys.privateKey);
    return this.answer({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private answer(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, flaws: Flaws): string {
    const data = {
      type,
      challenge: flaws.challenge ?? challenge,
      origin: flaws.origin ?? this.origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private authData({ rpId, verified = true, counter }: Flaws, flags = 0, credential = Buffer.alloc(0)): Buffer {
    const host = rpId ?? new URL(this.origin).hostname;
    this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const bits = flags | 0x01 | (verified ? 0x04 : 0);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([bits]), count, credential]);
  }

  private coseKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return cborMap([
      [Buffer.from([0x01]), Buffer.from([0x02])],
      [Buffer.from([0x03]), Buffer.from([0x26])],
      [Buffer.from([0x20]), Buffer.from([0x01])],
      [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
      [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
