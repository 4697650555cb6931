import { type CardDiagnostic, createDiagnosticCollector } from './diagnostics';

/** The bytes as text, or the fault with the place of the first byte that is not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { fault: CardDiagnostic } {
  const text = decode(bytes, false);
  if (text !== null) return { text };
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decode(bytes.subarray(0, middle), true) === null) bad = middle;
    else good = middle;
  }
  const before = decode(bytes.subarray(0, good), true) ?? '';
  const fault = createDiagnosticCollector(before).build(
    { offset: before.length, pointer: '', rule: 'text.utf8' },
    {
      found: `the byte 0x${(bytes[good] ?? 0).toString(16).padStart(2, '0')}`,
      expected: 'UTF-8',
      fix: 'Save the card as UTF-8 (RFC 8259 §8.1).',
    },
  );
  return { fault };
}

// With `partial`, a character that is cut off at the end is no fault.
function decode(bytes: Uint8Array, partial: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: partial });
  } catch {
    return null;
  }
}
