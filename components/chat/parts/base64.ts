const alphabet = /^[\w+/-]*={0,2}$/;

/** Decodes base64 or base64url, line breaks allowed. Null for other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = plainOf(text);
  if (plain === null) return null;
  const binary = atob(plain.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The decoded size, without decoding. Null if it is not base64. */
export function base64Size(text: string): number | null {
  const plain = plainOf(text);
  return plain === null ? null : Math.floor((plain.length * 3) / 4);
}

function plainOf(text: string): string | null {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (!alphabet.test(compact)) return null;
  const plain = compact.replace(/=+$/, '');
  return plain.length % 4 === 1 ? null : plain;
}
